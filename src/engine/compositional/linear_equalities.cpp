#include "engine/compositional/linear_equalities.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "engine/compositional/clauses.hpp"
#include "engine/compositional/linear_space.hpp"
#include "solver/smt.hpp"
#include "term/evaluate.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"

/// Karr, "Affine relationships among variables of a program" (1976), for threads.
///
/// The state is a vector: the integer globals, the integer locals of threads of which there is one,
/// and for each thread and cut how many threads stand there. So one space for the whole program
/// knows where threads are: "readers = threads at 5 + threads at 7" is an equality like any other,
/// and holds for any number of threads.
///
/// An affine space is kept as the linear space spanned by its points (1, x): then steps are linear
/// maps, a guard that is an equality is an intersection, and the union's hull is a sum of spaces.
/// A variable that is assigned something else than a linear term may become anything. The space
/// only grows in dimension, so this ends. The equalities are what vanishes on all spanning vectors.
///
/// There is one space for each cut of thread 0, so that what it does before it creates threads is
/// told apart from what it does beside them. What holds in all of them is stated once.
///
/// Arithmetic that wraps is not linear. If it is taken for linear, and steps that want numbers near
/// the end of a word's range are taken for impossible, the equalities are guesses, and those of
/// them that all steps preserve are kept: a semaphore is 1 minus the threads between waiting and
/// posting, so that it never grows beyond its range.
///
/// Nothing here is believed: the checker proves that the equalities are inductive.

namespace heddle::engine::compositional {

using namespace model::threads;
using base::Integer;
using term::Operator;
using term::Sort;
using term::Term;
using transform::blocks::BlockStep;

namespace {

class Equalities {
 public:
  Equalities(const Prepared& prepared, base::RunContext& context, bool assumes_no_wrapping,
             bool has_counters)
      : program_(prepared.program),
        blocks_(prepared.blocks),
        context_(context),
        assumes_no_wrapping_(assumes_no_wrapping) {
    names_.push_back(term::constant(Integer(1)));
    const auto add = [&](VariableId v) {
      const Variable& variable = program_.variable(v);
      const bool is_number = variable.kind == Variable::Kind::Memory ||
                             variable.kind == Variable::Kind::Register ||
                             variable.kind == Variable::Kind::Depth;
      if (is_number && variable.term.sort() == Sort::Integer) variable_of(variable.term);
    };
    for (std::size_t t = 1; t < program_.threads.size(); ++t)
      for (std::size_t p = 0; p < program_.threads[t].points.size(); ++p)
        if (is_counted(program_, blocks_.partition.is_cut, t, p))
          counts_[{t, p}] = variable_of(count_at(ThreadIndex(t), static_cast<std::uint32_t>(p)));
    for (const VariableId v : program_.globals) add(v);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      if (program_.threads[t].is_replicated) continue;
      std::set<VariableId> live;
      for (const auto& here : blocks_.live[t]) live.insert(here.begin(), here.end());
      for (const BlockStep& step : blocks_.steps[t])
        for (const Assignment& a : step.assignments)
          if (!has_counters && has_cases(a.value)) live.erase(a.variable);
      for (const VariableId v : live) add(v);
    }
  }

