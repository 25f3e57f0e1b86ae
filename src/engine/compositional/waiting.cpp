#include "engine/compositional/waiting.hpp"

#include <algorithm>

#include "engine/compositional/clauses.hpp"
#include "solver/smt.hpp"
#include "term/print.hpp"
#include "transform/blocks/facts.hpp"

/// The state in which no thread can step, as a formula (check/c/waiting.cpp says why it may look
/// like that): where each thread stands, that it waits there, who owns which mutex. If it has no
/// model, there is no such state. At first facts are tried, which need no invariants; then
/// invariants of single threads, the lemma that counts threads, and what is known while a thread
/// sleeps at a condition variable.
///
/// For the last, candidates are the parts of invariants of the point at which it falls asleep and
/// of the guards of steps that lead there, as far as they are about globals: mostly the negation of
/// what it waits for. Those are kept that every step leaves true, or wakes the sleepers later,
/// before its thread waits or ends.

namespace heddle::engine::compositional {

using namespace model::threads;
using term::Operator;
using term::Sort;
using term::Substitution;
using term::Term;
using transform::blocks::BlockStep;

namespace {

constexpr std::size_t kMostFormulas = 24;  ///< for one condition variable

using ThreadPoint = std::pair<std::uint32_t, std::uint32_t>;

void split(const Term& formula, std::vector<Term>& out) {
  if (formula.op() != Operator::And) return out.push_back(formula);
  for (const Term& part : formula.arguments()) split(part, out);
}

class Waiting : Clauses {
 public:
  Waiting(const Prepared& prepared, const Covering& covering, const Waits& waits,
          const WaitingKnowledge& known, base::RunContext& context)
      : Clauses(prepared),
        covering_(covering),
        waits_(waits),
        knowledge_(known),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    if (known.encoding != nullptr)
      for (std::size_t i = 0; i < known.encoding->meanings.size(); ++i) {
        const auto& at = known.encoding->meanings[i].at;
        if (at.size() == 1)
          invariants_.emplace(ThreadPoint(at[0].first.value, at[0].second),
                              known.invariants->formulas[i]);
      }
    for (const VariableId v : program_.globals)
      if (variable(v).kind == Variable::Kind::Owner) mutexes_.push_back(v);
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) find_held(t);
  }

  WaitingResult run() {
    WaitingResult out;
    if (knowledge_.encoding != nullptr && waits_.has_sleepers()) find_monitors(out.monitors);
    const auto answer = ask(deadlock());
    out.is_excluded = answer == solver::SmtAnswer::Unsatisfiable;
    if (answer == solver::SmtAnswer::Satisfiable) out.why = who_waits();
    if (out.why.empty()) out.why = "it is not known whether threads may wait for each other";
    return out;
  }

 private:
  solver::SmtAnswer ask(const Term& formula) {
    if (context_.step()) return solver::SmtAnswer::Unknown;
    solver_ = solver::make_smt_solver(solver::SmtBackend::Z3);
    solver_->add(formula);
    return solver_->check(context_);
  }
  bool is_valid(const Term& formula) {
    return ask(term::negation(formula)) == solver::SmtAnswer::Unsatisfiable;
  }

  static Term is_at(std::uint32_t t, std::uint32_t p) {
    return term::variable("is!" + std::to_string(t) + "!" + std::to_string(p), Sort::Boolean);
  }
  static Term is_unborn(std::uint32_t t) {
    return term::variable("unborn!" + std::to_string(t), Sort::Boolean);
  }
  static Term copies(std::uint32_t t, std::uint32_t p) { return count_at(ThreadIndex(t), p); }
  static Term one_if(const Term& a) { return term::choice(a, number(1), number(0)); }
  bool is_replicated(std::uint32_t t) const { return program_.threads[t].is_replicated; }

  // ---- mutexes that a thread may own

  void find_held(std::uint32_t t) {
    const Thread& of = program_.threads[t];
    auto& held = held_.emplace_back(of.points.size());
    for (bool changes = true; changes;) {
      changes = false;
      for (const Transition& step : of.transitions) {
        std::set<VariableId> after = held[step.from.index()];
        for (const Assignment& a : step.assignments) {
          if (variable(a.variable).kind != Variable::Kind::Owner) continue;
          if (a.value.op() == Operator::Integer && a.value.integer() == 0)
            after.erase(a.variable);
          else
            after.insert(a.variable);
        }
        auto& there = held[step.to.index()];
        const std::size_t before = there.size();
        there.merge(after);
        changes |= there.size() != before;
      }
    }
  }

  // ---- places

