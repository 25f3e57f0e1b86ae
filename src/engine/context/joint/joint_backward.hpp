#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/context/diagram_work.hpp"
#include "engine/context/joint/joint_system.hpp"

namespace heddle::engine::context {

/// Configurations in a thread's turn, with the thread at a place, that were found at the same time
/// to lead to a failure: by a step, or by the end of the turn, to some that were found before.
struct BackwardRing {
  std::uint64_t time = 0;
  Bdd configurations;
};

/// What is looked for: failures, or stacks that are too deep as well.
enum class Wrong { Failures, FailuresAndCutOffs };

/// From the last turn to the first. joint_backward.cpp explains it.
class BackwardSearch {
 public:
  BackwardSearch(const JointSystem& system, Wrong wrong);

  /// Puts a round in front of those so far, up to the first turn that can begin at the start.
  std::optional<base::StopReason> play(base::RunContext& context);

  /// The start leads to what is looked for.
  bool hits_start() const { return hits_start_; }
  /// No further round adds anything.
  bool closed() const { return closed_; }
  std::uint32_t round() const { return static_cast<std::uint32_t>(rounds_.size()); }
  const JointSystem& system() const { return system_; }

  const std::vector<BackwardRing>& rings(std::size_t thread, PlaceNumber place) const {
    return spots_[thread][place].rings;
  }

  /// What leads to no failure in the rounds so far or, if no further one adds anything, at all.
  /// Precondition: the start does not.
  answer::ConfigurationSets certificate() const;

 private:
  struct Spot {
    Bdd bad;      ///< all that were worked off
    Bdd pending;  ///< and those that are still to be
    std::vector<BackwardRing> rings;
  };
  /// What leads to a failure from a turn on: at its begin, and in it, by place.
  struct BackwardTurn {
    Bdd begin;
    std::vector<Bdd> inside;
  };

  std::optional<base::StopReason> play_turn(base::RunContext& context);
  void add_ends(const Bdd& begins, std::size_t digit, PlaceNumber place);
  void add_end(PlaceNumber place, const Bdd& configurations);
  void add_failures();
  void add(PlaceNumber place, const Bdd& configurations);
  void process_queue(PlaceNumber place);
  void keep_turn();
  Bdd switch_places(std::size_t thread) const;

  const ThreadPlaces& places() const { return system_.threads()[thread_]; }

  const JointSystem& system_;
  Wrong wrong_;
  Bdd bad_;                      ///< leads to a failure at the begin of a turn
  Bdd found_;                    ///< to be added when the turn has been worked off
  std::vector<Bdd> worked_off_;  ///< by thread: the part of `bad_` that its turns have dealt with
  std::vector<std::vector<Spot>> spots_;                     ///< by thread, by place
  std::set<std::pair<std::uint32_t, PlaceNumber>> waiting_;  ///< by rank
  std::vector<std::vector<BackwardTurn>> rounds_;  ///< the last round first, turns by thread
  std::size_t thread_ = 0;                         ///< whose turn it is
  std::uint64_t time_ = 0;
  bool hits_start_ = false;
  bool closed_ = false;
  DiagramWork work_;
};

/// A run from the start to a failure. Precondition: failures alone were looked for, and the search
/// hits the start.
answer::ProgramRun run_of(const BackwardSearch& search);

}  // namespace heddle::engine::context
