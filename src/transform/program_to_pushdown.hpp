#pragma once

/// A Boolean program with fixed threads as a concurrent pushdown system, state by state: shared
/// states are valuations of the shared variables, stack symbols are nodes with valuations of the
/// local variables of one procedure. An assertion can fail in the one within so many contexts per
/// thread if and only if it can in the other; the proof is at the head of the source file.

#include <compare>
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/task.hpp"

namespace heddle::transform {

/// More rules than these are no use to anybody.
inline constexpr std::size_t kMostPushdownRules = 2'000'000;

struct ProgramAsPushdown {
  model::PushdownTask translated;

  /// What a shared state stands for, but for number 0, in which a thread has failed.
  struct Shared {
    model::boolean::Valuation values;
    /// Set while a procedure returns them and its caller has not taken them yet.
    std::optional<model::boolean::Valuation> results;
    friend auto operator<=>(const Shared&, const Shared&) = default;
  };
  std::vector<Shared> shared;

  /// What a stack symbol stands for: where a procedure is, or the call that it waits for.
  struct Symbol {
    model::boolean::NodeId node;
    model::boolean::Valuation values;
    bool waits = false;
    friend auto operator<=>(const Symbol&, const Symbol&) = default;
  };
  std::vector<std::vector<Symbol>> symbols;  ///< by thread

  /// The step of the program that a rule is; nothing if it is the end of the one before it.
  struct Origin {
    model::boolean::EdgeId edge;
    model::boolean::NextValues outcome;
  };
  std::vector<std::optional<Origin>> origins;  ///< by rule
};

/// The error says what has no counterpart: a number of threads that is not fixed, threads that
/// create others or wait for them, more than `most_rules` rules (or as many pairs of a shared state
/// and a symbol); or that `stopped`, which is asked once for each such pair if it is there, said
/// yes. Time and space in the number of rules and pairs.
std::expected<ProgramAsPushdown, std::string> program_to_pushdown(
    const model::ProgramTask& task, std::size_t most_rules,
    const std::function<bool()>& stopped = {});

/// The pushdown system, whose shared states and symbols say in words what they stand for.
/// Precondition: `translation` is that of the task.
model::PushdownSystem with_names(const model::ProgramTask& task,
                                 const ProgramAsPushdown& translation);

/// A verdict about the pushdown system as one about the program.
answer::Verdict translate_back(const ProgramAsPushdown& translation,
                               const answer::Verdict& verdict);

}  // namespace heddle::transform
