#pragma once

/// Steps on flow graphs, naively: explicit states, one thread after the other. It replays evidence,
/// and is tested, together with the graphs, against what programs mean (semantics.hpp).

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/boolean_program/flow.hpp"

namespace heddle::model::boolean {

/// A procedure that waits for a call to return.
struct Caller {
  NodeId node;  ///< the call's
  Valuation values = 0;
  friend auto operator<=>(const Caller&, const Caller&) = default;
};

struct ThreadConfiguration {
  NodeId node;
  Valuation values = 0;
  std::vector<Caller> callers = {};  ///< outermost first; empty if calls are unfolded
  friend auto operator<=>(const ThreadConfiguration&, const ThreadConfiguration&) = default;
};

struct State {
  Valuation shared = 0;
  std::vector<ThreadConfiguration> threads;
  friend auto operator<=>(const State&, const State&) = default;
};

/// What an edge does to the shared state and to the thread that takes it, and the local variables
/// of the thread that it creates or of the procedure that it calls, or the results that it returns
/// (0 otherwise). Of a Call or a Return, `local` is what the thread leaves behind.
struct NextValues {
  Valuation shared = 0;
  Valuation local = 0;
  Valuation child = 0;
  friend auto operator<=>(const NextValues&, const NextValues&) = default;
};

/// One step of a run. `shared`, `local` and `child` are the values afterwards.
struct Step {
  std::uint32_t thread = 0;
  EdgeId edge;
  NextValues outcome;
  std::optional<std::uint32_t> woken;  ///< the thread that a Signal wakes
  /// The local variables of other threads afterwards, where a passive value leaves a choice. A
  /// thread that is not listed has chosen 0 for each `*`.
  std::vector<std::pair<std::uint32_t, Valuation>> others;
  friend bool operator==(const Step&, const Step&) = default;
};

/// Every outcome of the edge from these values, once each, until `visit` says no. Exponential in
/// the number of `*` that matter.
void for_each_outcome(const FlowEdge& edge, Valuation shared, Valuation local,
                      const std::function<bool(const NextValues&)>& visit);

/// What is wanted of an outcome.
struct Wanted {
  Cube shared;
  Cube local;
  Cube child;
};

/// An outcome as wanted, if there is one. Fast unless guards and constraints are puzzles.
std::optional<NextValues> find_outcome(const FlowEdge& edge, Valuation shared, Valuation local,
                                       const Wanted& wanted);

/// Every valuation that the edge's passive assignments can give to a receiver with these local
/// variables, sorted. `active` knows what the values mention of the active thread. Exponential in
/// the number of `*` that matter.
std::vector<Valuation> received_values(const FlowEdge& edge, const Knowledge& active,
                                       Valuation receiver);

/// The state after the step; the error says why it is impossible.
std::expected<State, std::string> take(const Flow& flow, const State& state, const Step& step);

/// Completes a step that says who takes which edge with which outcome: every choice of the thread
/// that a signal wakes and of the values that others receive, until `visit` says no.
void for_each_completion(const Flow& flow, const State& state, const Step& step,
                         const std::function<bool(const Step&, const State&)>& visit);

/// Every step that is possible, with the state after it.
void for_each_step(const Flow& flow, const State& state,
                   const std::function<void(const Step&, const State&)>& visit);

bool has_failed(const Flow& flow, const State& state);

struct RunLimits {
  std::size_t max_threads = 4;  ///< states with more are looked at, but not expanded
  std::size_t max_states = 200'000;
};

struct RunResult {
  std::optional<std::vector<Step>> failure;  ///< a shortest run that fails
  State initial;                             ///< of that run
  bool exact = true;                         ///< nothing was cut off by the limits
};

/// Breadth first from `threads` threads at the start of main. Precondition: calls are unfolded.
RunResult explore(const Flow& flow, std::size_t threads, const RunLimits& limits);

/// Every initial state with this number of threads, up to the order of threads. If the program
/// lists its threads, these are the threads, whatever the number.
std::vector<State> initial_states(const Flow& flow, std::size_t threads);

struct RoundLimits {
  std::size_t max_depth = 4;  ///< states with more callers in a thread are dropped
  std::size_t max_states = 20'000;
};

/// As `explore`, but up to a number of rounds: in each of them every thread, in the order of their
/// numbers, makes any number of steps in a row. `failure` ends in the first round and, in that, in
/// the first turn that can fail. `exact` as long as no state was dropped.
RunResult explore_rounds(const Flow& flow, std::size_t threads, std::size_t rounds,
                         const RoundLimits& limits);

/// Into how few rounds the run can be cut.
std::size_t round_count(const std::vector<Step>& steps);

}  // namespace heddle::model::boolean
