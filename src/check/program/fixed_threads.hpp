#pragma once

/// What claims about programs with fixed threads have in common.

#include <vector>

#include "model/boolean_program/flow.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Where the threads of the question start; none if their number is not fixed.
std::vector<model::boolean::NodeId> starts_of(const model::boolean::Flow& flow,
                                              const model::ProgramTask& task);

/// Does the step read or assign shared variables, apart from the bit that keeps threads out of
/// atomic sections in its guard? Results that its call receives do not count.
bool depends_on_shared(const model::boolean::Flow& flow, const model::boolean::FlowEdge& edge);

}  // namespace heddle::check
