#pragma once

#include <map>
#include <optional>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

/// Threads that start at different nodes but do the same: each node and edge that a thread from one
/// start can come to, with its counterpart on the way from the other.
struct Correspondence {
  std::map<NodeId, NodeId> nodes;
  std::map<EdgeId, EdgeId> edges;
};

/// Nothing if the two starts differ in more than the numbers of their nodes, as far as this can be
/// told by walking through both procedures side by side. Precondition: calls are kept.
std::optional<Correspondence> correspondence(const Flow& flow, NodeId from, NodeId to);

}  // namespace heddle::model::boolean
