#include "model/boolean_program/interpreter.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::model::boolean {

namespace {

/// Chooses values for the `*` of one edge, one after the other, until all that matters is known.
class OutcomeSearch {
 public:
  OutcomeSearch(const FlowEdge& edge, Valuation shared, Valuation local, const Wanted& wanted,
                const std::function<bool(const NextValues&)>& visit)
      : edge_(edge), shared_(shared), local_(local), wanted_(wanted), visit_(visit) {}

  void run() {
    Knowledge known;
    known.shared = Cube::only(shared_);
    known.local = Cube::only(local_);
    search(known);
  }

 private:
  /// False: `visit` wants no more.
  bool search(Knowledge known) {
    known.next_shared = after(edge_.shared, shared_, known);
    known.next_local = after(edge_.local, local_, known);
    const Cube child =
        after(edge_.child_values, edge_.kind == EdgeKind::Spawn ? local_ : Valuation(), known);
    const auto guard = evaluate(edge_.guard, known);
    const auto constraint = evaluate(edge_.constraint, known);
    if (guard == false || constraint == false) return true;
    if (!known.next_shared.meets(wanted_.shared) || !known.next_local.meets(wanted_.local) ||
        !child.meets(wanted_.child))
      return true;
    constexpr Valuation kAll = ~Valuation();
    if (guard && constraint && known.next_shared.mask == kAll && known.next_local.mask == kAll &&
        child.mask == kAll)
      return report({known.next_shared.value, known.next_local.value, child.value});
    const std::uint32_t unknown = first_open_choice(known);
    for (const bool value : {false, true}) {
      known.choices = known.choices.with(unknown, value);
      if (!search(known)) return false;
    }
    return true;
  }

  static Cube after(const std::vector<Assignment>& assignments, Valuation before,
                    const Knowledge& known) {
    Cube cube = Cube::only(before);
    for (const Assignment& assignment : assignments) {
      const auto value = evaluate(assignment.value, known);
      cube = value ? cube.with(assignment.index, *value) : cube.without(bit(assignment.index));
    }
    return cube;
  }

  static std::uint32_t first_open_choice(const Knowledge& known) {
    return (~known.choices.mask).lowest();
  }

  bool report(const NextValues& outcome) {
    return !seen_.insert(outcome).second || visit_(outcome);
  }

