#include "engine/onthefly/symbolic_run.hpp"

/// Every variable has a literal for its value now; an assignment gives it another one. A step reads
/// hidden variables through a literal of its own, which is the variable's value if its *selector*
/// holds and anything otherwise. So under the selectors of some variables the formula says what the
/// program with these variables seen, and the others hidden, can do along the run; which selectors
/// a refutation needs is which variables have to be seen. What a step demands holds if the step's
/// own literal does, so that steps can be taken back.

#include <algorithm>

namespace heddle::engine::onthefly {

using model::boolean::Assignment;
using model::boolean::AtomKind;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::Formula;
using model::boolean::NodeId;
using model::boolean::Valuation;
using solver::Literal;
using solver::SatAnswer;

SymbolicRun::SymbolicRun(const Flow& flow, const model::boolean::Abstraction& abstraction,
                         std::size_t threads, const base::RunContext& context)
    : flow_(flow),
      abstraction_(abstraction),
      context_(context),
      true_(solver_.new_variable()),
      shared_selectors_(flow.shared_names.size()),
      local_selectors_(flow.local_count) {
  clause({true_});
  now_.shared = first_values(flow.initial_shared, flow.shared_names.size());
  for (std::size_t i = 0; i < threads; ++i)
    now_.threads.push_back({flow.start, first_values(flow.initial_local, flow.local_count)});
  first_ = now_;
}

SymbolicRun::Literals SymbolicRun::first_values(const Cube& initial, std::size_t count) {
  Literals out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto value = initial[i];
    out.push_back(!value ? fresh() : *value ? true_ : -true_);
  }
  return out;
}

Literal SymbolicRun::selector(bool shared, std::uint32_t index) {
  Literal& out = (shared ? shared_selectors_ : local_selectors_)[index];
  if (out == 0) out = fresh();
  return out;
}

Literal SymbolicRun::read(Reading& reading, AtomKind kind, std::uint32_t index) {
  const bool shared = kind == AtomKind::Shared;
  const bool receiver = kind == AtomKind::Receiver;
  const std::uint32_t thread = receiver ? *reading.receiver : reading.thread;
  const Literal now = shared ? now_.shared[index] : now_.threads[thread].local[index];
  if ((shared ? abstraction_.shared : abstraction_.local)[index]) return now;
  Literals& known = shared ? reading.shared : receiver ? reading.received : reading.local;
  Literal& out = known[index];
  if (out == 0) {
    out = fresh();
    const Literal chosen = selector(shared, index);
    clause({-chosen, -out, now});
    clause({-chosen, out, -now});
  }
  return out;
}

/// A literal that is equivalent to the formula (Tseitin).
Literal SymbolicRun::literal_of(const Formula& f, Reading& reading) {
  const auto operand = [&](std::size_t i) { return literal_of(f.operands[i], reading); };
  switch (f.kind) {
    case Formula::Kind::True: return true_;
    case Formula::Kind::False: return -true_;
    case Formula::Kind::Not: return -operand(0);
    case Formula::Kind::Atom:
      switch (f.atom.kind) {
        case AtomKind::Shared:
        case AtomKind::Local:
        case AtomKind::Receiver: return read(reading, f.atom.kind, f.atom.index);
        case AtomKind::NextShared: return (*reading.next_shared)[f.atom.index];
        case AtomKind::NextLocal: return (*reading.next_local)[f.atom.index];
        case AtomKind::Choice: return reading.choices[f.atom.index];
      }
      return true_;
    default: break;
  }
  const Literal a = operand(0);
  const Literal b = operand(1);
  const Literal out = fresh();
  switch (f.kind) {
    case Formula::Kind::And:
      clause({-out, a});
      clause({-out, b});
      clause({out, -a, -b});
      break;
    case Formula::Kind::Or:
      clause({out, -a});
      clause({out, -b});
      clause({-out, a, b});
      break;
    case Formula::Kind::Equal:
      clause({-out, -a, b});
      clause({-out, a, -b});
      clause({out, a, b});
      clause({out, -a, -b});
      break;
    default: {
      const Literal c = operand(2);
      clause({-a, -b, out});
      clause({-a, b, -out});
      clause({a, -c, out});
      clause({a, c, -out});
    }
  }
  return out;
}

