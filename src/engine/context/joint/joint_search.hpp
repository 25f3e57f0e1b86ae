#pragma once

#include <expected>
#include <optional>
#include <set>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/context/diagram_work.hpp"
#include "engine/context/joint/joint_system.hpp"

namespace heddle::engine::context {

/// Facts that were met at the same time: each follows from some that were met before.
struct TurnRing {
  std::uint64_t time = 0;
  Bdd facts;
};

/// A turn that was played.
struct Turn {
  std::size_t thread = 0;
  Bdd begins;  ///< configurations with which it can begin
};

/// Round by round, turn by turn. joint_search.cpp explains it.
class JointSearch {
 public:
  explicit JointSearch(const JointSystem& system);

  /// Plays the next round, up to the first failure or the first stack that is too deep. If no more
  /// rounds are to follow, where its last turn leads to is left open if it does not matter.
  enum class Rounds { More, NoMore };
  std::optional<base::StopReason> play(base::RunContext& context, Rounds rounds);

  /// What turns of the thread lead to that begin with any of these configurations: all with which
  /// they can end. Whatever `play` does, this does not count as a turn of its rounds.
  std::expected<Bdd, base::StopReason> turn(std::size_t thread, const Bdd& begins,
                                            base::RunContext& context);

  enum class End { None, Failed, CutOff };
  End end() const { return end_; }
  /// No further round leads to anything new.
  bool closed() const { return closed_; }
  std::uint32_t round() const { return round_; }
  const JointSystem& system() const { return system_; }

  /// All turns so far. The last one has failed if there is a failure.
  const std::vector<Turn>& turns() const { return turns_; }
  /// What was found of the thread's turns, at a place.
  const std::vector<TurnRing>& rings(std::size_t thread, PlaceNumber place) const {
    return threads_[thread].spots[place].rings;
  }

  /// Shared states at any moment of the turns so far, as valuations of the shared variables, the
  /// bit of atomic sections left aside.
  Bdd shared_states() const;

  /// Of the rounds so far or, if nothing new can come, of any number of rounds.
  answer::TurnFacts certificate() const;

 private:
  struct Spot {
    Bdd reached;  ///< all facts that were worked off
    Bdd pending;  ///< and those that are still to be
    std::vector<TurnRing> rings;
  };
  struct ThreadTurns {
    Bdd worked_off;  ///< configurations that its turns have dealt with
    Bdd views;       ///< with which facts were begun
    Bdd effect;      ///< facts with which a turn can end; the place is a part of them
    std::vector<std::pair<PlaceNumber, Bdd>> ends;  ///< facts that have to join them
    std::vector<Spot> spots;                        ///< by place
  };

  std::optional<base::StopReason> play_turn(base::RunContext& context, bool last);
  /// Of the turns that begin with these configurations.
  std::optional<base::StopReason> find_facts(const Bdd& begins, base::RunContext& context);
  /// Configurations with which these turns can end. Precondition: their facts were found.
  Bdd led_to(const Bdd& begins);
  void begin(const Bdd& views, std::size_t digit, PlaceNumber place);
  void add(PlaceNumber place, const Bdd& facts);
  void process_queue(PlaceNumber place);
  Bdd end_of_turn(PlaceNumber place, const Bdd& facts) const;

  const JointSystem& system_;
  Bdd all_;  ///< with which a turn can begin
  std::vector<ThreadTurns> threads_;
  std::set<std::pair<std::uint32_t, PlaceNumber>> waiting_;  ///< by rank
  std::vector<Turn> turns_;
  std::size_t thread_ = 0;  ///< whose turn it is
  std::uint32_t round_ = 0;
  std::uint64_t time_ = 0;
  End end_ = End::None;
  bool closed_ = false;
  DiagramWork work_;
};

/// A run that ends in the failure. Precondition: there is one.
answer::ProgramRun run_of(const JointSearch& search);

/// The least number of contexts with which some run fails, threads following each other in any
/// order, if it is less than `most`; else `most`. Nothing if the search is stopped or a stack is
/// too deep for it.
std::optional<std::uint32_t> fewest_contexts(const JointSystem& system, std::uint32_t most,
                                             base::RunContext& context);

}  // namespace heddle::engine::context
