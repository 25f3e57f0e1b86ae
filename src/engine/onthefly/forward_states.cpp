#include "engine/onthefly/forward_states.hpp"

/// Backward search takes long to find a run of five threads of which four each have done their
/// part of the shared state: the demands are met in any order, and each order has elements of its
/// own. On a coarse graph, the states that five threads reach are often few, up to the order of the
/// threads, and going forward finds the run at once.
///
/// States are stored with sorted threads, each with the step that has led to it. The run is made
/// from them by following which thread of the stored state is which thread of the run.

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "model/boolean_program/interpreter.hpp"

namespace heddle::engine::onthefly {

namespace {

using answer::ProgramRun;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::bit;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NextValues;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::Valuation;

/// Variables that a statement reads or assigns.
struct Mentioned {
  Valuation shared;
  Valuation local;

  explicit Mentioned(const Flow& flow) {
    const auto read = [&](const Atom& a) {
      if (a.kind == AtomKind::Shared || a.kind == AtomKind::NextShared) shared |= bit(a.index);
      const bool of_thread = a.kind == AtomKind::Local || a.kind == AtomKind::NextLocal ||
                             a.kind == AtomKind::Receiver;
      if (of_thread) local |= bit(a.index);
    };
    for (const FlowEdge& edge : flow.edges) {
      for_each_atom(edge.guard, read);
      for_each_atom(edge.constraint, read);
      for (const auto* list : {&edge.shared, &edge.local, &edge.child_values, &edge.passive})
        for (const auto& assignment : *list) {
          for_each_atom(assignment.value, read);
          (list == &edge.shared ? shared : local) |= bit(assignment.index);
        }
    }
  }
};

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::uint64_t out = 0x9e3779b97f4a7c15u;
    const auto mix = [&](std::uint64_t word) {
      out = (out ^ word) * 0xff51afd7ed558ccdu;
      out ^= out >> 32;
    };
    mix(state.shared.low_word());
    mix(state.shared.high_word());
    for (const auto& thread : state.threads) {
      mix(thread.node.value);
      mix(thread.values.low_word());
      mix(thread.values.high_word());
    }
    return out;
  }
};

/// Sorts the threads; where each of them came from.
std::vector<std::uint32_t> sort_threads(State& state) {
  std::vector<std::uint32_t> order(state.threads.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return state.threads[i]; });
  std::vector<model::boolean::ThreadConfiguration> threads;
  for (const std::uint32_t i : order) threads.push_back(std::move(state.threads[i]));
  state.threads = std::move(threads);
  return order;
}

class ForwardStates {
 public:
  ForwardStates(const Flow& flow, std::size_t threads, std::size_t most_states,
                base::RunContext& context)
      : flow_(flow),
        edges_(flow.edges_by_source()),
        threads_(threads),
        most_(most_states),
        context_(context) {}

  std::optional<ProgramRun> run() {
    for (State& state : initial_states(flow_, threads_)) meet(std::move(state), kNone, {});
    for (std::size_t i = 0; i < queue_.size() && !failed_; ++i) {
      if (queue_.size() > most_ || context_.step()) return std::nullopt;
      if (queue_[i]->first.threads.size() <= 2 * threads_) expand(i);
    }
    return failed_ ? std::optional(run_to(*failed_)) : std::nullopt;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  /// How a state was found.
  struct Link {
    std::size_t parent = kNone;
    Step step;  ///< of the parent's threads
  };
  using Entry = std::pair<const State, Link>;

  void meet(State state, std::size_t parent, const Step& step) {
    if (failed_) return;
    sort_threads(state);
    const auto [it, is_new] = links_.try_emplace(std::move(state), Link{parent, step});
    if (!is_new) return;
    if (has_failed(flow_, it->first)) failed_ = queue_.size();
    queue_.push_back(&*it);
  }

  void expand(std::size_t number) {
    const State& state = queue_[number]->first;
    for (std::uint32_t k = 0; k < state.threads.size(); ++k) {
      if (k > 0 && state.threads[k] == state.threads[k - 1]) continue;
      for (const EdgeId edge : edges_[state.threads[k].node.index()])
        for_each_outcome(flow_.edges[edge.index()], state.shared, state.threads[k].values,
                         [&](const NextValues& outcome) {
                           for_each_completion(flow_, state, {k, edge, outcome, std::nullopt, {}},
                                               [&](const Step& step, const State& after) {
                                                 meet(after, number, step);
                                                 return !failed_;
                                               });
                           return !failed_;
                         });
    }
  }

  ProgramRun run_to(std::size_t number) const {
    std::vector<const Entry*> entries;
    for (; number != kNone; number = queue_[number]->second.parent)
      entries.push_back(queue_[number]);
    std::ranges::reverse(entries);
    ProgramRun out{entries.front()->first, {}};
    State state = out.initial;
    std::vector<std::uint32_t> thread(state.threads.size());  // of the run, by stored thread
    std::iota(thread.begin(), thread.end(), 0u);
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const Step& stored = entries[i]->second.step;
      State after = *take(flow_, entries[i - 1]->first, stored);
      while (thread.size() < after.threads.size())
        thread.push_back(static_cast<std::uint32_t>(thread.size()));
      Step step = stored;
      step.thread = thread[stored.thread];
      if (stored.woken) step.woken = thread[*stored.woken];
      for (auto& other : step.others) other.first = thread[other.first];
      std::ranges::sort(step.others);
      out.steps.push_back(std::move(step));
      std::vector<std::uint32_t> sorted;
      for (const std::uint32_t from : sort_threads(after)) sorted.push_back(thread[from]);
      thread = std::move(sorted);
    }
    return out;
  }