  const FlowEdge& edge_;
  Valuation shared_;
  Valuation local_;
  const Wanted& wanted_;
  const std::function<bool(const NextValues&)>& visit_;
  std::set<NextValues> seen_;
};

/// The active thread goes on in the procedure that it calls.
void enter(const FlowEdge& call, const NextValues& outcome, ThreadConfiguration& thread) {
  thread.callers.push_back({call.source, outcome.local});
  thread.node = call.child;
  thread.values = outcome.child;
}

/// The active thread goes on where the procedure was called; the call's variables get the results.
void leave(const Flow& flow, const NextValues& outcome, ThreadConfiguration& thread,
           Valuation& shared) {
  const Caller caller = thread.callers.back();
  thread.callers.pop_back();
  const FlowEdge& call = flow.call_at(caller.node);
  thread.node = call.target;
  thread.values = caller.values;
  for (std::uint32_t i = 0; i < call.received.size(); ++i) {
    if (!call.received[i]) continue;
    Valuation& values = call.received[i]->kind == AtomKind::Local ? thread.values : shared;
    const Valuation which = bit(call.received[i]->index);
    values = outcome.child[i] ? values | which : values & ~which;
  }
}

bool waits_for(const Flow& flow, const ThreadConfiguration& thread, std::uint32_t condition) {
  const FlowNode& node = flow.nodes[thread.node.index()];
  return node.waits && node.condition == condition;
}

void wake(const Flow& flow, ThreadConfiguration& thread) {
  thread.node = flow.nodes[thread.node.index()].woken;
}

/// Do the edge's passive assignments reach the thread?
bool receives(const Flow& flow, const FlowEdge& edge, const ThreadConfiguration& other) {
  return !edge.passive.empty() && flow.root_of(edge.source) == flow.root_of(other.node);
}

Knowledge sent_by(const ThreadConfiguration& active, Valuation shared) {
  Knowledge known;
  known.shared = Cube::only(shared);
  known.local = Cube::only(active.values);
  return known;
}

/// The receiver's variables after the passive assignments, as far as they are known.
Cube received(const FlowEdge& edge, const Knowledge& known) {
  Cube out = known.receiver;
  for (const Assignment& passive : edge.passive) {
    const auto value = evaluate(passive.value, known);
    out = value ? out.with(passive.index, *value) : out.without(bit(passive.index));
  }
  return out;
}

void choose_received(const FlowEdge& edge, const Knowledge& known, std::set<Valuation>& out) {
  const Cube values = received(edge, known);
  if (values.mask == ~Valuation()) {
    out.insert(values.value);
    return;
  }
  const auto open = std::ranges::find_if(
      edge.passive, [&](const Assignment& passive) { return !evaluate(passive.value, known); });
  const Atom unknown = first_unknown(open->value, known);
  for (const bool value : {false, true}) {
    Knowledge more = known;
    more.set(unknown, value);
    choose_received(edge, more, out);
  }
}

/// Can the receiver's choices give it these values?
bool can_receive(const FlowEdge& edge, Knowledge known, Valuation receiver, Valuation after) {
  known.receiver = Cube::only(receiver);
  Formula as_wanted = constant(true);
  Valuation assigned = 0;
  for (const Assignment& passive : edge.passive) {
    assigned |= bit(passive.index);
    as_wanted =
        conjunction(std::move(as_wanted), equality(passive.value, constant(after[passive.index])));
  }
  return (receiver & ~assigned) == (after & ~assigned) && satisfiable(as_wanted, known);
}

/// All threads but the active one take their part in the step; an error if the step's choices for
/// them are not possible.
std::optional<std::string> move_others(const Flow& flow, const State& before, const Step& step,
                                       State& after) {
  const FlowEdge& edge = flow.edges[step.edge.index()];
  const Knowledge sent = sent_by(before.threads[step.thread], before.shared);
  for (std::size_t i = 0; i < before.threads.size(); ++i) {
    if (i == step.thread) continue;
    ThreadConfiguration& other = after.threads[i];
    const bool is_receiver = receives(flow, edge, other);
    const auto chosen =
        std::ranges::find(step.others, i, &std::pair<std::uint32_t, Valuation>::first);
    if (chosen != step.others.end()) {
      const bool possible = is_receiver ? can_receive(edge, sent, other.values, chosen->second)
                                        : chosen->second == other.values;
      if (!possible) return "thread " + std::to_string(i) + " cannot have these values afterwards";
      other.values = chosen->second;
    } else if (is_receiver) {
      Knowledge known = sent;
      known.receiver = Cube::only(other.values);
      known.choices = Cube::only(0);
      other.values = received(edge, known).value;
    }
    if (edge.kind == EdgeKind::Broadcast && waits_for(flow, other, edge.condition))
      wake(flow, other);
  }
  return std::nullopt;
}

std::optional<std::string> wake_one(const Flow& flow, const Step& step, State& after) {
  const FlowEdge& edge = flow.edges[step.edge.index()];
  const auto is_waiting = [&](std::size_t i) {
    return i != step.thread && waits_for(flow, after.threads[i], edge.condition);
  };
  if (step.woken) {
    if (*step.woken >= after.threads.size() || !is_waiting(*step.woken))
      return "the thread that should wake does not wait";
    wake(flow, after.threads[*step.woken]);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < after.threads.size(); ++i)
    if (is_waiting(i)) return "a signal wakes a thread if one waits";
  return std::nullopt;
}

bool has_outcome(const FlowEdge& edge, Valuation shared, Valuation local,
                 const NextValues& outcome) {
  const Wanted exactly{Cube::only(outcome.shared), Cube::only(outcome.local),
                       Cube::only(outcome.child)};
  return find_outcome(edge, shared, local, exactly).has_value();
}

/// Every way in which receivers can choose, as the `others` of a step.
/// False: `visit` wants no more.
bool for_each_choice_of_others(const Flow& flow, const State& state, const Step& step,
                               std::size_t thread, Step& building,
                               const std::function<bool(const Step&)>& visit) {
  if (thread == state.threads.size()) return visit(building);
  const FlowEdge& edge = flow.edges[step.edge.index()];
  const auto next = [&] {
    return for_each_choice_of_others(flow, state, step, thread + 1, building, visit);
  };
  if (thread == step.thread || !receives(flow, edge, state.threads[thread])) return next();
  const auto values = received_values(edge, sent_by(state.threads[step.thread], state.shared),
                                      state.threads[thread].values);
  if (values.size() == 1 && edge.passive_choices == 0) return next();
  for (const Valuation& chosen : values) {
    building.others.emplace_back(static_cast<std::uint32_t>(thread), chosen);
    const bool more = next();
    building.others.pop_back();
    if (!more) return false;
  }
  return true;
}

void for_each_woken(const Flow& flow, const State& state, const Step& step,
                    const std::function<bool(const Step&)>& visit) {
  const FlowEdge& edge = flow.edges[step.edge.index()];
  if (edge.kind != EdgeKind::Signal) {
    visit(step);
    return;
  }
  bool any = false;
  for (std::uint32_t i = 0; i < state.threads.size(); ++i) {
    if (i == step.thread || !waits_for(flow, state.threads[i], edge.condition)) continue;
    Step woken = step;
    woken.woken = i;
    any = true;
    if (!visit(woken)) return;
  }
  if (!any) visit(step);
}

}  // namespace