  /// Points at which the thread may be for good.
  std::vector<std::uint32_t> stops(std::uint32_t t) const {
    std::vector<std::uint32_t> out(waits_.ends[t].begin(), waits_.ends[t].end());
    for (const auto& [p, wait] : waits_.at[t])
      if (Waits::stops(wait)) out.push_back(p);
    std::erase_if(out, [&](std::uint32_t p) {
      return !prepared_.facts.is_reachable(ThreadIndex(t), Point(p));
    });
    return out;
  }

  bool has_ended(std::uint32_t t, std::uint32_t p) const { return waits_.ends[t].contains(p); }

  /// What is known of a thread that is there, with its locals marked.
  Term known(std::uint32_t t, std::uint32_t p, const std::string& mark) const {
    const ThreadIndex id(t);
    std::vector<Term> parts = {facts(id, Point(p), mark), ranges_of_locals(id, Point(p), mark)};
    const Substitution own = names(id, {}, mark);
    if (knowledge_.encoding != nullptr) {
      const auto found = invariants_.find({t, p});
      if (found != invariants_.end())
        parts.push_back(term::substitute(found->second, own));
      else if (!has_ended(t, p))
        return term::constant(false);
    }
    const Term self = term::substitute(self_of(program_, id), own);
    for (const VariableId mutex : mutexes_)
      if (!held_[t][p].contains(mutex))
        parts.push_back(term::negation(term::equal(variable(mutex).term, self)));
    if (const auto wait = waits_.at[t].find(p); wait != waits_.at[t].end())
      parts.push_back(waits_there(t, p, wait->second, mark));
    return term::conjunction(std::move(parts));
  }

  std::vector<const Transition*> leaving(std::uint32_t t, std::uint32_t p) const {
    std::vector<const Transition*> out;
    for (const Transition& step : program_.threads[t].transitions)
      if (step.from.value == p) out.push_back(&step);
    return out;
  }

  Term waits_there(std::uint32_t t, std::uint32_t p, const Wait& wait,
                   const std::string& mark) const {
    if (is_vague(t, p, wait)) return term::constant(true);
    std::vector<Term> steps, ranges, runs;
    Substitution own;
    for (const Transition* step : leaving(t, p)) {
      const Substitution more = names(ThreadIndex(t), step->inputs, mark);
      own.insert(more.begin(), more.end());
      steps.push_back(step->guard);
      for (const Input& input : step->inputs) ranges.push_back(in_range(input));
      if (const auto joined = joined_thread(*step))
        runs.push_back(term::equal(status(*joined), number(1)));
    }
    ranges.push_back(term::negation(term::disjunction(std::move(steps))));
    if (wait.kind == Wait::Kind::Join) ranges.push_back(term::disjunction(std::move(runs)));
    const Term cannot_step = term::substitute(term::conjunction(std::move(ranges)), own);
    if (wait.kind != Wait::Kind::Asleep || wait.is_timed) return cannot_step;
    const auto formula = wait.condition ? asleep_.find(*wait.condition) : asleep_.end();
    if (formula == asleep_.end()) return term::constant(true);
    return term::disjunction({cannot_step, formula->second});
  }

  Term status(std::uint32_t t) const { return variable(*program_.threads[t].status).term; }

  /// The thread for whose end a join waits, if its guard says so.
  std::optional<std::uint32_t> joined_thread(const Transition& step) const {
    for (std::uint32_t u = 1; u < program_.threads.size(); ++u)
      if (program_.threads[u].status && !is_replicated(u) &&
          transform::blocks::has_conjunct(step.guard, term::equal(status(u), number(2))))
        return u;
    return std::nullopt;
  }

  /// Whether it may wait although a step is enabled.
  bool is_vague(std::uint32_t t, std::uint32_t p, const Wait& wait) const {
    const auto all = leaving(t, p);
    if (wait.kind == Wait::Kind::Lock || wait.kind == Wait::Kind::Asleep)
      return std::ranges::any_of(all, [](const Transition* step) { return step->is_abstract; });
    if (wait.kind != Wait::Kind::Join) return false;
    return std::ranges::any_of(all, [&](const Transition* step) {
      if (const auto joined = joined_thread(*step))
        return !covering_.threads[*joined].is_joined_once;
      std::vector<Term> parts;  // of an error: it is none of the threads
      split(step->guard, parts);
      return std::ranges::any_of(parts,
                                 [](const Term& part) { return part.op() != Operator::Not; });
    });
  }

  // ---- the state

  Term deadlock() const {
    std::vector<Term> all = {ranges_of_globals(),
                             term::equal(term::variable("busy", Sort::Integer), number(0))};
    std::vector<Term> somebody;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      is_replicated(t) ? add_copies(t, all, somebody) : add_thread(t, all, somebody);
    for (const VariableId mutex : mutexes_) all.push_back(has_owner(mutex));
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (const auto& [p, wait] : waits_.at[t])
        if (wait.kind == Wait::Kind::Join && is_vague(t, p, wait))
          all.push_back(term::implication(is_there(t, p), some_other_waits(t)));
    if (knowledge_.encoding != nullptr) all.push_back(knowledge_.lemma);
    all.push_back(term::disjunction(std::move(somebody)));
    return term::conjunction(std::move(all));
  }