  const Flow& flow_;
  std::vector<std::vector<EdgeId>> edges_;
  std::size_t threads_;
  std::size_t most_;
  base::RunContext& context_;
  std::unordered_map<State, Link, StateHash> links_;
  std::vector<const Entry*> queue_;
  std::optional<std::size_t> failed_;
};

/// Without the threads that do nothing, as far as there may be fewer.
ProgramRun without_idle(const Flow& flow, const std::vector<model::ThreadsInMain>& initial,
                        ProgramRun run) {
  const bool assigns_to_others =
      std::ranges::any_of(flow.edges, [](const FlowEdge& edge) { return !edge.passive.empty(); });
  if (assigns_to_others || flow.lists_threads) return run;
  std::vector<bool> acts(run.initial.threads.size());
  for (const Step& step : run.steps) {
    if (step.thread < acts.size()) acts[step.thread] = true;
    if (step.woken && *step.woken < acts.size()) acts[*step.woken] = true;
  }
  const auto active = static_cast<std::uint32_t>(std::ranges::count(acts, true));
  if (std::ranges::none_of(initial, [&](const auto& asked) { return asked.allows(active); }))
    return run;
  std::vector<std::uint32_t> number(acts.size());
  std::vector<model::boolean::ThreadConfiguration> threads;
  for (std::size_t i = 0; i < acts.size(); ++i) {
    number[i] = static_cast<std::uint32_t>(threads.size());
    if (acts[i]) threads.push_back(run.initial.threads[i]);
  }
  const auto idle = static_cast<std::uint32_t>(acts.size() - threads.size());
  const auto renamed = [&](std::uint32_t i) { return i < number.size() ? number[i] : i - idle; };
  run.initial.threads = std::move(threads);
  for (Step& step : run.steps) {
    step.thread = renamed(step.thread);
    if (step.woken) step.woken = renamed(*step.woken);
  }
  return run;
}

}  // namespace

std::optional<Flow> with_few_starts(Flow flow, std::size_t threads) {
  constexpr std::size_t kMostOpen = 14;
  const Mentioned mentioned(flow);
  flow.initial_shared.mask |= ~mentioned.shared;
  flow.initial_local.mask |= ~mentioned.local;
  const auto open = [](const Cube& cube, std::size_t variables) {
    return (Valuation::first(variables) & ~cube.mask).count();
  };
  const std::size_t all = open(flow.initial_shared, flow.shared_names.size()) +
                          threads * open(flow.initial_local, flow.local_count);
  if (all > kMostOpen) return std::nullopt;
  return flow;
}

std::optional<ProgramRun> failing_run(const Flow& flow,
                                      const std::vector<model::ThreadsInMain>& initial,
                                      std::size_t threads, std::size_t most_states,
                                      base::RunContext& context) {
  const auto few = with_few_starts(flow, threads);
  if (!few) return std::nullopt;
  auto run = ForwardStates(*few, threads, most_states, context).run();
  if (!run) return std::nullopt;
  return without_idle(flow, initial, *std::move(run));
}

}  // namespace heddle::engine::onthefly
