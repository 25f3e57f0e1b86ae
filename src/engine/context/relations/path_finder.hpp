#pragma once

#include <vector>

#include "engine/context/relations/thread_analysis.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::engine::context {

using model::boolean::Valuation;

/// The shared states with which a thread's turns begin and end, from round 1 on.
struct Interface {
  std::vector<Valuation> inputs;
  std::vector<Valuation> outputs;  ///< may lack the last one
};

/// A single fact, but for the interface.
struct Fact {
  NodeId node;
  std::uint32_t entered = 1;
  std::uint32_t round = 1;
  Valuation entry = 0;
  Valuation parameters = 0;
  Valuation shared = 0;
  Valuation local = 0;
};

/// A step of the thread, in a round.
struct Move {
  EdgeId edge;
  model::boolean::NextValues outcome;
  std::uint32_t round = 1;
};

/// Words of variables in sets of valuations.
class Words {
 public:
  explicit Words(const System& system) : system_(system) {}
  Bdd cube(Family family, std::uint32_t round, Valuation values) const;
  Bdd cube(Family family, Valuation values) const { return cube(family, 0, values); }
  /// The copy's variables outside of `open`.
  Bdd cube_but(Family family, Valuation values, Valuation open) const;
  Valuation read(const std::vector<bool>& picked, Family family, std::uint32_t round = 0) const;

 private:
  const System& system_;
};

/// Finds how a thread comes to its facts, given its interface: backwards along the rings, since
/// each fact follows from facts of earlier rings. path_finder.cpp has the cases.
class PathFinder {
 public:
  PathFinder(const System& system, const ThreadAnalysis& thread, Interface interface)
      : system_(system), thread_(thread), interface_(std::move(interface)), words_(system) {}

  /// The thread's steps up to a failure in the round.
  std::vector<Move> to_failure(std::uint32_t round) const;
  /// The thread's steps in all rounds of the interface.
  std::vector<Move> to_effect() const;

 private:
  /// A call that has returned, and whose entry is still to be found.
  struct OpenCall {
    EdgeId edge;
    Fact caller;
  };
  std::vector<Move> path_to(Fact fact) const;
  std::vector<Move> path_from_start(const Spot& spot, const Bdd& facts) const;
  Bdd facts_before(NodeId node, std::uint32_t entered, std::uint32_t round,
                   std::uint64_t time) const;
  Bdd prefix(std::uint32_t round) const;
  Bdd frame(const Fact& fact) const;
  Bdd all_of(const Fact& fact) const;
  std::uint64_t time_of(const Fact& fact, const Bdd& facts) const;
  bool is_entry(const Fact& fact) const;
  bool was_idle(std::uint32_t round) const;
  Fact read(const Spot& spot, const Bdd& facts) const;

  /// Each finds what the fact follows from by its rule, puts the moves in reverse order behind
  /// `moves` and the earlier fact in place of `fact`; false if it does not follow by the rule. From
  /// behind a call that is the fact at the callee's exit, and the call is put behind `open`.
  bool back_to_caller(Fact& fact, std::vector<Move>& moves) const;
  bool back_over_turn(Fact& fact) const;
  bool back_over_step(Fact& fact, std::uint64_t time, std::vector<Move>& moves) const;
  bool back_over_call(Fact& fact, std::uint64_t time, std::vector<Move>& moves,
                      std::vector<OpenCall>& open) const;
  bool back_over_call(Fact& fact, std::uint64_t time, EdgeId call, std::uint32_t called,
                      std::vector<Move>& moves, std::vector<OpenCall>& open) const;
  Bdd returning(const Fact& fact, std::uint64_t time, EdgeId call, std::uint32_t called,
                EdgeId exit) const;
  Bdd after_step(const Fact& fact, const FlowEdge& edge) const;

  const System& system_;
  const ThreadAnalysis& thread_;
  Interface interface_;
  Words words_;
};

}  // namespace heddle::engine::context
