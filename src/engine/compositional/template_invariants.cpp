#include "engine/compositional/template_invariants.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "model/threads/thread_proof.hpp"
#include "solver/smt.hpp"
#include "term/evaluate.hpp"
#include "term/print.hpp"
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
  Templates(const HornSystem& system, bool has_all, base::RunContext& context)
      : system_(system),
        has_all_(has_all),
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
    for (const auto& predicate : system.predicates) {
      auto& list = candidates_.emplace_back();
      for (const Term& formula : candidates(predicate.parameters)) {
        list.push_back({formula, {}});
        for (const Term& v : term::variables({formula})) list.back().variables.push_back(v.name());
      }
    }
  }

  std::optional<term::HornSolution> run() {
    std::vector<std::vector<std::size_t>> users(system_.predicates.size());
    std::deque<std::size_t> work;
    std::vector<bool> is_waiting(system_.clauses.size());
    for (std::size_t c = 0; c < system_.clauses.size(); ++c) {
      if (!system_.clauses[c].head) continue;
      for (const HornAtom& atom : system_.clauses[c].body)
        users[atom.predicate.index()].push_back(c);
      work.push_back(c);
      is_waiting[c] = true;
    }
    while (!work.empty()) {
      const std::size_t c = work.front();
      work.pop_front();
      is_waiting[c] = false;
      const HornClause& clause = system_.clauses[c];
      bool changed = false;
      while (true) {
        const auto loses = weaken(clause);
        if (!loses) return std::nullopt;
        if (!*loses) break;
        changed = true;
      }
      if (!changed) continue;
      for (const std::size_t user : users[clause.head->predicate.index()])
        if (!is_waiting[user]) {
          is_waiting[user] = true;
          work.push_back(user);
        }
    }
    for (const HornClause& clause : system_.clauses)
      if (!clause.head && !is_excluded(clause)) return std::nullopt;
    term::HornSolution out;
    for (const auto& list : candidates_) {
      std::vector<Term> formulas;
      for (const Candidate& c : list) formulas.push_back(c.formula);
      out.formulas.push_back(term::conjunction(std::move(formulas)));
    }
    return out;
  }

 private:
  static constexpr std::uint64_t kEffort = 300'000;
  static constexpr std::size_t kMostCandidates = 600;
  static constexpr int kMostSmall = 6;
  static constexpr std::size_t kMostQueries = 1500;

  struct Candidate {
    Term formula;
    std::vector<std::string> variables;
  };

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
      if (is_count(x) || !has_all_) continue;
      (counts_threads(x) ? counters : numbers).push_back(x);
      for (const base::Integer& address : constants_.addresses)
        out.push_back(term::equal(x, value(address)));
    }
    if (!has_all_) return out;
    for (const Term& x : parameters)
      for (const unsigned power : {31U, 30U, 29U, 28U, 27U, 26U})
        for (const int less : {0, 1})
          if (x.sort() == Sort::Integer && !is_count(x) && is_bound(power))
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
        if (out.size() < kMostCandidates && x.name() != y.name()) {
          out.push_back(term::at_most(x, y));
          out.push_back(term::at_most(term::sum({x, value(1)}), y));
        }
    return out;
  }

  /// Whether there may be so many elements of an array, by a size that occurs.
  bool is_bound(unsigned power) const {
    const base::Integer least = 1UL << (32U - power);
    return power == 31 || std::ranges::any_of(constants_.factors, [&](const base::Integer& factor) {
             return least <= factor && factor < 2 * least;
           });
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

  term::Substitution arguments_of(const HornAtom& atom) const {
    const auto& parameters = system_.predicates[atom.predicate.index()].parameters;
    term::Substitution out;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      out.emplace(parameters[i].name(), atom.arguments[i]);
    return out;
  }

  std::vector<Term> of(const HornAtom& atom) const {
    const term::Substitution arguments = arguments_of(atom);
    std::vector<Term> out;
    for (const Candidate& c : candidates_[atom.predicate.index()])
      out.push_back(term::substitute(c.formula, arguments));
    return out;
  }

  /// The parameters that the clause takes over unchanged from an atom of the predicate of its head:
  /// what is said about these alone holds already.
  std::set<std::string> unchanged(const HornClause& clause) const {
    const HornAtom& head = *clause.head;
    const auto& parameters = system_.predicates[head.predicate.index()].parameters;
    std::set<std::string> out;
    for (const HornAtom& atom : clause.body) {
      if (atom.predicate != head.predicate) continue;
      for (std::size_t i = 0; i < parameters.size(); ++i)
        if (head.arguments[i].op() == Operator::Variable &&
            atom.arguments[i].op() == Operator::Variable &&
            head.arguments[i].name() == atom.arguments[i].name())
          out.insert(parameters[i].name());
      break;
    }
    return out;
  }

  void add_body(const HornClause& clause) {
    solver_->add(clause.constraint);
    for (const HornAtom& atom : clause.body) solver_->add(term::conjunction(of(atom)));
  }

  /// Whether the head lost a candidate; none if that could not be decided. The body is that of
  /// before: if it has an atom of the head's predicate, the clause is looked at again.
  std::optional<bool> weaken(const HornClause& clause) {
    if (context_.step()) return std::nullopt;
    auto& list = candidates_[clause.head->predicate.index()];
    const std::set<std::string> same = unchanged(clause);
    const term::Substitution arguments = arguments_of(*clause.head);
    std::vector<std::size_t> asked;  // indices of candidates
    std::vector<Term> head;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool is_known = std::ranges::all_of(
          list[i].variables, [&](const std::string& name) { return same.contains(name); });
      if (is_known) continue;
      asked.push_back(i);
      head.push_back(term::substitute(list[i].formula, arguments));
    }
    if (head.empty()) return false;
    solver_->push();
    add_body(clause);
    std::vector<bool> is_lost(list.size());
    const bool is_decided = find_lost(asked, head, is_lost);
    solver_->pop();
    std::vector<Candidate> kept;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!is_lost[i]) kept.push_back(std::move(list[i]));
    const bool loses = kept.size() < list.size();
    list = std::move(kept);
    return is_decided ? std::optional(loses) : std::nullopt;
  }

  /// Marks those of the formulas that do not follow from what the solver was told, or for which it
  /// gives up. Groups of formulas that are too hard together are halved. False if the context stops
  /// or there were too many queries.
  bool find_lost(const std::vector<std::size_t>& indices, const std::vector<Term>& formulas,
                 std::vector<bool>& is_lost) {
    std::vector<std::vector<std::size_t>> groups(1);  // of formulas
    for (std::size_t i = 0; i < formulas.size(); ++i) groups[0].push_back(i);
    while (!groups.empty()) {
      std::vector<std::size_t>& group = groups.back();
      std::erase_if(group, [&](std::size_t i) { return is_lost[indices[i]]; });
      if (group.empty()) {
        groups.pop_back();
        continue;
      }
      if (queries_left_ == 0 || context_.step()) return false;
      --queries_left_;
      std::vector<Term> wanted;
      for (const std::size_t i : group) wanted.push_back(formulas[i]);
      solver_->push();
      solver_->add(term::negation(term::conjunction(std::move(wanted))));
      const solver::SmtAnswer answer = solver_->check(context_);
      if (answer == solver::SmtAnswer::Satisfiable) {
        std::map<std::string, base::Integer> model;
        for (const Term& v : term::variables(formulas)) model.emplace(v.name(), solver_->value(v));
        const term::Assignment in_model = [&](const Term& v) { return model.at(v.name()); };
        for (std::size_t i = 0; i < formulas.size(); ++i)
          if (!term::holds(formulas[i], in_model)) is_lost[indices[i]] = true;
      }
      solver_->pop();
      if (answer == solver::SmtAnswer::Unsatisfiable) groups.pop_back();
      if (answer != solver::SmtAnswer::Unknown) continue;
      if (group.size() == 1) {
        is_lost[indices[group[0]]] = true;
        continue;
      }
      const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
      std::vector<std::size_t> half(middle, group.end());
      group.erase(middle, group.end());
      groups.push_back(std::move(half));
    }
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
  const bool has_all_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  Constants constants_;
  std::set<std::string> shared_;                    ///< parameters of all predicates
  std::vector<std::vector<Candidate>> candidates_;  ///< by predicate
  std::size_t queries_left_ = kMostQueries;
};

}  // namespace

std::optional<term::HornSolution> fit_templates(const HornSystem& system, Stock stock,
                                                base::RunContext& context) {
  return Templates(system, stock == Stock::All, context).run();
}

}  // namespace heddle::engine::compositional
