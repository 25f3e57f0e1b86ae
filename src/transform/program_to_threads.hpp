#pragma once

/// A Boolean program as a thread system, state by state: shared states are valuations of the shared
/// variables, local states are nodes with valuations of the local ones. Only what the
/// thread-modular closure reaches is built. An assertion can fail in the one if and only if it can
/// in the other; the proof is at the head of the source file.

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/task.hpp"

namespace heddle::transform {

/// Larger thread systems are refused; so are those with more than twice as many transitions.
inline constexpr std::size_t kMostThreadStates = 500'000;

struct ProgramAsThreads {
  model::ThreadTask translated;
  model::boolean::Flow flow;
  std::vector<model::boolean::Valuation> shared;            ///< of the shared states that have one
  std::vector<model::boolean::ThreadConfiguration> locals;  ///< of the local states
  std::vector<model::ThreadState> reachable;                ///< thread states, sorted

  enum class Role {
    Step,  ///< stands for the step
    Part,  ///< another transition stands for it
    Wake   ///< likewise; it says whom the signal wakes that comes next
  };
  /// Which step of the program a transition is, or is part of.
  struct Origin {
    model::boolean::EdgeId edge;
    model::boolean::NextValues outcome;
    Role role = Role::Step;
  };
  std::vector<Origin> origins;  ///< by transition
};

/// The error says what has no counterpart: recursion, or too many states; or that
/// `stopped`, which is asked now and then if it is there, said yes.
std::expected<ProgramAsThreads, std::string> program_to_threads(
    const model::ProgramTask& task, const std::function<bool()>& stopped = {});

/// A verdict about the thread system as one about the program.
answer::Verdict translate_back(const ProgramAsThreads& translation, const answer::Verdict& verdict);

}  // namespace heddle::transform
