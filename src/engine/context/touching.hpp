#pragma once

#include "model/boolean_program/flow.hpp"

namespace heddle::engine::context {

/// Does a shared variable get a result of the call?
bool receives_shared(const model::boolean::FlowEdge& call);

/// Does the step depend on shared variables or change them, apart from waiting until nobody is
/// inside an atomic section? `call`: of a Return, the call that it returns from.
bool touches_shared(const model::boolean::Flow& flow, const model::boolean::FlowEdge& edge,
                    const model::boolean::FlowEdge* call);

}  // namespace heddle::engine::context