void SymbolicRun::assign(Literals& values, const std::vector<Assignment>& assignments,
                         Reading& reading) {
  for (const Assignment& assignment : assignments)
    values[assignment.index] = literal_of(assignment.value, reading);
}

void SymbolicRun::push(std::uint32_t thread, EdgeId which, std::optional<std::uint32_t> woken) {
  const FlowEdge& edge = flow_.edges[which.index()];
  Taken taken{thread, which, woken, {}, fresh(), now_};
  Reading reading{thread, {}, Literals(now_.shared.size()), Literals(flow_.local_count)};
  for (std::uint32_t i = 0; i < edge.choices; ++i) reading.choices.push_back(fresh());
  clause({-taken.active, literal_of(edge.guard, reading)});
  Literals shared = now_.shared;
  Literals local = now_.threads[thread].local;
  assign(shared, edge.shared, reading);
  assign(local, edge.local, reading);
  if (edge.kind == EdgeKind::Spawn) {
    taken.child = now_.threads[thread].local;
    assign(taken.child, edge.child_values, reading);
  }
  if (edge.constraint.kind != Formula::Kind::True) {
    // A variable that is not assigned is read like any other.
    Literals next_shared = shared;
    Literals next_local = local;
    for_each_atom(edge.constraint, [&](const model::boolean::Atom& a) {
      const bool is_shared = a.kind == AtomKind::NextShared;
      if (!is_shared && a.kind != AtomKind::NextLocal) return;
      const auto& list = is_shared ? edge.shared : edge.local;
      if (std::ranges::find(list, a.index, &Assignment::index) == list.end())
        (is_shared ? next_shared : next_local)[a.index] =
            read(reading, is_shared ? AtomKind::Shared : AtomKind::Local, a.index);
    });
    reading.next_shared = &next_shared;
    reading.next_local = &next_local;
    clause({-taken.active, literal_of(edge.constraint, reading)});
  }
  move_others(edge, taken);
  now_.shared = std::move(shared);
  now_.threads[thread] = {edge.target, std::move(local)};
  if (edge.kind == EdgeKind::Spawn) now_.threads.push_back({edge.child, taken.child});
  steps_.push_back(std::move(taken));
}

void SymbolicRun::move_others(const FlowEdge& edge, const Taken& taken) {
  for (std::uint32_t i = 0; i < now_.threads.size(); ++i) {
    if (i == taken.thread) continue;
    Thread& other = now_.threads[i];
    const FlowNode& node = flow_.nodes[other.node.index()];
    const bool all = edge.kind == EdgeKind::Broadcast;
    if (!edge.passive.empty() && flow_.root_of(other.node) == flow_.root_of(edge.source))
      other.local = received(edge, taken.thread, i);
    if (node.waits && node.condition == edge.condition && (all || taken.woken == i))
      other.node = node.woken;
  }
}

SymbolicRun::Literals SymbolicRun::received(const FlowEdge& edge, std::uint32_t active,
                                            std::uint32_t receiver) {
  Reading reading{active, {}, Literals(now_.shared.size()), Literals(flow_.local_count)};
  reading.receiver = receiver;
  reading.received = Literals(flow_.local_count);
  for (std::uint32_t i = 0; i < edge.passive_choices; ++i) reading.choices.push_back(fresh());
  Literals out = now_.threads[receiver].local;
  assign(out, edge.passive, reading);
  return out;
}

void SymbolicRun::push_wake(std::uint32_t thread) {
  steps_.push_back({thread, std::nullopt, std::nullopt, {}, fresh(), now_});
  Thread& waiting = now_.threads[thread];
  waiting.node = flow_.nodes[waiting.node.index()].woken;
}

std::size_t SymbolicRun::wakes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(steps_, [](const Taken& step) { return !step.edge; }));
}

