#include "transform/races/pairs.hpp"

#include <algorithm>
#include <map>

#include "solver/smt.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"
#include "transform/races/allocations.hpp"
#include "transform/races/instances.hpp"

/// Data races, by what is known at the points of threads.
///
/// The question. Which pairs of accesses can two threads be at together? Two threads race iff they
/// can be at accesses to common bytes at the same time, one a write and one not atomic
/// (check/c/race_freedom.cpp says why).
///
/// The idea. The covering of the program says which objects an access may fall into: pointers by
/// chain of calls and place of allocation. Facts (transform/blocks) say which mutexes a thread
/// holds at a point and which threads run. A pair with a common mutex, or of threads that do not
/// run together, is no race; nor is one whose addresses differ. What is left is open.

namespace heddle::transform::races {

using namespace model::threads;
using term::Term;

namespace {

Term literal(std::uint64_t value) {
  return term::constant(base::Integer(static_cast<unsigned long>(value)));
}

/// Locals and inputs of a thread under new names.
Term renamed(const ThreadProgram& program, const Term& formula, const std::string& mark) {
  if (mark.empty()) return formula;
  std::set<std::string> globals;
  for (const VariableId v : program.globals) globals.insert(program.variable(v).term.name());
  term::Substitution names;
  for (const Term& v : term::variables({formula}))
    if (!globals.contains(v.name()))
      names.emplace(v.name(), term::variable(v.name() + mark, v.sort()));
  return term::substitute(formula, names);
}

/// What holds when a thread is at its access: facts, ranges, and that it can step.
Term situation(const ThreadProgram& program, const blocks::Facts& facts, const MemoryAccess& a) {
  const auto& thread = program.thread(a.thread);
  std::vector<Term> parts = {facts.formula(a.thread, a.point)};
  std::vector<Term> guards;
  for (const Transition& t : thread.transitions) {
    if (t.from != a.point) continue;
    std::vector<Term> enabled = {t.guard};
    for (const Input& input : t.inputs) enabled.push_back(in_range(input));
    guards.push_back(term::conjunction(std::move(enabled)));
  }
  parts.push_back(term::disjunction(std::move(guards)));
  for (const VariableId v : thread.locals)
    parts.push_back(in_range(program.variable(v), program.variable(v).term));
  return term::conjunction(std::move(parts));
}

}  // namespace

Term together(const ThreadProgram& program, const blocks::Facts& facts, const MemoryAccess& a,
              const MemoryAccess& b, const std::string& mark) {
  const auto other = [&](const Term& term) { return renamed(program, term, mark); };
  std::vector<Term> parts = {situation(program, facts, a), other(situation(program, facts, b))};
  for (const VariableId v : program.globals)
    parts.push_back(in_range(program.variable(v), program.variable(v).term));
  const Term first_self = self_of(program, a.thread);
  parts.push_back(term::negation(term::equal(first_self, other(self_of(program, b.thread)))));
  parts.push_back(numbers_of(program, a.thread, b.thread, mark));
  if (a.number && b.number && a.objects == b.objects)
    parts.push_back(term::equal(*a.number, other(*b.number)));
  if (a.bytes > 0 && b.bytes > 0 && a.address && b.address) {
    const Term second = other(*b.address);
    const auto reaches = [](const Term& from, const Term& to, std::uint64_t bytes) {
      return term::at_most(term::sum({from, literal(1)}), term::sum({to, literal(bytes)}));
    };
    parts.push_back(reaches(*a.address, second, b.bytes));
    parts.push_back(reaches(second, *a.address, a.bytes));
  }
  return term::conjunction(std::move(parts));
}

namespace {

class Search {
 public:
  Search(const model::c::Program& program, const ThreadProgram& threads, const Covering& covering,
         const blocks::Facts& facts, base::RunContext& context)
      : threads_(threads),
        facts_(facts),
        context_(context),
        is_private_(private_objects(covering)) {
    found_.accesses = accesses(program, threads, covering);
    const Allocations allocations(program, covering, threads);
    for (MemoryAccess& a : found_.accesses) a.number = allocations.number_of(a);
  }

  Conflicts run() {
    std::map<std::uint32_t, std::vector<std::size_t>> users;
    for (std::size_t i = 0; i < found_.accesses.size(); ++i)
      for (const std::uint32_t o : found_.accesses[i].objects) users[o].push_back(i);
    for (const auto& [object, list] : users)
      for (std::size_t i = 0; i < list.size() && found_.is_complete; ++i)
        for (std::size_t j = i; j < list.size() && found_.is_complete; ++j)
          look_at(object, list[i], list[j]);
    return std::move(found_);
  }

 private:
  void look_at(std::uint32_t object, std::size_t i, std::size_t j) {
    const MemoryAccess& a = found_.accesses[i];
    const MemoryAccess& b = found_.accesses[j];
    if (a.thread == b.thread && (!threads_.thread(a.thread).self || is_private_[object])) return;
    if ((!a.is_write && !b.is_write) || (a.is_atomic && b.is_atomic)) return;
    if (context_.step()) {
      found_.is_complete = false;
      return;
    }
    if (!facts_.is_reachable(a.thread, a.point) || !facts_.is_reachable(b.thread, b.point)) return;
    found_.pairs.push_back({i, j, object, reason(a, b)});
  }

  Reason reason(const MemoryAccess& a, const MemoryAccess& b) {
    if (!facts_.may_coexist(a.thread, a.point, b.thread, b.point)) {
      const auto& held = facts_.held(b.thread, b.point);
      const bool has_mutex = std::ranges::any_of(facts_.held(a.thread, a.point),
                                                 [&](VariableId m) { return held.contains(m); });
      return has_mutex ? Reason::Mutex : Reason::Order;
    }
    if (a.bytes > 0 && b.bytes > 0 && a.address && b.address) {
      const auto constant = [](const MemoryAccess& m) {
        return m.address->op() == term::Operator::Integer;
      };
      if (constant(a) && constant(b)) {
        const base::Integer& x = a.address->integer();
        const base::Integer& y = b.address->integer();
        const auto end = [](const base::Integer& from, std::uint64_t bytes) {
          return base::Integer(from + base::Integer(static_cast<unsigned long>(bytes)));
        };
        if (end(x, a.bytes) <= y || end(y, b.bytes) <= x) return Reason::Address;
      }
    }
    return is_possible(together(threads_, facts_, a, b, "!o")) ? Reason::Open : Reason::Address;
  }

  bool is_possible(const Term& formula) {
    if (formula.op() == term::Operator::Boolean) return formula.boolean();
    const std::string key = term::to_smtlib(formula);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    if (!solver_) solver_ = solver::make_smt_solver(solver::SmtBackend::Z3);
    solver_->push();
    solver_->add(formula);
    const bool possible = solver_->check(context_) != solver::SmtAnswer::Unsatisfiable;
    solver_->pop();
    known_.emplace(key, possible);
    return possible;
  }

  const ThreadProgram& threads_;
  const blocks::Facts& facts_;
  base::RunContext& context_;
  std::vector<bool> is_private_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::map<std::string, bool> known_;
  Conflicts found_;
};

}  // namespace

Conflicts conflicts(const model::c::Program& program, const ThreadProgram& threads,
                    const Covering& covering, const blocks::Facts& facts,
                    base::RunContext& context) {
  return Search(program, threads, covering, facts, context).run();
}

}  // namespace heddle::transform::races
