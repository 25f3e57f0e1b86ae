#pragma once

#include <string>

#include "model/task.hpp"

namespace heddle::output::picture {

constexpr std::size_t kMostPushdownNodes = 120;

/// The rules of a pushdown system for Graphviz: a frame for each thread, a node for each shared
/// state and top of its stack (`s|a`), an edge for each rule. A rule that pops leads to the shared
/// state alone: which symbol comes up is the stack's affair. Of large systems only the nodes
/// nearest to the initial ones are drawn; the title says so.
std::string pushdown_dot(const model::PushdownTask& task, const std::string& name);

}  // namespace heddle::output::picture
