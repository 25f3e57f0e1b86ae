#pragma once

/// Threads as individuals. Configurations count threads; people want to read "thread 2 takes the
/// lock". Since threads in the same local state are interchangeable, names can be given to a
/// trace after the fact, and this is where they are given and followed.

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "answer/trace.hpp"
#include "model/thread_system.hpp"

namespace heddle::answer {

/// Traces that start with more threads than this are left to counters.
constexpr std::size_t kMostNamedThreads = 10000;

struct ThreadMove {
  ThreadId thread;
  model::LocalState from;
  model::LocalState to;
  friend bool operator==(const ThreadMove&, const ThreadMove&) = default;
};

/// What one step of a trace did to whom.
struct NamedStep {
  model::TransitionId transition;
  model::SharedState shared_before;
  model::SharedState shared_after;
  std::optional<ThreadMove> active;   ///< none for a transfer; `from == to` for a spawner
  std::optional<ThreadMove> spawned;  ///< the new thread, `from == to == ` where it starts
  std::vector<ThreadMove> passive;    ///< whom the step moved along, by thread, only real moves
};

/// The threads of an interleaving, each with its local state.
class NamedThreads {
 public:
  /// Initial threads are numbered from 0 in the order of their local states.
  /// Precondition: at most kMostNamedThreads.
  explicit NamedThreads(const model::Configuration& initial);

  model::SharedState shared() const { return shared_; }
  /// The local state of each thread, by thread number.
  const std::vector<model::LocalState>& locals() const { return locals_; }

  /// Chooses names for a step: `preferred` acts if it stands at the right place, else the lowest
  /// number there; passive threads choose in the order of their numbers and the step's flows.
  /// The error says why the step is impossible here.
  std::expected<TraceStep, std::string> name(const model::ThreadSystem& system, TraceStep step,
                                             std::optional<ThreadId> preferred) const;

  /// Fires a named step. The error says why it is impossible (a name that is missing, too);
  /// then nothing has changed.
  std::expected<NamedStep, std::string> fire(const model::ThreadSystem& system,
                                             const TraceStep& step);

 private:
  void add_thread(model::LocalState local);
  void relocate(const ThreadMove& move);
  const std::set<ThreadId>& residents(model::LocalState local) const;
  std::expected<std::optional<ThreadMove>, std::string> active_move(
      const model::ThreadTransition& transition, const TraceStep& step) const;
  std::expected<std::vector<ThreadMove>, std::string> passive_moves(
      const model::ThreadTransition& transition, const TraceStep& step) const;

  model::SharedState shared_;
  std::vector<model::LocalState> locals_;
  std::map<model::LocalState, std::set<ThreadId>> residents_;
};

/// The trace with TraceStep::thread and TraceStep::chosen filled in, with few switches between
/// threads. Names end at the first block that is repeated and at the first step that is
/// impossible; a trace with more than kMostNamedThreads initial threads gets none. Names that
/// the trace had before are replaced.
Trace with_thread_names(const model::ThreadSystem& system, Trace trace);

/// The named steps of a trace, as far as names go: what a printer needs to tell the story.
std::vector<NamedStep> named_steps(const model::ThreadSystem& system, const Trace& trace);

}  // namespace heddle::answer
