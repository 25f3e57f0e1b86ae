#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "answer/trace.hpp"
#include "model/task.hpp"
#include "transform/first_turn.hpp"

namespace heddle::transform {

/// A rule of the concurrent system, as it is simulated.
struct SimulatedStep {
  model::TransitionId rule;
  std::uint32_t thread = 0;
  std::uint32_t context = 0;  ///< of the thread, from 0
  std::uint32_t turn = 0;     ///< of the thread in its rounds, from 0
};

/// A task about one thread with one stack that is unsafe exactly if the concurrent one is within
/// its contexts.
struct SequentialPushdown {
  model::PushdownTask sequential;
  std::vector<std::optional<SimulatedStep>> origin;  ///< by rule; nothing: it simulates no step
};

/// The reduction of context-bounded analysis to sequential analysis (sequential_pushdown.cpp).
/// Precondition: the task's model is a pushdown system, it bounds the contexts. The error says what
/// has no counterpart; more rules than `most_rules` have none. The number of rules grows as the
/// number of shared states to the power of twice the number of contexts.
std::expected<SequentialPushdown, std::string> sequentialise(const model::PushdownTask& task,
                                                             std::size_t most_rules,
                                                             FirstTurn first = FirstTurn::First);

/// The interleaving that a trace of the sequential task stands for. Precondition: the trace has
/// been replayed.
answer::PushdownRun interleaving_of(const model::PushdownTask& task,
                                    const SequentialPushdown& reduction,
                                    const answer::PushdownRun& run);

}  // namespace heddle::transform