  std::vector<Term> run() {
    constexpr std::size_t kMostVariables = 160;
    if (names_.size() > kMostVariables) return {};
    LinearVector start = {{0, 1}};
    LinearSpace& first = spaces_[program_.threads[0].entry.value];
    for (const Variable& v : program_.variables) {
      const auto index = index_.find(v.term.name());
      if (index == index_.end() || index->second == 0) continue;
      if (!v.initial)
        first.add({{index->second, 1}});
      else if (*v.initial != 0)
        start[index->second] = *v.initial;
    }
    first.add(start);
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& steps : blocks_.steps)
        for (const BlockStep& step : steps) {
          if (context_.step()) return {};
          if (step.thread.index() == 0) {
            changed |= take(step, step.from.value, step.to.value);
            continue;
          }
          std::vector<std::uint32_t> places;
          for (const auto& [p, space] : spaces_) places.push_back(p);
          for (const std::uint32_t p : places) changed |= take(step, p, p);
        }
    }
    return result();
  }

 private:
  /// Whether the value is computed by arithmetic that may wrap.
  static bool has_cases(const Term& term) {
    return term.op() == Operator::Choice || std::ranges::any_of(term.arguments(), has_cases);
  }

  std::uint32_t variable_of(const Term& term) {
    const auto [place, is_new] =
        index_.emplace(term.name(), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(term);
    return place->second;
  }

  /// The term as a vector of coefficients; none if it is not linear.
  std::optional<LinearVector> linear(const Term& term) const {
    switch (term.op()) {
      case Operator::Integer:
        return term.integer() == 0 ? LinearVector{} : LinearVector{{0, term.integer()}};
      case Operator::Variable: {
        const auto index = index_.find(term.name());
        if (index == index_.end()) return std::nullopt;
        return LinearVector{{index->second, 1}};
      }
      case Operator::Sum: {
        LinearVector out;
        for (const Term& part : term.arguments()) {
          const auto v = linear(part);
          if (!v) return std::nullopt;
          for (const auto& [i, x] : *v)
            if ((out[i] += x) == 0) out.erase(i);
        }
        return out;
      }
      case Operator::Product: {
        auto v = linear(term.arguments()[1]);
        if (!v || term.arguments()[0].op() != Operator::Integer) return std::nullopt;
        const Integer factor = term.arguments()[0].integer();
        if (factor == 0) return LinearVector{};
        for (auto& [i, x] : *v) x *= factor;
        return v;
      }
      case Operator::Choice: return assumes_no_wrapping_ ? without_wrapping(term) : std::nullopt;
      default: return std::nullopt;
    }
  }

  /// Of `x ≤ max ? x : x − 2^w`, x: the case with the smaller constant.
  std::optional<LinearVector> without_wrapping(const Term& term) const {
    const auto first = linear(term.arguments()[1]), second = linear(term.arguments()[2]);
    if (!first || !second) return std::nullopt;
    const auto constant = [](const LinearVector& v) {
      const auto found = v.find(0);
      return found == v.end() ? Integer(0) : Integer(abs(found->second));
    };
    const auto is_other = [&](const LinearVector& a, const LinearVector& b) {
      return std::ranges::any_of(a, [&](const auto& entry) {
        const auto found = b.find(entry.first);
        return entry.first != 0 && (found == b.end() || found->second != entry.second);
      });
    };
    if (is_other(*first, *second) || is_other(*second, *first)) return std::nullopt;
    return constant(*first) <= constant(*second) ? first : second;
  }

  /// Whether a word of 32 or 64 bits ends near here.
  static bool is_limit(const Term& term) {
    if (term.op() != Operator::Integer) return false;
    const Integer size = abs(term.integer());
    return std::ranges::any_of(std::array{31U, 32U, 63U, 64U}, [&](unsigned bits) {
      return abs(Integer(size - (Integer(1) << bits))) <= 16;
    });
  }

  /// Whether the guard wants a number at the end of a word's range: the other way out of
  /// `sem_post`.
  static bool is_beyond_reach(const Term& guard) {
    if (guard.op() == Operator::And) return std::ranges::any_of(guard.arguments(), is_beyond_reach);
    const bool is_negated = guard.op() == Operator::Not;
    const Term& inner = is_negated ? guard.arguments()[0] : guard;
    if (inner.op() != Operator::AtMost) return false;
    const Term &small = inner.arguments()[0], &great = inner.arguments()[1];
    const auto sign = [](const Term& t) { return is_limit(t) ? sgn(t.integer()) : 0; };
    return is_negated ? sign(great) > 0 || sign(small) < 0 : sign(small) > 0 || sign(great) < 0;
  }

  void equalities_of(const Term& guard, std::vector<LinearVector>& out) const {
    if (guard.op() == Operator::And)
      for (const Term& part : guard.arguments()) equalities_of(part, out);
    if (guard.op() != Operator::Equal || guard.arguments()[0].sort() != Sort::Integer) return;
    const auto a = linear(guard.arguments()[0]), b = linear(guard.arguments()[1]);
    if (!a || !b) return;
    LinearVector difference = *a;
    for (const auto& [i, x] : *b)
      if ((difference[i] -= x) == 0) difference.erase(i);
    out.push_back(std::move(difference));
  }

  /// The equalities: those that hold wherever thread 0 stands, then the others.
  std::vector<Term> result() {
    const auto size = static_cast<std::uint32_t>(names_.size());
    LinearSpace all, common;
    for (const auto& [p, space] : spaces_)
      for (const LinearVector& v : space.basis()) all.add(v);
    std::vector<Term> out, places;
    bool is_useful = false;
    const auto state = [&](const LinearVector& v) {
      const auto is_program = [&](const auto& entry) {
        return entry.first != 0 && !names_[entry.first].name().starts_with("at!");
      };
      is_useful |= v.size() - v.count(0) > 1 && std::ranges::any_of(v, is_program);
      return vanishing(names_, v);
    };
    for (const LinearVector& v : all.equalities(size)) {
      common.add(v);
      out.push_back(state(v));
    }
    for (const auto& [p, space] : spaces_) {
      const Term here = count_at(ThreadIndex(std::size_t{0}), p);
      places.push_back(here);
      std::vector<Term> more;
      LinearSpace known = common;
      for (const LinearVector& v : space.equalities(size))
        if (known.add(v)) more.push_back(state(v));
      if (!more.empty())
        out.push_back(term::implication(term::equal(here, term::constant(Integer(1))),
                                        term::conjunction(std::move(more))));
    }
    out.push_back(term::equal(term::sum(std::move(places)), term::constant(Integer(1))));
    return is_useful ? out : std::vector<Term>{};
  }

  /// Spanning vectors of the states in which the step may be taken.
  std::vector<LinearVector> before(const BlockStep& step, const LinearSpace& space) const {
    std::vector<LinearVector> wanted;
    equalities_of(step.guard, wanted);
    if (step.thread.index() != 0 && !thread(step.thread).is_replicated)
      for (const auto& [place, index] : counts_) {
        if (place.first != step.thread.index()) continue;
        LinearVector at = {{index, 1}};
        if (place.second == step.from.index()) at[0] = -1;
        wanted.push_back(std::move(at));
      }
    std::vector<LinearVector> basis = space.basis();
    // Where nobody stands, nobody steps.
    const auto from = counts_.find({step.thread.index(), step.from.index()});
    if (from != counts_.end() && std::ranges::none_of(basis, [&](const LinearVector& v) {
          return v.contains(from->second);
        }))
      return {};
    for (const LinearVector& e : wanted) {
      std::optional<std::size_t> pivot;
      std::vector<Integer> values;
      for (const LinearVector& v : basis) values.push_back(product(e, v));
      for (std::size_t i = 0; i < basis.size() && !pivot; ++i)
        if (values[i] != 0) pivot = i;
      if (!pivot) continue;
      for (std::size_t i = 0; i < basis.size(); ++i)
        if (i != *pivot && values[i] != 0)
          basis[i] = combine(values[*pivot], basis[i], -values[i], basis[*pivot]);
      basis.erase(basis.begin() + static_cast<std::ptrdiff_t>(*pivot));
    }
    const bool is_possible =
        std::ranges::any_of(basis, [](const LinearVector& v) { return v.contains(0); });
    return is_possible ? basis : std::vector<LinearVector>{};
  }

  /// From the states with thread 0 at one cut to those with thread 0 at another.
  bool take(const BlockStep& step, std::uint32_t from, std::uint32_t to) {
    if (is_bad(thread(step.thread).points[step.to.index()].kind) || !spaces_.contains(from))
      return false;
    if (assumes_no_wrapping_ && is_beyond_reach(step.guard)) return false;
    const std::vector<LinearVector> basis = before(step, spaces_.at(from));
    if (basis.empty()) return false;
    LinearSpace& space = spaces_[to];
    bool grows = false;
    std::map<std::uint32_t, LinearVector> rows;  // new values
    const auto assign = [&](VariableId v, const Term& value) {
      const auto index = index_.find(program_.variable(v).term.name());
      if (index == index_.end()) return;
      if (auto row = linear(value)) {
        rows.insert_or_assign(index->second, std::move(*row));
      } else {
        rows.insert_or_assign(index->second, LinearVector{});
        grows |= space.add({{index->second, 1}});
      }
    };
    const auto move = [&](ThreadIndex t, Point p, int change) {
      const auto index = counts_.find({t.index(), p.index()});
      if (index == counts_.end()) return;
      LinearVector& row =
          rows.try_emplace(index->second, LinearVector{{index->second, 1}}).first->second;
      if ((row[0] += change) == 0) row.erase(0);
    };
    for (const Assignment& a : step.assignments) assign(a.variable, a.value);
    for (const Creation& creation : step.creations) {
      if (!thread(creation.thread).is_replicated) {
        for (const VariableId v : thread(creation.thread).locals) {
          const auto& first = program_.variable(v).initial;
          if (program_.variable(v).term.sort() != Sort::Integer) continue;
          assign(v, first ? term::constant(*first) : program_.variable(v).term);
        }
        for (const Assignment& a : creation.locals) assign(a.variable, a.value);
      }
      move(creation.thread, thread(creation.thread).entry, 1);
    }
    move(step.thread, step.from, -1);
    move(step.thread, step.to, 1);
    for (const LinearVector& v : basis) {
      LinearVector image = v;
      for (const auto& [index, row] : rows) {
        Integer value = product(row, v);
        if (value == 0)
          image.erase(index);
        else
          image.insert_or_assign(index, std::move(value));
      }
      grows |= space.add(std::move(image));
    }
    return grows;
  }

  const Thread& thread(ThreadIndex t) const { return program_.thread(t); }

  const ThreadProgram& program_;
  const transform::blocks::BlockProgram& blocks_;
  base::RunContext& context_;
  bool assumes_no_wrapping_ = false;
  std::vector<Term> names_;  ///< by index; the first stands for 1
  std::map<std::string, std::uint32_t> index_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> counts_;  ///< by thread and point
  std::map<std::uint32_t, LinearSpace> spaces_;                          ///< by cut of thread 0
};

