#include "engine/compositional/template_invariants.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/threads/thread_proof.hpp"
#include "solver/smt.hpp"
#include "term/evaluate.hpp"
#include "term/substitute.hpp"

/// Invariants from a fixed stock: Flanagan and Leino, "Houdini, an annotation assistant for ESC/
/// Java" (2001), over Horn clauses.
///
/// Each predicate begins with all candidates over its parameters. A clause whose head has a
/// candidate that does not follow from the candidates of its body loses it: the solver's model says
/// which. What is left when no clause objects is the strongest solution that these candidates can
/// express; if it excludes the bodies of the clauses without heads, it is an answer.
///
/// Why, beside Spacer: addresses are words, `base + 4·i` modulo 2^32, and the invariants that a
/// proof about parts of an array needs are simple equations between a counter and the number of a
/// thread (`arg = base + 4·nth`). Guessing and checking them is cheap where interpolation through
/// the cases of the arithmetic is not.

namespace heddle::engine::compositional {

using term::HornAtom;
using term::HornClause;
using term::HornSystem;
using term::Operator;
using term::Sort;
using term::Term;

namespace {

Term value(const base::Integer& n) { return term::constant(n); }

bool counts_threads(const Term& variable) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"nth!", "created!", "joined!", "allocated!", "object!"},
      [&](const char* start) { return variable.name().starts_with(start); });
}

/// How many threads stand somewhere.
bool is_count(const Term& variable) { return variable.name().starts_with("at!"); }

/// Constants of the clauses: addresses, and factors.
struct Constants {
  std::set<base::Integer> addresses, factors;

  void look_at(const Term& term) {
    if (++looked_at_ > kMostNodes) return;
    const base::Integer first_address = 1 << 30, end = 0x7fff0000, most = 4096;
    if (term.op() == Operator::Integer && term.integer() >= first_address && term.integer() < end)
      addresses.insert(term.integer());
    if (term.op() == Operator::Product && term.arguments()[0].op() == Operator::Integer) {
      const base::Integer& factor = term.arguments()[0].integer();
      if (factor > 0 && factor <= most) factors.insert(factor);
    }
    if (term.op() == Operator::Variable || term.op() == Operator::Integer ||
        term.op() == Operator::Boolean)
      return;
    for (const Term& part : term.arguments()) look_at(part);
  }

 private:
  static constexpr std::size_t kMostNodes = 100'000;
  std::size_t looked_at_ = 0;
};

