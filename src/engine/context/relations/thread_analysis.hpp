#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/run_context.hpp"
#include "engine/context/diagram_work.hpp"
#include "engine/context/system.hpp"

namespace heddle::engine::context {

/// Where facts are about: a node, the round in which its procedure was entered, the round now.
struct Spot {
  std::uint32_t round = 1;
  std::uint32_t rank = 0;  ///< of the node, so that spots are worked off in a good order
  std::uint32_t entered = 1;
  NodeId node;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

/// Facts that were met at the same time: each follows from facts that were met before.
struct Ring {
  std::uint64_t time = 0;
  Bdd facts;
};

struct Reached {
  Bdd facts;    ///< all that were worked off
  Bdd pending;  ///< and those that are still to be
  Bdd noted;    ///< those that were looked through for effects
  std::vector<Ring> rings;
};

/// What a thread, or each of several that do the same, can do in the rounds so far, if each of its
/// turns begins with a state that is allowed. thread_analysis.cpp explains the facts and the rules.
class ThreadAnalysis {
 public:
  /// `stops_at_failure`: a fact at a failed node ends the analysis.
  ThreadAnalysis(const System& system, NodeId start, bool stops_at_failure);

  /// From now on, turns are those of the next round.
  void begin_round();
  /// Allows turns, over inputs up to the round and outputs before it, besides those that were
  /// allowed before, and works all facts off.
  std::optional<base::StopReason> play(const Bdd& turns, DiagramWork& work,
                                       base::RunContext& context);

  std::uint32_t round() const { return round_; }
  NodeId start() const { return start_; }
  /// Inputs and outputs up to the round.
  const Bdd& effect(std::uint32_t round) const { return effects_[round]; }
  /// Inputs up to the current round and outputs before it with which the thread fails.
  Bdd failures() const;

  const std::map<Spot, Reached>& reached() const { return reached_; }
  const std::vector<Ring>& rings(NodeId node, std::uint32_t entered, std::uint32_t round) const;
  /// By frame, round of entry, round of return; in the caller's terms.
  using SummaryKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const std::map<SummaryKey, Bdd>& summaries() const { return summaries_; }

 private:
  Spot spot(NodeId node, std::uint32_t entered, std::uint32_t round) const {
    return {round, system_.rank(node), entered, node};
  }
  bool is_failed(NodeId node) const { return system_.flow().nodes[node.index()].failed; }
  void begin(const Bdd& turns);
  void add(const Spot& at, const Bdd& facts);
  void process_queue(const Spot& at);
  void step(const Spot& at, EdgeId edge, const Bdd& facts);
  void call(const Spot& at, EdgeId edge, const Bdd& facts);
  void leave(const Spot& at, EdgeId edge, const Bdd& facts);
  void continue_after(EdgeId call, std::uint32_t entered, std::uint32_t round, const Bdd& called,
                      const Bdd& summary);
  void note_effect(const Bdd& turns);

  const System& system_;
  NodeId start_;
  bool stops_at_failure_;
  bool failed_ = false;
  std::uint32_t round_ = 0;
  Bdd allowed_;  ///< turns of the round
  std::uint64_t time_ = 0;
  std::map<Spot, Reached> reached_;
  std::set<Spot> waiting_;
  /// Facts at a call with its arguments, by call, round of the caller's entry, round of the call.
  std::map<std::tuple<EdgeId, std::uint32_t, std::uint32_t>, Bdd> called_;
  std::map<SummaryKey, Bdd> summaries_;
  std::vector<Bdd> effects_;  ///< by round
  std::vector<Ring> no_rings_;
};

}  // namespace heddle::engine::context