/// Houdini (Flanagan and Leino, 2001) for equalities.
class Inductive : Clauses {
 public:
  Inductive(const Prepared& prepared, const std::vector<Term>& equalities,
            base::RunContext& context)
      : Clauses(prepared),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    solver_->limit_effort(kEffort);
    for (const Term& e : equalities) {
      const bool is_split = e.op() == Operator::Implies && e.arguments()[1].op() == Operator::And;
      if (!is_split) {
        kept_.push_back(e);
        continue;
      }
      for (const Term& part : e.arguments()[1].arguments())
        kept_.push_back(term::implication(e.arguments()[0], part));
    }
    for (const Term& v : term::variables(kept_)) mentioned_.emplace(v.name(), v);
  }

  std::vector<Term> run() {
    if (!weaken(beginning(), first_values())) return {};
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& steps : blocks_.steps)
        for (const BlockStep& step : steps) {
          if (is_bad(thread(step.thread).points[step.to.index()].kind)) continue;
          const std::size_t before = kept_.size();
          if (!weaken(situation(step), values_after(step))) return {};
          changed |= kept_.size() != before;
        }
    }
    return kept_;
  }

 private:
  /// Drops what a model of the condition violates afterwards, until there is none. False if the
  /// solver or the context gives up.
  bool weaken(const Term& condition, const term::Substitution& after) {
    while (!kept_.empty()) {
      if (context_.step()) return false;
      std::vector<Term> wanted;
      for (const Term& e : kept_) wanted.push_back(term::substitute(e, after));
      solver_->push();
      solver_->add(condition);
      if (is_step_) solver_->add(term::conjunction(kept_));
      solver_->add(term::negation(term::conjunction(wanted)));
      const solver::SmtAnswer answer = solver_->check(context_);
      std::vector<Term> left;
      if (answer == solver::SmtAnswer::Satisfiable) {
        std::map<std::string, Integer> model;
        for (const Term& v : term::variables(wanted)) model.emplace(v.name(), solver_->value(v));
        const term::Assignment in_model = [&](const Term& v) { return model.at(v.name()); };
        for (std::size_t i = 0; i < wanted.size(); ++i)
          if (term::holds(wanted[i], in_model)) left.push_back(kept_[i]);
      }
      solver_->pop();
      if (answer == solver::SmtAnswer::Unsatisfiable) return true;
      if (answer == solver::SmtAnswer::Unknown) left = one_by_one(condition, wanted);
      if (left.size() == kept_.size()) return context_.stopped() == std::nullopt;
      kept_ = std::move(left);
    }
    return true;
  }

  /// Where all together are too hard for the solver: those of which each alone is not.
  std::vector<Term> one_by_one(const Term& condition, const std::vector<Term>& wanted) {
    std::vector<Term> out;
    solver_->push();
    solver_->add(condition);
    if (is_step_) solver_->add(term::conjunction(kept_));
    for (std::size_t i = 0; i < wanted.size() && !context_.step(); ++i) {
      solver_->push();
      solver_->add(term::negation(wanted[i]));
      if (solver_->check(context_) == solver::SmtAnswer::Unsatisfiable) out.push_back(kept_[i]);
      solver_->pop();
    }
    solver_->pop();
    return out;
  }

  static constexpr std::uint64_t kEffort = 200'000;

  Term beginning() {
    std::vector<Term> parts;
    for (const Variable& v : program_.variables)
      if (!v.initial) parts.push_back(in_range(v, v.term));
    return term::conjunction(std::move(parts));
  }

  term::Substitution first_values() const {
    term::Substitution out;
    for (const Variable& v : program_.variables)
      if (v.initial && v.term.sort() == Sort::Integer)
        out.emplace(v.term.name(), term::constant(*v.initial));
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p)
        out.emplace(count_at(ThreadIndex(t), p).name(),
                    number(t == 0 && p == program_.threads[0].entry.value ? 1 : 0));
    return out;
  }

  Term situation(const BlockStep& step) {
    is_step_ = true;
    std::vector<Term> parts = {enabled(step, ""), facts(step.thread, step.from, ""),
                               ranges_of_globals(), ranges_of_locals(step.thread, step.from, "")};
    for (const Variable& v : program_.variables)
      if (mentioned_.contains(v.term.name())) parts.push_back(in_range(v, v.term));
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      const bool is_one = !program_.threads[t].is_replicated;
      std::vector<Term> all;
      for (std::uint32_t p = 0; p < program_.threads[t].points.size(); ++p) {
        const Term count = count_at(ThreadIndex(t), p);
        if (!mentioned_.contains(count.name())) continue;
        const bool is_here = t == step.thread.value && p == step.from.value;
        all.push_back(count);
        parts.push_back(is_one && t == step.thread.value
                            ? term::equal(count, number(is_here ? 1 : 0))
                            : term::at_least(count, number(is_here ? 1 : 0)));
      }
      if (is_one && !all.empty()) parts.push_back(term::at_most(term::sum(all), number(1)));
    }
    return term::conjunction(std::move(parts));
  }

  term::Substitution values_after(const BlockStep& step) const {
    term::Substitution out;
    for (const Assignment& a : step.assignments)
      out.insert_or_assign(variable(a.variable).term.name(), a.value);
    std::map<std::string, long> changes;
    --changes[count_at(step.thread, step.from.value).name()];
    ++changes[count_at(step.thread, step.to.value).name()];
    for (const Creation& creation : step.creations) {
      const Thread& born = thread(creation.thread);
      ++changes[count_at(creation.thread, born.entry.value).name()];
      if (born.is_replicated) continue;
      for (const VariableId v : born.locals)
        if (variable(v).initial && variable(v).term.sort() == Sort::Integer)
          out.insert_or_assign(variable(v).term.name(), term::constant(*variable(v).initial));
      for (const Assignment& a : creation.locals)
        out.insert_or_assign(variable(a.variable).term.name(), a.value);
    }
    for (const auto& [name, change] : changes)
      out.insert_or_assign(name, term::sum({term::variable(name, Sort::Integer), number(change)}));
    return out;
  }

  std::vector<Term> kept_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::map<std::string, Term> mentioned_;
  bool is_step_ = false;
};

}  // namespace

std::vector<Term> linear_equalities(const Prepared& prepared, base::RunContext& context,
                                    bool assumes_no_wrapping) {
  std::vector<Term> out = Equalities(prepared, context, assumes_no_wrapping, true).run();
  if (!assumes_no_wrapping) return out;
  // A basis may mix an equality that holds with one of a counter of a loop, which wraps.
  for (const Term& e : Equalities(prepared, context, true, false).run()) out.push_back(e);
  return out;
}

std::vector<Term> inductive_equalities(const Prepared& prepared,
                                       const std::vector<Term>& equalities,
                                       base::RunContext& context) {
  return Inductive(prepared, equalities, context).run();
}

}  // namespace heddle::engine::compositional