class Templates {
 public:
  Templates(const HornSystem& system, base::RunContext& context)
      : system_(system),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    solver_->limit_effort(kEffort);
    for (const HornClause& clause : system.clauses) {
      constants_.look_at(clause.constraint);
      if (!clause.head) continue;
      for (const Term& argument : clause.head->arguments) constants_.look_at(argument);
    }
    constants_.factors.insert(1);
    std::map<std::string, std::size_t> uses;
    for (const auto& predicate : system.predicates)
      for (const Term& parameter : predicate.parameters) ++uses[parameter.name()];
    for (const auto& [name, count] : uses)
      if (count == system.predicates.size()) shared_.insert(name);
    for (const auto& predicate : system.predicates)
      candidates_.push_back(candidates(predicate.parameters));
  }

  std::optional<term::HornSolution> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const HornClause& clause : system_.clauses) {
        if (!clause.head) continue;
        while (true) {
          const auto loses = weaken(clause);
          if (!loses) return std::nullopt;
          if (!*loses) break;
          changed = true;
        }
      }
    }
    for (const HornClause& clause : system_.clauses)
      if (!clause.head && !is_excluded(clause)) return std::nullopt;
    term::HornSolution out;
    for (const auto& list : candidates_) out.formulas.push_back(term::conjunction(list));
    return out;
  }

 private:
  static constexpr std::uint64_t kEffort = 3'000'000;
  static constexpr std::size_t kMostCandidates = 600;
  static constexpr int kMostSmall = 6;

  /// `x` is that address, perhaps as a negative word of 32 bits.
  static void add_place(const Term& x, const Term& place, std::vector<Term>& out) {
    const Term wrapped = term::sum({place, value(-base::Integer(1UL << 32U))});
    out.push_back(term::equal(x, place));
    out.push_back(term::disjunction({out.back(), term::equal(x, wrapped)}));
  }

  std::vector<Term> candidates(const std::vector<Term>& parameters) const {
    std::vector<Term> out, numbers, counters;
    for (const Term& x : parameters) {
      if (x.sort() == Sort::Boolean) {
        out.push_back(x);
        out.push_back(term::negation(x));
        continue;
      }
      out.push_back(term::at_most(value(0), x));
      out.push_back(term::equal(x, value(0)));
      if (is_count(x)) continue;
      (counts_threads(x) ? counters : numbers).push_back(x);
      for (const base::Integer& address : constants_.addresses)
        out.push_back(term::equal(x, value(address)));
    }
    for (const Term& x : parameters)
      for (const unsigned power : {31U, 30U, 29U, 28U, 27U, 26U})
        for (const int less : {0, 1})
          if (x.sort() == Sort::Integer && !is_count(x))
            out.push_back(term::at_most(x, value(base::Integer(1UL << power) - less)));
    const auto compare = [&](const Term& x, const Term& y) {
      out.push_back(term::at_most(x, y));
      out.push_back(term::at_most(term::sum({x, value(1)}), y));
      out.push_back(term::at_most(x, term::sum({y, value(1)})));
    };
    for (const Term& y : counters) {
      add_apart(y, parameters, out);
      for (int small = 1; small <= kMostSmall; ++small) out.push_back(term::equal(y, value(small)));
      for (const Term& x : counters)
        if (x.name() != y.name()) compare(x, y);
      for (const Term& x : numbers) {
        compare(x, y);
        compare(y, x);
        for (const base::Integer& factor : constants_.factors)
          for (const base::Integer& address : constants_.addresses)
            add_place(x, term::sum({value(address), term::product(factor, y)}), out);
      }
    }
    for (const Term& x : numbers) {
      if (is_shared(x)) continue;
      add_apart(x, parameters, out);
      for (const Term& y : numbers)
        if (is_shared(y)) add_below(x, y, out);
    }
    for (const Term& x : numbers)
      for (const Term& y : numbers)
        if (out.size() < kMostCandidates && x.name() != y.name())
          out.push_back(term::at_most(x, y));
    return out;
  }

  /// A local lies below a shared counter, as an index or as the address of a place of an array.
  void add_below(const Term& x, const Term& y, std::vector<Term>& out) const {
    if (out.size() >= kMostCandidates) return;
    out.push_back(term::at_most(term::sum({x, value(1)}), y));
    for (const base::Integer& factor : constants_.factors)
      for (const base::Integer& address : constants_.addresses)
        if (out.size() < kMostCandidates)
          out.push_back(term::at_most(term::sum({x, value(factor)}),
                                      term::sum({value(address), term::product(factor, y)})));
  }

  /// In a predicate about two copies: the locals differ, perhaps by the size of an element.
  void add_apart(const Term& x, const std::vector<Term>& parameters, std::vector<Term>& out) const {
    const std::string second = x.name() + model::threads::kSecondMark;
    for (const Term& y : parameters)
      if (y.name() == second)
        for (const base::Integer& factor : constants_.factors)
          out.push_back(term::disjunction({term::at_most(term::sum({x, value(factor)}), y),
                                           term::at_most(term::sum({y, value(factor)}), x)}));
  }

  /// Whether every predicate has the parameter.
  bool is_shared(const Term& x) const { return shared_.contains(x.name()); }

  std::vector<Term> of(const HornAtom& atom) const {
    const auto& parameters = system_.predicates[atom.predicate.index()].parameters;
    term::Substitution arguments;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      arguments.emplace(parameters[i].name(), atom.arguments[i]);
    std::vector<Term> out;
    for (const Term& c : candidates_[atom.predicate.index()])
      out.push_back(term::substitute(c, arguments));
    return out;
  }

  void add_body(const HornClause& clause) {
    solver_->add(clause.constraint);
    for (const HornAtom& atom : clause.body) solver_->add(term::conjunction(of(atom)));
  }

  /// Whether the head lost a candidate; none if that could not be decided.
  std::optional<bool> weaken(const HornClause& clause) {
    if (context_.step()) return std::nullopt;
    auto& list = candidates_[clause.head->predicate.index()];
    const std::vector<Term> head = of(*clause.head);
    if (head.empty()) return false;
    solver_->push();
    add_body(clause);
    solver_->add(term::negation(term::conjunction(head)));
    const solver::SmtAnswer answer = solver_->check(context_);
    std::vector<Term> kept;
    if (answer == solver::SmtAnswer::Satisfiable) {
      std::map<std::string, base::Integer> model;
      for (const Term& v : term::variables(head)) model.emplace(v.name(), solver_->value(v));
      const term::Assignment in_model = [&](const Term& v) { return model.at(v.name()); };
      for (std::size_t i = 0; i < head.size(); ++i)
        if (term::holds(head[i], in_model)) kept.push_back(list[i]);
    }
    solver_->pop();
    if (answer == solver::SmtAnswer::Unsatisfiable) return false;
    if (answer == solver::SmtAnswer::Unknown || kept.size() == list.size()) return std::nullopt;
    list = std::move(kept);
    return true;
  }

  bool is_excluded(const HornClause& clause) {
    if (context_.step()) return false;
    solver_->push();
    add_body(clause);
    const solver::SmtAnswer answer = solver_->check(context_);
    solver_->pop();
    return answer == solver::SmtAnswer::Unsatisfiable;
  }

  const HornSystem& system_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  Constants constants_;
  std::set<std::string> shared_;               ///< parameters of all predicates
  std::vector<std::vector<Term>> candidates_;  ///< by predicate
};

}  // namespace

std::optional<term::HornSolution> fit_templates(const HornSystem& system,
                                                base::RunContext& context) {
  return Templates(system, context).run();
}

}  // namespace heddle::engine::compositional