  Term is_there(std::uint32_t t, std::uint32_t p) const {
    return is_replicated(t) ? term::at_least(copies(t, p), number(1)) : is_at(t, p);
  }

  Term some_other_waits(std::uint32_t t) const {
    std::vector<Term> ways;
    for (std::uint32_t u = 0; u < program_.threads.size(); ++u)
      if (u != t || is_replicated(t))
        for (const std::uint32_t q : stops(u))
          if (!has_ended(u, q)) ways.push_back(is_there(u, q));
    return term::disjunction(std::move(ways));
  }

  bool is_counted_there(std::uint32_t t, std::uint32_t p) const {
    return is_counted(program_, blocks_.partition.is_cut, t, p);
  }

  void add_thread(std::uint32_t t, std::vector<Term>& all, std::vector<Term>& somebody) const {
    const auto has_status = [&](long value) {
      return t == 0 ? term::constant(true) : term::equal(status(t), number(value));
    };
    std::vector<Term> places;
    if (t != 0) {
      places.push_back(one_if(is_unborn(t)));
      all.push_back(term::implication(is_unborn(t), has_status(0)));
    }
    const auto here = stops(t);
    for (const std::uint32_t p : here) {
      places.push_back(one_if(is_at(t, p)));
      all.push_back(term::implication(
          is_at(t, p), term::conjunction({known(t, p, ""), has_status(has_ended(t, p) ? 2 : 1)})));
      if (!has_ended(t, p)) somebody.push_back(is_at(t, p));
    }
    all.push_back(term::equal(term::sum(std::move(places)), number(1)));
    for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p)
      if (is_counted_there(t, p))
        all.push_back(term::equal(
            copies(t, p), std::ranges::count(here, p) > 0 ? one_if(is_at(t, p)) : number(0)));
  }

  void add_copies(std::uint32_t t, std::vector<Term>& all, std::vector<Term>& somebody) const {
    const auto here = stops(t);
    for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p) {
      if (std::ranges::count(here, p) == 0) {
        if (is_counted_there(t, p)) all.push_back(term::equal(copies(t, p), number(0)));
        continue;
      }
      all.push_back(term::at_least(copies(t, p), number(0)));
      all.push_back(term::implication(
          is_there(t, p), known(t, p, "!c" + std::to_string(t) + "!" + std::to_string(p))));
      if (!has_ended(t, p)) somebody.push_back(is_there(t, p));
    }
  }

  Term has_owner(VariableId mutex) const {
    const Term owner = variable(mutex).term;
    std::vector<Term> ways = {term::equal(owner, number(0))};
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (const std::uint32_t p : stops(t)) {
        if (!held_[t][p].contains(mutex)) continue;
        std::string mark;
        if (is_replicated(t))
          mark = "!o" + owner.name() + "!" + std::to_string(t) + "!" + std::to_string(p);
        const Term self =
            term::substitute(self_of(program_, ThreadIndex(t)), names(ThreadIndex(t), {}, mark));
        std::vector<Term> parts = {is_there(t, p), term::equal(owner, self)};
        if (is_replicated(t)) parts.push_back(known(t, p, mark));
        ways.push_back(term::conjunction(std::move(parts)));
      }
    return term::disjunction(std::move(ways));
  }

  /// Of the model: who waits at which line.
  std::string who_waits() {
    std::string out;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (const std::uint32_t p : stops(t)) {
        if (has_ended(t, p) || solver_->value(one_if(is_there(t, p))) == 0) continue;
        out +=
            (out.empty() ? "threads may wait for each other: " : ", ") + program_.threads[t].name;
        const std::uint32_t line = program_.threads[t].points[p].position.line;
        if (line != 0) out += " at line " + std::to_string(line);
      }
    return out;
  }

  // ---- while a thread sleeps

  void find_monitors(Monitors& out) {
    std::set<std::uint64_t> conditions;
    for (const auto& of_thread : waits_.at)
      for (const auto& [p, wait] : of_thread)
        if (wait.kind == Wait::Kind::Asleep && wait.condition) conditions.insert(*wait.condition);
    for (const std::uint64_t condition : conditions) {
      Monitor monitor{condition, {}};
      for (const Term& candidate : candidates(condition))
        if (holds(condition, candidate)) monitor.holds.push_back(candidate);
      if (monitor.holds.empty()) continue;
      asleep_.emplace(condition, term::conjunction(monitor.holds));
      out.push_back(std::move(monitor));
    }
  }

  bool is_about_data(const Term& formula) const {
    const auto used = term::variables({formula});
    return !used.empty() && std::ranges::all_of(used, [&](const Term& v) {
      return std::ranges::any_of(program_.globals, [&](VariableId g) {
        return variable(g).kind == Variable::Kind::Memory && variable(g).term.name() == v.name();
      });
    });
  }

  std::vector<Term> candidates(std::uint64_t condition) const {
    std::vector<Term> out;
    std::set<std::string> seen;
    const auto add = [&](const Term& formula) {
      std::vector<Term> parts;
      split(formula, parts);
      for (const Term& part : parts)
        if (out.size() < kMostFormulas && is_about_data(part) &&
            seen.insert(term::to_smtlib(part)).second)
          out.push_back(part);
    };
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (const auto& [p, wait] : waits_.at[t]) {
        if (wait.kind != Wait::Kind::FallAsleep || wait.condition != condition) continue;
        for (const BlockStep& step : blocks_.steps[t]) {
          const bool writes = std::ranges::any_of(step.assignments, [&](const Assignment& a) {
            return variable(a.variable).kind == Variable::Kind::Memory &&
                   !variable(a.variable).owner;
          });
          if (step.to.value == p && !writes) add(step.guard);
        }
        if (const auto found = invariants_.find({t, p}); found != invariants_.end())
          add(found->second);
      }
    return out;
  }

  bool is_for_one(std::uint64_t condition) const {
    std::set<std::uint32_t> threads;
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t)
      for (const auto& [p, wait] : waits_.at[t]) {
        if (wait.kind != Wait::Kind::Asleep && wait.kind != Wait::Kind::FallAsleep) continue;
        if (!wait.condition) return false;
        if (*wait.condition == condition) threads.insert(t);
      }
    return threads.size() == 1 && !is_replicated(*threads.begin());
  }

  const Wait* wait_at(ThreadIndex t, Point p) const {
    const auto found = waits_.at[t.index()].find(p.value);
    return found == waits_.at[t.index()].end() ? nullptr : &found->second;
  }

  bool is_left_true(const BlockStep& step, const Term& given, const Term& formula) {
    Substitution then;
    for (const VariableId v : program_.globals)
      then.emplace(variable(v).term.name(), after(step, v, ""));
    const auto invariant = invariants_.find({step.thread.value, step.from.value});
    if (invariant == invariants_.end()) return true;  // it is not reached
    return is_valid(
        term::implication(term::conjunction({invariant->second, facts(step.thread, step.from, ""),
                                             ranges_of_locals(step.thread, step.from, ""),
                                             ranges_of_globals(), enabled(step, ""), given}),
                          term::substitute(formula, then)));
  }

  /// Whether it is true while somebody sleeps there whom nobody has woken, unless a thread is going
  /// to wake him.
  bool holds(std::uint64_t condition, const Term& formula) {
    std::set<ThreadPoint> in_debt;
    for (bool changes = true; changes;) {
      changes = false;
      for (const auto& steps : blocks_.steps)
        for (const BlockStep& step : steps) {
          if (context_.stopped()) return false;
          const Wait* from = wait_at(step.thread, step.from);
          const Wait* to = wait_at(step.thread, step.to);
          const bool falls_asleep =
              to != nullptr && to->kind == Wait::Kind::Asleep && to->condition == condition;
          if (falls_asleep && !is_left_true(step, term::constant(true), formula)) return false;
          const bool wakes = from != nullptr && from->condition == condition &&
                             (from->kind == Wait::Kind::Broadcast ||
                              (from->kind == Wait::Kind::Signal && is_for_one(condition)));
          if (falls_asleep || wakes) continue;
          const bool owes = in_debt.contains({step.thread.value, step.from.value});
          if (is_left_true(step, owes ? term::constant(true) : formula, formula)) continue;
          if (has_ended(step.thread.value, step.to.value) || (to != nullptr && Waits::stops(*to)))
            return false;
          changes |= in_debt.insert({step.thread.value, step.to.value}).second;
        }
    }
    return true;
  }

  const Covering& covering_;
  const Waits& waits_;
  const WaitingKnowledge& knowledge_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::map<ThreadPoint, Term> invariants_;
  std::vector<VariableId> mutexes_;
  std::vector<std::vector<std::set<VariableId>>> held_;  ///< by thread and point
  std::map<std::uint64_t, Term> asleep_;                 ///< by condition variable
};

}  // namespace

WaitingResult exclude_waiting(const Prepared& prepared, const Covering& covering,
                              const Waits& waits, const WaitingKnowledge& known,
                              base::RunContext& context) {
  return Waiting(prepared, covering, waits, known, context).run();
}

}  // namespace heddle::engine::compositional
