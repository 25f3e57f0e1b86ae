#include "transform/blocks/facts.hpp"

#include <algorithm>
#include <deque>

#include "solver/smt.hpp"
#include "term/print.hpp"

/// Locks held. Forward over a thread's own graph: taking (`owner := self`, or something that is
/// `self` under the guard, which a solver decides) adds, any other assignment to the owner removes,
/// meets intersect. This is an invariant only if nobody frees a mutex that another thread holds:
/// each assignment to an owner must take a free mutex, or come from a thread that holds it, or from
/// thread 0 while no other thread runs, or leave the owner if there is another one. A mutex for
/// which that fails is not used as a fact.
///
/// Threads that run. Forward over the graph of thread 0: a creation adds the thread and all that it
/// may create, waiting for the end of one (`status = 2`) removes it, meets unite. Two other threads
/// run at the same time only if both may be running at some point of thread 0.

namespace heddle::transform::blocks {

using namespace model::threads;
using term::Operator;
using term::Term;

bool same_term(const Term& a, const Term& b) {
  if (a.identity() == b.identity()) return true;
  if (a.op() != b.op() || a.sort() != b.sort() || a.arguments().size() != b.arguments().size())
    return false;
  if (a.op() == Operator::Variable) return a.name() == b.name();
  if (a.op() == Operator::Integer) return a.integer() == b.integer();
  if (a.op() == Operator::Boolean) return a.boolean() == b.boolean();
  for (std::size_t i = 0; i < a.arguments().size(); ++i)
    if (!same_term(a.arguments()[i], b.arguments()[i])) return false;
  return true;
}

bool has_conjunct(const Term& formula, const Term& term) {
  if (same_term(formula, term)) return true;
  if (formula.op() != Operator::And) return false;
  return std::ranges::any_of(formula.arguments(),
                             [&](const Term& part) { return has_conjunct(part, term); });
}

namespace {

Term number(long value) { return term::constant(base::Integer(value)); }

Term equals(const ThreadProgram& program, VariableId variable, long value) {
  return term::equal(program.variable(variable).term, number(value));
}

/// A thread with all threads that it may create.
std::set<std::uint32_t> family(const ThreadProgram& program, ThreadIndex thread) {
  std::set<std::uint32_t> found = {thread.value};
  std::deque<std::uint32_t> work = {thread.value};
  while (!work.empty()) {
    const std::uint32_t t = work.front();
    work.pop_front();
    for (const Transition& transition : program.threads[t].transitions)
      if (transition.creation && found.insert(transition.creation->thread.value).second)
        work.push_back(transition.creation->thread.value);
  }
  return found;
}

}  // namespace

Facts::Facts(const ThreadProgram& program) : program_(program) {
  held_.resize(program.threads.size());
  reachable_.resize(program.threads.size());
  for (std::size_t t = 0; t < program.threads.size(); ++t) find_held(ThreadIndex(t));
  find_running();
  drop_unreliable();
}

void Facts::find_held(ThreadIndex id) {
  const Thread& thread = program_.thread(id);
  const Term self = self_of(program_, id);
  auto& held = held_[id.index()];
  auto& reached = reachable_[id.index()];
  held.resize(thread.points.size());
  reached.resize(thread.points.size());
  reached[thread.entry.index()] = true;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Transition& t : thread.transitions) {
      if (!reached[t.from.index()]) continue;
      std::set<VariableId> after = held[t.from.index()];
      for (const Assignment& a : t.assignments) {
        if (program_.variable(a.variable).kind != Variable::Kind::Owner) continue;
        if (same_term(a.value, self) ||
            holds_after(a, t, id, held[t.from.index()].contains(a.variable)))
          after.insert(a.variable);
        else
          after.erase(a.variable);
      }
      if (!reached[t.to.index()]) {
        reached[t.to.index()] = true;
        held[t.to.index()] = std::move(after);
        changed = true;
        continue;
      }
      changed |=
          std::erase_if(held[t.to.index()], [&](VariableId m) { return !after.contains(m); }) > 0;
    }
  }
}

bool Facts::holds_after(const Assignment& a, const Transition& t, ThreadIndex thread,
                        bool is_held) const {
  if (a.value.op() == Operator::Integer) return false;
  const Term self = self_of(program_, thread);
  std::vector<Term> given = {t.guard};
  if (is_held) given.push_back(term::equal(program_.variable(a.variable).term, self));
  return is_valid(
      term::implication(term::conjunction(std::move(given)), term::equal(a.value, self)));
}

