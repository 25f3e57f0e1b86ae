#pragma once

/// Which rules of a pushdown system lie on a run to a target? The question whether there is such a
/// run through one of some rules is put about a system of its own, in which shared state s + n
/// stands for s behind one of these rules, n being the number of shared states. Here it is shown
/// that the system is that one, so that what is proved about it holds of the original.

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "model/task.hpp"

namespace heddle::check {

/// The first difference in words, or nothing. Rules 2i and 2i + 1 stand for rule i, before and
/// behind a rule of the lines. Precondition: both tasks are about pushdown systems. Linear.
std::optional<std::string> why_not_through(const model::PushdownTask& original,
                                           const model::PushdownTask& through,
                                           const std::set<std::uint32_t>& lines);

}  // namespace heddle::check
