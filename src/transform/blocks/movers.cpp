#include "transform/blocks/movers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "solver/smt.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"

namespace heddle::transform::blocks {

using namespace model::threads;
using term::Substitution;
using term::Term;

namespace {

/// Globals that a transition reads or writes.
struct Footprint {
  std::set<std::string> reads, writes;
};

Footprint footprint(const ThreadProgram& program, const std::set<std::string>& globals,
                    const Transition& t) {
  Footprint out;
  std::vector<Term> used = {t.guard};
  for (const Assignment& a : t.assignments) {
    used.push_back(a.value);
    const std::string& name = program.variable(a.variable).term.name();
    if (globals.contains(name)) out.writes.insert(name);
  }
  if (t.creation)
    for (const Assignment& a : t.creation->locals) used.push_back(a.value);
  for (const Term& v : term::variables(used))
    if (globals.contains(v.name())) out.reads.insert(v.name());
  return out;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

bool conflict(const Footprint& a, const Footprint& b) {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

/// Locals of its thread that a transition uses. A thread has hundreds.
std::set<VariableId> locals_of(const ThreadProgram& program, ThreadIndex thread,
                               const Transition& t) {
  std::set<VariableId> out;
  std::vector<Term> used = {t.guard};
  for (const Assignment& a : t.assignments) {
    used.push_back(a.value);
    used.push_back(program.variable(a.variable).term);
  }
  if (t.creation)
    for (const Assignment& a : t.creation->locals) used.push_back(a.value);
  std::set<std::string> names;
  for (const Term& v : term::variables(used)) names.insert(v.name());
  for (const VariableId v : program.thread(thread).locals)
    if (names.contains(program.variable(v).term.name())) out.insert(v);
  if (program.thread(thread).self) out.insert(*program.thread(thread).self);
  return out;
}

/// New names for the locals and inputs of a transition.
Substitution renamed(const ThreadProgram& program, ThreadIndex thread, const Transition& t,
                     const std::string& mark) {
  Substitution out;
  const auto rename = [&](const Term& v) {
    out.emplace(v.name(), term::variable(v.name() + mark, v.sort()));
  };
  for (const VariableId v : locals_of(program, thread, t)) rename(program.variable(v).term);
  for (const Input& input : t.inputs) rename(input.term);
  return out;
}

/// A transition of one of the two threads: its terms, with locals renamed.
struct Renamed {
  Term guard;
  std::map<std::string, Term> values;  ///< by name of the variable assigned
  Term range;
};

Renamed rename(const ThreadProgram& program, ThreadIndex thread, const Transition& t,
               const std::string& mark) {
  const Substitution names = renamed(program, thread, t, mark);
  const auto in = [&](const Term& term) { return term::substitute(term, names); };
  Renamed out{in(t.guard), {}, term::constant(true)};
  for (const Assignment& a : t.assignments)
    out.values.emplace(in(program.variable(a.variable).term).name(), in(a.value));
  // What a created thread is given is an effect like any other.
  if (t.creation)
    for (const Assignment& a : t.creation->locals)
      out.values.emplace(program.variable(a.variable).term.name() + "!given" + mark, in(a.value));
  std::vector<Term> ranges;
  for (const Input& input : t.inputs) ranges.push_back(in(in_range(input)));
  for (const VariableId v : locals_of(program, thread, t))
    ranges.push_back(in(in_range(program.variable(v), program.variable(v).term)));
  out.range = term::conjunction(std::move(ranges));
  return out;
}

Substitution as_substitution(const Renamed& t) { return {t.values.begin(), t.values.end()}; }

/// The final value of every assigned variable after `a` and then `b`.
std::map<std::string, Term> effect(const Renamed& a, const Renamed& b) {
  std::map<std::string, Term> out = a.values;
  const Substitution after = as_substitution(a);
  for (const auto& [name, value] : b.values)
    out.insert_or_assign(name, term::substitute(value, after));
  return out;
}

}  // namespace

Term commutation(const ThreadProgram& program, const Facts& facts, ThreadIndex first_thread,
                 const Transition& first, ThreadIndex second_thread, const Transition& second) {
  const Renamed a = rename(program, first_thread, first, "!a");
  const Renamed b = rename(program, second_thread, second, "!b");
  const auto at = [&](ThreadIndex thread, const Transition& t, const char* mark) {
    return term::substitute(facts.formula(thread, t.from), renamed(program, thread, t, mark));
  };
  std::vector<Term> given = {at(first_thread, first, "!a"),
                             at(second_thread, second, "!b"),
                             a.range,
                             b.range,
                             a.guard,
                             term::substitute(b.guard, as_substitution(a))};
  const auto self = [&](ThreadIndex thread, const Transition& t, const char* mark) {
    return term::substitute(self_of(program, thread), renamed(program, thread, t, mark));
  };
  given.push_back(term::negation(
      term::equal(self(first_thread, first, "!a"), self(second_thread, second, "!b"))));
  for (const VariableId v : program.globals)
    given.push_back(in_range(program.variable(v), program.variable(v).term));
  std::vector<Term> wanted = {b.guard, term::substitute(a.guard, as_substitution(b))};
  const auto one_way = effect(a, b);
  const auto other_way = effect(b, a);
  for (const auto& [name, value] : one_way)
    wanted.push_back(term::equal(value, other_way.at(name)));
  return term::implication(term::conjunction(std::move(given)),
                           term::conjunction(std::move(wanted)));
}

namespace {

class Classifier {
 public:
  Classifier(const ThreadProgram& program, const Facts& facts, const base::RunContext& context)
      : program_(program),
        facts_(facts),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    for (const VariableId v : program.globals) globals_.insert(program.variable(v).term.name());
    for (const Thread& thread : program.threads) {
      footprints_.emplace_back();
      for (const Transition& t : thread.transitions)
        footprints_.back().push_back(footprint(program, globals_, t));
    }
  }

  Movers run() {
    Movers movers = no_movers(program_);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t i = 0; i < program_.threads[t].transitions.size(); ++i)
        classify_one(movers, ThreadIndex(t), i);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t p = 0; p < program_.threads[t].points.size(); ++p)
        if (!movers.may_block[t][p]) movers.may_block[t][p] = blocks(ThreadIndex(t), Point(p));
    movers.formulas = formulas_;
    return movers;
  }