void for_each_outcome(const FlowEdge& edge, Valuation shared, Valuation local,
                      const std::function<bool(const NextValues&)>& visit) {
  const Wanted anything;
  OutcomeSearch(edge, shared, local, anything, visit).run();
}

std::optional<NextValues> find_outcome(const FlowEdge& edge, Valuation shared, Valuation local,
                                       const Wanted& wanted) {
  std::optional<NextValues> found;
  const std::function<bool(const NextValues&)> keep_first = [&](const NextValues& outcome) {
    found = outcome;
    return false;
  };
  OutcomeSearch(edge, shared, local, wanted, keep_first).run();
  return found;
}

std::vector<Valuation> received_values(const FlowEdge& edge, const Knowledge& active,
                                       Valuation receiver) {
  Knowledge known = active;
  known.receiver = Cube::only(receiver);
  known.choices = Cube::all();
  std::set<Valuation> out;
  choose_received(edge, known, out);
  return {out.begin(), out.end()};
}

std::expected<State, std::string> take(const Flow& flow, const State& state, const Step& step) {
  if (step.edge.index() >= flow.edges.size()) return std::unexpected("there is no such edge");
  if (step.thread >= state.threads.size()) return std::unexpected("there is no such thread");
  const FlowEdge& edge = flow.edges[step.edge.index()];
  const ThreadConfiguration& active = state.threads[step.thread];
  if (active.node != edge.source) return std::unexpected("the thread is not where the edge starts");
  if (!has_outcome(edge, state.shared, active.values, step.outcome))
    return std::unexpected("the statement '" + edge.text + "' has no such outcome here");
  State after = state;
  if (auto why = move_others(flow, state, step, after)) return std::unexpected(*why);
  if (edge.kind == EdgeKind::Signal)
    if (auto why = wake_one(flow, step, after)) return std::unexpected(*why);
  after.shared = step.outcome.shared;
  ThreadConfiguration& moved = after.threads[step.thread];
  if (edge.kind == EdgeKind::Call) {
    enter(edge, step.outcome, moved);
  } else if (edge.kind == EdgeKind::Return) {
    if (moved.callers.empty()) return std::unexpected("there is nothing to return to");
    leave(flow, step.outcome, moved, after.shared);
  } else {
    moved.node = edge.target;
    moved.values = step.outcome.local;
  }
  if (edge.kind == EdgeKind::Spawn) after.threads.push_back({edge.child, step.outcome.child});
  return after;
}

