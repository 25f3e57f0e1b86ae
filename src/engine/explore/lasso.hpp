#pragma once

/// Runs that never end: cycles in the graph of explored states.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/c/run.hpp"

namespace heddle::engine::explore {

/// The steps, by their numbers, of a cycle; it begins in a state that was found early, and no
/// shorter cycle contains its last step. Empty if there is none. Linear in the number of steps.
std::vector<std::uint32_t> find_cycle(
    std::size_t states, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& steps);

/// Executes stem and loop, and takes the first state that comes twice. None if no state does:
/// stored states have values that are not read again set to 0. Those are written anew each time
/// round, so that the loop is executed twice.
std::optional<model::c::Run> lasso_of(const model::c::Interpreter& interpreter,
                                      const model::c::Run& stem,
                                      const std::vector<model::c::RunStep>& loop);

}  // namespace heddle::engine::explore
