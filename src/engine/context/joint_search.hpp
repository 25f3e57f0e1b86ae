#pragma once

#include <optional>
#include <set>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/context/joint_system.hpp"

namespace heddle::engine::context {

/// Configurations that were met at the same time, in a thread's turn, with the thread at a place.
/// Each follows from some that were met before.
struct JointRing {
  std::uint64_t time = 0;
  Bdd configurations;
};

/// Round by round, turn by turn. joint_search.cpp explains it.
class JointSearch {
 public:
  explicit JointSearch(const JointSystem& system);

  /// Plays the next round, up to the first failure or the first stack that is too deep.
  std::optional<base::StopReason> play(base::RunContext& context);

  enum class End { None, Failed, CutOff };
  End end() const { return end_; }
  /// No further round leads to anything new.
  bool closed() const { return closed_; }
  std::uint32_t round() const { return static_cast<std::uint32_t>(rounds_.size()); }
  const JointSystem& system() const { return system_; }
  std::size_t last_thread() const { return thread_; }

  const std::vector<JointRing>& rings(std::size_t thread, PlaceNumber place) const {
    return spots_[thread][place].rings;
  }

  /// Sets of the rounds so far or, if nothing new can come, those of all rounds together.
  answer::ConfigurationSets certificate() const;

 private:
  struct Spot {
    Bdd reached;  ///< all that were worked off
    Bdd pending;  ///< and those that are still to be
    std::vector<JointRing> rings;
  };
  /// What a round's turns began with and led through: by thread, and then by place.
  struct Round {
    std::vector<Bdd> begins;
    std::vector<std::vector<Bdd>> reached;
  };

  std::optional<base::StopReason> play_turn(base::RunContext& context);
  void begin();
  void split(const Bdd& set, std::size_t digit, PlaceNumber place);
  void add(PlaceNumber place, const Bdd& configurations);
  void work_off(PlaceNumber place);
  void note_end(PlaceNumber place, const Bdd& configurations);
  void keep_round();

  const JointSystem& system_;
  Bdd all_;                      ///< with which a turn can begin
  Bdd ended_;                    ///< with which the current turn can end
  std::vector<Bdd> worked_off_;  ///< by thread: those among them that its turns have dealt with
  std::vector<std::vector<Spot>> spots_;                     ///< by thread, by place
  std::set<std::pair<std::uint32_t, PlaceNumber>> waiting_;  ///< by rank
  std::vector<Round> rounds_;
  std::size_t thread_ = 0;  ///< whose turn it is
  std::uint64_t time_ = 0;
  End end_ = End::None;
  bool closed_ = false;
};

/// A run that ends in the failure. Precondition: there is one.
answer::ProgramRun run_of(const JointSearch& search);

}  // namespace heddle::engine::context