 private:
  /// Whether it may be that no transition is enabled.
  bool blocks(ThreadIndex thread, Point point) {
    const Thread& of = program_.thread(thread);
    if (of.points[point.index()].kind != PointInfo::Kind::Ordinary) return false;
    if (!facts_.is_reachable(thread, point)) return false;
    std::vector<Term> guards;
    for (const Transition& t : of.transitions)
      if (t.from == point) guards.push_back(t.guard);
    const Term enabled = term::disjunction(std::move(guards));
    if (enabled.op() == term::Operator::Boolean) return !enabled.boolean();
    std::vector<Term> known = {facts_.formula(thread, point)};
    for (const VariableId v : program_.globals)
      known.push_back(in_range(program_.variable(v), program_.variable(v).term));
    for (const VariableId v : of.locals)
      known.push_back(in_range(program_.variable(v), program_.variable(v).term));
    return !is_valid(term::implication(term::conjunction(std::move(known)), enabled));
  }

  void classify_one(Movers& movers, ThreadIndex thread, std::size_t index) {
    const Transition& t = program_.thread(thread).transitions[index];
    Mover mover;
    if (t.creation) mover.right = false;  // what follows may be a step of the new thread
    for (std::size_t u = 0; u < program_.threads.size() && (mover.right || mover.left); ++u) {
      const ThreadIndex other(u);
      if (other == thread && !program_.thread(thread).is_replicated) continue;
      const auto& list = program_.thread(other).transitions;
      for (std::size_t j = 0; j < list.size() && (mover.right || mover.left); ++j) {
        if (!conflict(footprints_[thread.index()][index], footprints_[u][j])) continue;
        if (!facts_.may_coexist(thread, t.from, other, list[j].from)) continue;
        const Mover before = mover;
        mover.right = mover.right && commutes(thread, t, other, list[j]);
        mover.left = mover.left && commutes(other, list[j], thread, t);
        if (mover != before)
          movers.because[thread.index()][index] = Conflict{other, static_cast<std::uint32_t>(j)};
      }
    }
    movers.of[thread.index()][index] = mover;
  }

  bool commutes(ThreadIndex a, const Transition& first, ThreadIndex b, const Transition& second) {
    return is_valid(commutation(program_, facts_, a, first, b, second));
  }

  bool is_valid(const Term& formula) {
    if (context_.stopped()) return false;
    ++formulas_;
    solver_->push();
    solver_->add(term::negation(formula));
    const bool valid = solver_->check(context_) == solver::SmtAnswer::Unsatisfiable;
    solver_->pop();
    return valid;
  }

  const ThreadProgram& program_;
  const Facts& facts_;
  const base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::set<std::string> globals_;
  std::vector<std::vector<Footprint>> footprints_;
  std::uint64_t formulas_ = 0;
};

}  // namespace

Movers no_movers(const ThreadProgram& program) {
  Movers movers;
  for (const Thread& thread : program.threads) {
    movers.of.emplace_back(thread.transitions.size(), Mover{false, false});
    movers.because.emplace_back(thread.transitions.size());
    auto& blocking = movers.may_block.emplace_back();
    for (const PointInfo& point : thread.points) blocking.push_back(point.may_block);
  }
  return movers;
}

Movers classify(const ThreadProgram& program, const Facts& facts, const base::RunContext& context) {
  return Classifier(program, facts, context).run();
}

}  // namespace heddle::transform::blocks