void for_each_completion(const Flow& flow, const State& state, const Step& step,
                         const std::function<bool(const Step&, const State&)>& visit) {
  for_each_woken(flow, state, step, [&](const Step& woken) {
    Step building = woken;
    return for_each_choice_of_others(flow, state, woken, 0, building, [&](const Step& complete) {
      const auto after = take(flow, state, complete);
      return !after || visit(complete, *after);
    });
  });
}

void for_each_step(const Flow& flow, const State& state,
                   const std::function<void(const Step&, const State&)>& visit) {
  for (std::uint32_t thread = 0; thread < state.threads.size(); ++thread) {
    const ThreadConfiguration& active = state.threads[thread];
    for (std::size_t e = 0; e < flow.edges.size(); ++e) {
      if (flow.edges[e].source != active.node) continue;
      for_each_outcome(flow.edges[e], state.shared, active.values, [&](const NextValues& outcome) {
        const Step step{thread, EdgeId(e), outcome, std::nullopt, {}};
        for_each_completion(flow, state, step, [&](const Step& complete, const State& after) {
          visit(complete, after);
          return true;
        });
        return true;
      });
    }
  }
}

bool has_failed(const Flow& flow, const State& state) {
  return std::ranges::any_of(state.threads, [&](const ThreadConfiguration& thread) {
    return flow.nodes[thread.node.index()].failed;
  });
}

namespace {

/// Every valuation of the first `variables` variables in the cube.
std::vector<Valuation> members(const Cube& cube, std::size_t variables) {
  std::vector<Valuation> out;
  const Valuation open = Valuation::first(variables) & ~cube.mask;
  for (Valuation pick = 0;; pick = pick.next_within(open)) {
    out.push_back(cube.value | pick);
    if (pick == open) return out;
  }
}

void add_threads(const Flow& flow, const std::vector<Valuation>& locals, std::size_t first,
                 std::size_t left, State& state, std::vector<State>& out) {
  if (left == 0) {
    out.push_back(state);
    return;
  }
  for (std::size_t i = first; i < locals.size(); ++i) {
    state.threads.push_back({flow.start, locals[i]});
    add_threads(flow, locals, i, left - 1, state, out);
    state.threads.pop_back();
  }
}

}  // namespace

std::vector<State> initial_states(const Flow& flow, std::size_t threads) {
  std::vector<State> out;
  const auto locals = members(flow.initial_local, flow.local_count);
  for (const Valuation shared : members(flow.initial_shared, flow.shared_names.size())) {
    State state{shared, {}};
    if (flow.lists_threads) {
      for (const NodeId start : flow.starts) state.threads.push_back({start, 0});
      out.push_back(state);
    } else {
      add_threads(flow, locals, 0, threads, state, out);
    }
  }
  return out;
}

RunResult explore(const Flow& flow, std::size_t threads, const RunLimits& limits) {
  struct Found {
    State state;  ///< threads in the order of the run
    std::size_t parent;
    Step step;
  };
  std::vector<Found> found;
  std::set<State> seen;
  RunResult result;
  const auto meet = [&](const State& state, std::size_t parent, const Step& step) {
    State sorted = state;
    std::ranges::sort(sorted.threads);
    if (seen.insert(std::move(sorted)).second) found.push_back({state, parent, step});
  };
  for (const State& state : initial_states(flow, threads)) meet(state, found.size(), {});
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (has_failed(flow, found[i].state)) {
      std::vector<Step> steps;
      std::size_t at = i;
      for (; found[at].parent != at; at = found[at].parent) steps.push_back(found[at].step);
      std::ranges::reverse(steps);
      result.failure = std::move(steps);
      result.initial = found[at].state;
      return result;
    }
    if (found[i].state.threads.size() > limits.max_threads || found.size() > limits.max_states) {
      result.exact = false;
      continue;
    }
    const State state = found[i].state;
    for_each_step(flow, state, [&](const Step& step, const State& after) { meet(after, i, step); });
  }
  return result;
}

}  // namespace heddle::model::boolean