bool Facts::is_valid(const Term& formula) const {
  if (formula.op() == Operator::Boolean) return formula.boolean();
  const std::string key = term::to_smtlib(formula);
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  const auto solver = solver::make_smt_solver(solver::SmtBackend::Z3);
  solver->limit_effort(1'000'000);
  solver->add(term::negation(formula));
  const bool valid = solver->check({}) == solver::SmtAnswer::Unsatisfiable;
  answers_.emplace(key, valid);
  return valid;
}

void Facts::find_running() {
  const Thread& main = program_.threads.front();
  running_.resize(main.points.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Transition& t : main.transitions) {
      if (!reachable_[0][t.from.index()]) continue;
      std::set<std::uint32_t> after = running_[t.from.index()];
      for (std::size_t u = 1; u < program_.threads.size(); ++u)
        if (program_.threads[u].status && !program_.threads[u].is_replicated &&
            has_conjunct(t.guard, equals(program_, *program_.threads[u].status, 2)))
          after.erase(static_cast<std::uint32_t>(u));
      if (t.creation) after.merge(family(program_, t.creation->thread));
      auto& there = running_[t.to.index()];
      const std::size_t before = there.size();
      there.insert(after.begin(), after.end());
      changed |= there.size() != before;
    }
  }
  for (const auto& together : running_)
    for (const std::uint32_t a : together)
      for (const std::uint32_t b : together)
        if (a != b || program_.threads[a].is_replicated) concurrent_.emplace(a, b);
}

bool Facts::is_reliable_assignment(const Assignment& a, const Transition& t,
                                   ThreadIndex thread) const {
  if (has_conjunct(t.guard, equals(program_, a.variable, 0))) return true;
  if (held(thread, t.from).contains(a.variable)) return true;
  if (thread.index() == 0 && running_[t.from.index()].empty()) return true;
  // Whoever else holds it still does.
  const Term other = term::variable("other!", term::Sort::Integer);
  const Term given =
      term::conjunction({t.guard, term::equal(program_.variable(a.variable).term, other),
                         term::at_least(other, number(1)),
                         term::negation(term::equal(other, self_of(program_, thread)))});
  return is_valid(term::implication(given, term::equal(a.value, other)));
}

void Facts::drop_unreliable() {
  std::set<VariableId> unreliable;
  for (std::size_t i = 0; i < program_.threads.size(); ++i)
    for (const Transition& t : program_.threads[i].transitions)
      for (const Assignment& a : t.assignments)
        if (program_.variable(a.variable).kind == Variable::Kind::Owner &&
            !is_reliable_assignment(a, t, ThreadIndex(i)))
          unreliable.insert(a.variable);
  for (auto& points : held_)
    for (auto& point : points)
      std::erase_if(point, [&](VariableId m) { return unreliable.contains(m); });
}

bool Facts::runs_with(ThreadIndex a, ThreadIndex b) const {
  return concurrent_.contains({a.value, b.value});
}

bool Facts::may_coexist(ThreadIndex a, Point at_a, ThreadIndex b, Point at_b) const {
  if (!is_reachable(a, at_a) || !is_reachable(b, at_b)) return false;
  if (a == b && !program_.thread(a).is_replicated) return false;
  if (a.index() == 0) {
    if (!running_[at_a.index()].contains(b.value)) return false;
  } else if (b.index() == 0) {
    if (!running_[at_b.index()].contains(a.value)) return false;
  } else if (!runs_with(a, b)) {
    return false;
  }
  return std::ranges::none_of(held(a, at_a),
                              [&](VariableId m) { return held(b, at_b).contains(m); });
}

Term Facts::formula(ThreadIndex id, Point point) const {
  if (!is_reachable(id, point)) return term::constant(false);
  const Thread& thread = program_.thread(id);
  if (thread.points[point.index()].kind == PointInfo::Kind::End) return term::constant(true);
  std::vector<Term> parts;
  const Term self = self_of(program_, id);
  for (const VariableId m : held(id, point))
    parts.push_back(term::equal(program_.variable(m).term, self));
  if (thread.self)
    parts.push_back(term::at_least(self, number(static_cast<long>(program_.threads.size()) + 1)));
  if (thread.status) parts.push_back(equals(program_, *thread.status, 1));
  for (std::size_t u = 1; u < program_.threads.size(); ++u) {
    const Thread& other = program_.threads[u];
    if (u == id.index() || !other.status) continue;
    const bool runs = id.index() == 0
                          ? running_[point.index()].contains(static_cast<std::uint32_t>(u))
                          : runs_with(id, ThreadIndex(u));
    if (!runs) parts.push_back(term::negation(equals(program_, *other.status, 1)));
  }
  return term::conjunction(std::move(parts));
}

}  // namespace heddle::transform::blocks
