#pragma once

/// Runs, of each kind of model.

#include <optional>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/id.hpp"
#include "base/integer.hpp"
#include "model/c/run.hpp"
#include "model/configuration.hpp"
#include "model/task.hpp"

namespace heddle::answer {

struct ThreadTag;
/// A thread of one interleaving. Initial threads come first, ordered by local state; a spawned
/// thread gets the next free number.
using ThreadId = base::Id<ThreadTag>;

/// A passive thread's move, by name: only for threads that choose among several targets.
struct NamedMove {
  ThreadId thread;
  model::LocalState to;
  friend bool operator==(const NamedMove&, const NamedMove&) = default;
};

struct TraceStep {
  model::TransitionId transition;
  std::vector<model::PassiveFlow> flows;  ///< see model::step; empty for nets
  /// Who acts, where threads are told apart (never inside or after a repetition block).
  std::optional<ThreadId> thread;
  std::vector<NamedMove> chosen;  ///< empty unless `thread` or the step's choices are known
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// `body`, `repetitions` times in a row. A single step is a block that is run once.
/// Blocks that are run more than once hold only steps with a constant effect on the counters
/// (no transfers, resets or passive moves), so that a replay costs time in the body alone.
struct TraceBlock {
  base::Integer repetitions = 1;
  std::vector<TraceStep> body;
  friend bool operator==(const TraceBlock&, const TraceBlock&) = default;
};

/// An interleaving of a model that counts: from `initial` (an exact number of threads), block after
/// block.
struct Trace {
  model::Configuration initial;
  std::vector<TraceBlock> blocks;
  friend bool operator==(const Trace&, const Trace&) = default;
};

struct PushdownStep {
  model::TransitionId rule;
  std::optional<ThreadId> thread = std::nullopt;  ///< the rule's, if it is said
  friend bool operator==(const PushdownStep&, const PushdownStep&) = default;
};

/// A run of a pushdown system, from an initial state.
struct PushdownRun {
  model::VisibleState initial;
  std::vector<PushdownStep> steps;
  friend bool operator==(const PushdownRun&, const PushdownRun&) = default;
};

/// The runs of a kind of model, as evidence has them.
template <class Model>
struct RunOfKind;
template <>
struct RunOfKind<model::ThreadSystem> {
  using Type = Trace;
};
template <>
struct RunOfKind<model::PetriNet> {
  using Type = Trace;
};
template <>
struct RunOfKind<model::BooleanProgram> {
  using Type = ProgramRun;
};
template <>
struct RunOfKind<model::PushdownSystem> {
  using Type = PushdownRun;
};

template <>
struct RunOfKind<model::CProgram> {
  using Type = model::c::Run;
};

template <class Model>
using RunOf = typename RunOfKind<Model>::Type;
using AnyRun = base::VariantOf<RunOf, model::Kinds>;

}  // namespace heddle::answer
