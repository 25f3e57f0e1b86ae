#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "answer/context_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/context/relations/thread_analysis.hpp"
#include "model/boolean_program/correspondence.hpp"

namespace heddle::engine::context {

/// Eager: a thread's turn may begin with any state. Lazy: with those in which the other threads can
/// have left it.
enum class Guessing { Eager, Lazy };

/// A thread fails in its turn of the current round.
struct Failure {
  std::size_t thread = 0;
  Bdd interfaces;  ///< its inputs up to the round and outputs before it, all of them possible
};

/// All threads, round by round. rounds.cpp explains it.
class Rounds {
 public:
  /// Threads start at these nodes.
  Rounds(const System& system, const std::vector<NodeId>& starts, Guessing guessing);

  /// Plays the next round; a failure, if there is one, is in its first turn that can fail.
  std::optional<base::StopReason> play(base::RunContext& context);

  const std::optional<Failure>& failure() const { return failure_; }
  std::uint32_t round() const { return round_; }
  const System& system() const { return system_; }
  std::size_t thread_count() const { return members_.size(); }
  const std::vector<ThreadAnalysis>& analyses() const { return analyses_; }
  /// What the thread can do, at nodes of the first thread that does the same.
  const ThreadAnalysis& analysis(std::size_t thread) const {
    return analyses_[members_[thread].analysis];
  }
  /// Of the analysis' effects, those of turns that the thread itself can have.
  Bdd effect(std::size_t thread, std::uint32_t round) const;
  NodeId start(std::size_t thread) const { return members_[thread].start; }
  /// The thread's own edge for one of its analysis.
  EdgeId own_edge(std::size_t thread, EdgeId edge) const;

  /// Of the current round; by thread. `before` relates First to Input, `after` Output to First.
  const std::vector<Bdd>& before() const { return before_.back(); }
  const std::vector<Bdd>& after() const { return after_.back(); }

  answer::ContextRelations certificate() const;

 private:
  void look_behind();
  Bdd possible_turns(std::size_t thread, const Bdd& before) const;
  Bdd followed_by(const Bdd& before, std::size_t thread) const;
  Bdd preceded_by(std::size_t thread, const Bdd& after) const;
  Bdd copies(Family family, std::uint32_t first, std::uint32_t last) const;
  Bdd rename_copies(const Bdd& set, Family from, Family to, std::uint32_t last) const;

  const System& system_;
  Guessing guessing_;
  std::uint32_t round_ = 0;
  /// A thread, by the analysis that it shares with all that do the same.
  struct Member {
    NodeId start;
    std::size_t analysis = 0;
    model::boolean::Correspondence own;  ///< of the analysis' nodes and edges
  };
  Member member(NodeId start);

  std::vector<ThreadAnalysis> analyses_;
  std::vector<Member> members_;
  /// By round, then by thread.
  std::vector<std::vector<Bdd>> before_, after_, turns_;
  std::optional<Failure> failure_;
  DiagramWork work_;
};

/// A run that ends in the failure. Precondition: there is one.
answer::ProgramRun run_of(const Rounds& rounds);

}  // namespace heddle::engine::context
