#pragma once

#include <cstdint>
#include <vector>

#include "model/boolean_program/abstraction.hpp"

namespace heddle::engine::onthefly {

/// Is this an edge that nobody notices but its thread? The edge has its variables hidden.
bool is_silent(const model::boolean::FlowEdge& edge);

/// Classes of nodes between which threads cannot tell, by node and numbered from 0: a branching
/// bisimulation (van Glabbeek, Weijland 1996). Whatever a thread can do next at one node of a
/// class, it can do at every other one, perhaps after some silent steps inside of the class.
/// `edges` are the graph's with variables hidden, `wakes` the steps out of hidden waits.
std::vector<std::uint32_t> bisimilar_nodes(const model::boolean::Flow& flow,
                                           const model::boolean::Abstraction& abstraction,
                                           const std::vector<model::boolean::FlowEdge>& edges,
                                           const std::vector<model::boolean::FlowEdge>& wakes);

}  // namespace heddle::engine::onthefly
