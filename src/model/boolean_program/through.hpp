#pragma once

/// Failures that lie behind certain statements, in flow graphs. Private to unfold.cpp and
/// kept_calls.cpp; through.cpp has the idea.

#include <string_view>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

/// The name of the shared variable that records visits; no program can use it.
inline constexpr std::string_view kVisited = "(visited)";

/// The graph in which steps of the statements set the last shared variable. Precondition: the graph
/// has a step for every statement, the variable is 0 at first and nothing uses it. Linear.
Flow record_visits(Flow flow, const std::vector<StatementPlace>& statements);

/// The graph in which only failures count that happen when that variable is set, or at one of the
/// statements. All of them, if no statement is given. Linear.
Flow count_failures(Flow flow, const std::vector<StatementPlace>& statements);

}  // namespace heddle::model::boolean
