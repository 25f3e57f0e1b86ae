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

/// Who is served by the steps of a graph: a thread steps, or cannot step at some moment.
struct Service {
  std::vector<std::uint64_t> by_step;  ///< threads, by their bits
  std::vector<std::uint32_t> threads;  ///< by state: how many there are; the same on all of a cycle
};

/// A cycle on which every thread is served: the loop of a weakly fair run. It exists if and only if
/// the steps inside some strongly connected component serve everybody, since a cycle can be led
/// through all of them. Empty if there is none. Precondition: the states are those of `threads`.
std::vector<std::uint32_t> find_fair_cycle(
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& steps, const Service& service);

/// Executes stem and loop, and takes the first state that comes twice. None if no state does:
/// stored states have values that are not read again set to 0. Those are written anew each time
/// round, so that the loop is executed twice.
std::optional<model::c::Run> lasso_of(const model::c::Interpreter& interpreter,
                                      const model::c::Run& stem,
                                      const std::vector<model::c::RunStep>& loop);
/// The same without leaving out a part of the loop, which may be needed for fairness.
std::optional<model::c::Run> whole_lasso_of(const model::c::Interpreter& interpreter,
                                            const model::c::Run& stem,
                                            const std::vector<model::c::RunStep>& loop);

/// A loop among the steps of a run that can be repeated for ever although it leads to another state
/// (recurrence.hpp). The run ends with it.
std::optional<model::c::Run> recurrent_lasso_in(const model::c::Interpreter& interpreter,
                                                const model::c::Run& path);

}  // namespace heddle::engine::explore