Valuation SymbolicRun::woken_conditions() const {
  Valuation out;
  for (const Taken& step : steps_)
    if (!step.edge) {
      const NodeId node = step.before.threads[step.thread].node;
      out |= model::boolean::bit(flow_.nodes[node.index()].condition);
    }
  return out;
}

void SymbolicRun::pop() {
  now_ = std::move(steps_.back().before);
  steps_.pop_back();
}

SatAnswer SymbolicRun::solve() {
  Literals assumptions;
  for (const auto* list : {&shared_selectors_, &local_selectors_})
    for (const Literal literal : *list)
      if (literal != 0) assumptions.push_back(literal);
  for (const Taken& step : steps_) assumptions.push_back(step.active);
  return solver_.solve(assumptions, context_);
}

Conflict SymbolicRun::conflict() const {
  Literals core;
  for (const auto* list : {&shared_selectors_, &local_selectors_})
    for (const Literal literal : *list)
      if (literal != 0 && solver_.was_needed(literal)) core.push_back(literal);
  for (const Taken& step : steps_)
    if (solver_.was_needed(step.active)) core.push_back(step.active);
  return named(std::move(core));
}

Conflict SymbolicRun::named(Literals core) const {
  Conflict out;
  const auto is_needed = [&](Literal literal) {
    return literal != 0 && std::ranges::find(core, literal) != core.end();
  };
  for (std::uint32_t i = 0; i < shared_selectors_.size(); ++i)
    if (is_needed(shared_selectors_[i])) out.variables.shared |= model::boolean::bit(i);
  for (std::uint32_t i = 0; i < local_selectors_.size(); ++i)
    if (is_needed(local_selectors_[i])) out.variables.local |= model::boolean::bit(i);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (is_needed(steps_[i].active)) out.steps.push_back(i);
  out.core = std::move(core);
  return out;
}

Conflict SymbolicRun::reduce(const Conflict& conflict) {
  Literals core = conflict.core;
  for (const auto* selectors : {&local_selectors_, &shared_selectors_})
    for (const Literal selector : *selectors) {
      const auto it = std::ranges::find(core, selector);
      if (selector == 0 || it == core.end()) continue;
      Literals fewer = core;
      fewer.erase(fewer.begin() + (it - core.begin()));
      if (solver_.solve(fewer, context_) != SatAnswer::Unsatisfiable) continue;
      std::erase_if(fewer, [&](Literal literal) { return !solver_.was_needed(literal); });
      core = std::move(fewer);
    }
  return named(std::move(core));
}

bool SymbolicRun::value(Literal literal) const {
  return literal > 0 ? solver_.value(literal) : !solver_.value(-literal);
}

Valuation SymbolicRun::valuation(const Literals& literals) const {
  Valuation out;
  for (std::uint32_t i = 0; i < literals.size(); ++i)
    if (value(literals[i])) out |= model::boolean::bit(i);
  return out;
}

answer::ProgramRun SymbolicRun::values() const {
  answer::ProgramRun run;
  run.initial.shared = valuation(first_.shared);
  for (const Thread& thread : first_.threads)
    run.initial.threads.push_back({thread.node, valuation(thread.local)});
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Taken& taken = steps_[i];
    const FlowEdge& edge = flow_.edges[taken.edge->index()];
    const Values& after = i + 1 < steps_.size() ? steps_[i + 1].before : now_;
    model::boolean::Step step{taken.thread, *taken.edge, {}, taken.woken, {}};
    step.outcome.shared = valuation(after.shared);
    step.outcome.local = valuation(after.threads[taken.thread].local);
    step.outcome.child = valuation(taken.child);
    if (edge.passive_choices > 0)
      for (std::uint32_t k = 0; k < taken.before.threads.size(); ++k)
        if (k != taken.thread &&
            flow_.root_of(taken.before.threads[k].node) == flow_.root_of(edge.source))
          step.others.emplace_back(k, valuation(after.threads[k].local));
    run.steps.push_back(std::move(step));
  }
  return run;
}

}  // namespace heddle::engine::onthefly
