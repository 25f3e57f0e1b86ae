#include "engine/compositional/bounds.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <ranges>
#include <set>

#include "engine/compositional/linear_space.hpp"
#include "solver/smt.hpp"
#include "term/print.hpp"

/// Abstract interpretation of Horn clauses. The value of a predicate is false, or a conjunction of
///
///   x - y <= c, x != y, x <= c, c <= x, b, not b      for parameters x, y and b, and
///   n <= c, n - x <= c                                for the number n of threads of one kind
///   a·x + b·y + … = c                                 for integer parameters
///
/// or only of the bounds of single parameters (*intervals*),
/// with c from a few thresholds: -1, 0 and 1 for differences, the constants of the clauses for
/// single parameters. Each form has one bound, the tightest at first. All predicates begin as
/// false. A clause whose body is possible is given to the solver together with the negation of its
/// head; a model is a state that the head does not have yet, and every bound that it violates is
/// loosened to the next threshold that it keeps to, or dropped; dropped, too, if it was often
/// loosened. So what a query finds out costs one model, however many bounds there are. Bounds are
/// only ever loosened, so this ends; then every clause with a head holds.
///
/// The equalities are those of the states that models showed, and of samples: of all points of the
/// smallest affine space that contains them (Reps, Sagiv, Yorsh, "Symbolic implementation of the
/// best transformer", 2004, for Karr's domain). Each state that violates one makes that space
/// larger, so there are at most as many as there are parameters. Bounds and equalities help each
/// other: as long as i <= n <= 1000 and x = 3 i, no sum wraps.
///
/// A bound over parameters that the clause takes over unchanged from an atom of the same predicate
/// holds already: interference changes few globals, so few bounds are asked about.
///
/// Ticket locks need x != y and x < y between locals of two threads and globals; loops with as many
/// threads as a variable says need x <= number of threads that have ended. Spacer finds these too,
/// as a rule after trying many others.

namespace heddle::engine::compositional {

using base::Integer;
using term::HornAtom;
using term::HornClause;
using term::Sort;
using term::Term;

namespace {

/// A linear form over parameters with its bound, or two parameters that differ.
struct BoundRow {
  std::vector<std::pair<std::size_t, int>> form;  ///< parameter, coefficient
  bool is_disequality = false;                    ///< of two parameters
  std::uint32_t loosened = 0;                     ///< how often
  std::uint32_t bound = 0;                        ///< index of a threshold
  std::uint32_t bounds = 1;  ///< how many there are; dropped if `bound` is not below
  const std::vector<Integer>* thresholds = nullptr;
  bool is_dropped() const { return bound >= bounds; }
};

struct PredicateBounds {
  bool is_reached = false;
  std::vector<BoundRow> rows;
  std::vector<std::size_t> measured;  ///< parameters that equalities are about
  LinearSpace space;                  ///< of the states so far: 1, then what is measured
  std::vector<LinearVector> equalities;
};

/// All constants, and those that something is compared with by size.
struct ComparedConstants {
  std::set<Integer> all, limits;
};

void add_constants_of(const Term& term, ComparedConstants& out, std::set<const void*>& seen) {
  if (!seen.insert(term.identity()).second) return;
  if (term.op() == term::Operator::Integer) out.all.insert(term.integer());
  if (term.op() == term::Operator::AtMost)
    for (const Term& side : term.arguments())
      if (side.op() == term::Operator::Integer) out.limits.insert(side.integer());
  if (term.op() == term::Operator::Integer || term.op() == term::Operator::Variable ||
      term.op() == term::Operator::Boolean)
    return;
  for (const Term& part : term.arguments()) add_constants_of(part, out, seen);
}

class BoundSearch {
 public:
  BoundSearch(const term::HornSystem& system, BoundForms forms, std::size_t most_queries,
              base::RunContext& context, const Samples& samples)
      : system_(system),
        forms_(forms),
        queries_left_(most_queries),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    collect_thresholds();
    find_compared();
    for (const auto& predicate : system.predicates) make_rows(predicate.parameters);
    users_.resize(system.predicates.size());
    for (std::size_t c = 0; c < system.clauses.size(); ++c)
      for (const HornAtom& atom : system.clauses[c].body)
        users_[atom.predicate.index()].push_back(c);
    for (std::size_t p = 0; p < samples.states.size(); ++p)
      for (const auto& values : samples.states[p]) add(states_[p], values);
  }

  std::optional<Bounds> run() {
    for (std::size_t c = 0; c < system_.clauses.size(); ++c)
      if (is_possible(system_.clauses[c])) enqueue(c);
    while (!work_.empty()) {
      const std::size_t c = work_.front();
      work_.pop_front();
      is_waiting_.erase(c);
      if (!apply(system_.clauses[c])) return std::nullopt;
    }
    Bounds out;
    for (std::size_t p = 0; p < states_.size(); ++p)
      out.solution.formulas.push_back(formula(p, system_.predicates[p].parameters));
    out.is_proof = true;
    for (const HornClause& clause : system_.clauses) {
      if (clause.head || !is_possible(clause)) continue;
      if (!ask(clause, {})) return std::nullopt;
      const bool holds = last_ == solver::SmtAnswer::Unsatisfiable;
      solver_->pop();
      if (holds) continue;
      out.is_proof = false;
      break;
    }
    return out;
  }

 private:
  void collect_thresholds() {
    ComparedConstants constants{{0, 1}, {0, 1}};
    std::set<const void*> seen;
    for (const HornClause& clause : system_.clauses)
      add_constants_of(clause.constraint, constants, seen);
    for (const Integer& x : around_smallest(constants.all)) single_.push_back(x);
    for (const Integer& x : around_smallest(constants.limits)) {
      limits_.insert(x);
      single_.push_back(x);
    }
    std::ranges::sort(single_);
    const auto doubles = std::ranges::unique(single_);
    single_.erase(doubles.begin(), doubles.end());
  }

  /// Few, the smallest in size: the ends of ranges are known anyway.
  static std::set<Integer> around_smallest(const std::set<Integer>& constants) {
    std::vector<Integer> all(constants.begin(), constants.end());
    std::ranges::sort(all, {}, [](const Integer& x) { return Integer(abs(x)); });
    constexpr std::size_t kMost = 12;
    if (all.size() > kMost) all.resize(kMost);
    std::set<Integer> both;
    for (const Integer& x : all)
      for (const int by : {-1, 0, 1}) both.insert({Integer(x + by), Integer(by - x)});
    return both;
  }

  /// Names of variables that are compared with others, or that something is added to, and those
  /// that get their values or give them theirs. If there are many parameters, only these are worth
  /// comparing: not places of arrays, nor handles.
  void find_compared() {
    std::set<const void*> seen;
    std::set<std::pair<std::string, std::string>> given;
    for (const HornClause& clause : system_.clauses) {
      find_compared(clause.constraint, seen);
      if (!clause.head) continue;
      const auto& parameters = system_.predicates[clause.head->predicate.index()].parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Term& value = clause.head->arguments[i];
        const bool is_sum = value.op() == term::Operator::Sum;
        if (is_sum) compared_.insert(base_name(parameters[i].name()));
        if (!is_sum && value.op() != term::Operator::Variable) continue;
        for (const Term& v : term::variables({value}))
          given.emplace(base_name(v.name()), base_name(parameters[i].name()));
      }
    }
    for (std::size_t before = 0; before != compared_.size();) {
      before = compared_.size();
      for (const auto& [from, to] : given)
        if (compared_.contains(from) || compared_.contains(to)) compared_.insert({from, to});
    }
  }

  void find_compared(const Term& term, std::set<const void*>& seen) {
    if (!seen.insert(term.identity()).second || term.sort() != Sort::Boolean) return;
    if (term.op() == term::Operator::AtMost) {
      const auto left = term::variables({term.arguments()[0]});
      const auto right = term::variables({term.arguments()[1]});
      if (left.size() != 1 || right.size() != 1) return;
      for (const Term& v : {left[0], right[0]}) compared_.insert(base_name(v.name()));
      return;
    }
    for (const Term& part : term.arguments()) find_compared(part, seen);
  }

  /// Without the mark of another thread.
  static std::string base_name(const std::string& name) {
    if (name.starts_with("at!")) return name;
    return name.substr(0, name.find('!'));
  }

  void make_rows(const std::vector<Term>& parameters) {
    constexpr std::size_t kManyParameters = 8;
    const bool are_many = parameters.size() > kManyParameters;
    const auto is_worth = [&](std::size_t i) {
      return !are_many || parameters[i].name().starts_with("at!") ||
             compared_.contains(base_name(parameters[i].name()));
    };
    PredicateBounds& state = states_.emplace_back();
    const auto add = [&](std::vector<std::pair<std::size_t, int>> form,
                         const std::vector<Integer>& thresholds) {
      state.rows.push_back({std::move(form), false, 0, 0,
                            static_cast<std::uint32_t>(thresholds.size()), &thresholds});
    };
    std::map<std::string, std::vector<std::pair<std::size_t, int>>> counts;  // by thread
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string& name = parameters[i].name();
      if (parameters[i].sort() == Sort::Boolean) {
        add({{i, 1}}, boolean_);
        add({{i, -1}}, boolean_);
        continue;
      }
      add({{i, 1}}, single_);
      add({{i, -1}}, single_);
      if (forms_ == BoundForms::Intervals) continue;
      if (name.starts_with("at!")) counts[name.substr(0, name.find('!', 3))].emplace_back(i, 1);
      for (std::size_t j = 0; j < parameters.size(); ++j) {
        if (j == i || parameters[j].sort() == Sort::Boolean) continue;
        if (!is_worth(i) || !is_worth(j)) continue;
        add({{i, 1}, {j, -1}}, difference_);
        if (j < i) state.rows.push_back({{{i, 1}, {j, -1}}, true, 0, 0, 1, &difference_});
      }
    }
    if (forms_ == BoundForms::All)
      for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].sort() == Sort::Integer && is_worth(i)) state.measured.push_back(i);
    for (const auto& [thread, form] : counts) {
      add(form, single_);
      for (std::size_t j = 0; j < parameters.size(); ++j) {
        if (parameters[j].sort() == Sort::Boolean || parameters[j].name().starts_with("at!"))
          continue;
        auto less = form;
        less.emplace_back(j, -1);
        add(std::move(less), difference_);
      }
    }
  }

  void enqueue(std::size_t clause) {
    if (system_.clauses[clause].head && is_waiting_.insert(clause).second) work_.push_back(clause);
  }

  bool is_possible(const HornClause& clause) const {
    return std::ranges::all_of(clause.body, [&](const HornAtom& atom) {
      return states_[atom.predicate.index()].is_reached;
    });
  }

  static Term row_term(const BoundRow& row, const std::vector<Term>& arguments) {
    if (row.is_disequality)
      return term::negation(
          term::equal(arguments[row.form[0].first], arguments[row.form[1].first]));
    const Integer& bound = (*row.thresholds)[row.bound];
    if (arguments[row.form[0].first].sort() == Sort::Boolean) {
      const Term& literal = arguments[row.form[0].first];
      return row.form[0].second > 0 ? term::negation(literal) : literal;
    }
    std::vector<Term> left, right;
    for (const auto& [parameter, coefficient] : row.form)
      (coefficient > 0 ? left : right).push_back(arguments[parameter]);
    (bound < 0 ? left : right).push_back(term::constant(Integer(abs(bound))));
    return term::at_most(term::sum(std::move(left)), term::sum(std::move(right)));
  }

  Term formula(std::size_t predicate, const std::vector<Term>& arguments) const {
    const PredicateBounds& state = states_[predicate];
    if (!state.is_reached) return term::constant(false);
    std::vector<Term> parts;
    for (const BoundRow& row : state.rows)
      if (!row.is_dropped()) parts.push_back(row_term(row, arguments));
    for (const LinearVector& equality : state.equalities)
      parts.push_back(equality_term(state, equality, arguments));
    return term::conjunction(std::move(parts));
  }

  static Term equality_term(const PredicateBounds& state, const LinearVector& equality,
                            const std::vector<Term>& arguments) {
    std::vector<Term> names = {term::constant(Integer(1))};
    for (const std::size_t i : state.measured) names.push_back(arguments[i]);
    return vanishing(names, equality);
  }

  /// The space of equalities, with another state in it.
  static void widen(PredicateBounds& state, const std::vector<Integer>& values) {
    if (state.measured.empty()) return;
    LinearVector point = {{0, 1}};
    for (std::size_t i = 0; i < state.measured.size(); ++i)
      if (const Integer& x = values[state.measured[i]]; x != 0)
        point.emplace(static_cast<std::uint32_t>(i + 1), x);
    if (!state.space.add(std::move(point))) return;
    const auto size = static_cast<std::uint32_t>(state.measured.size() + 1);
    state.equalities = state.space.equalities(size);
  }

  static bool is_violated(const BoundRow& row, const std::vector<Integer>& values) {
    Integer sum = 0;
    for (const auto& [parameter, coefficient] : row.form) sum += values[parameter] * coefficient;
    return row.is_disequality ? sum == 0 : sum > (*row.thresholds)[row.bound];
  }

  /// To the first threshold that a state keeps to which is known to belong to the predicate.
  static void add(PredicateBounds& state, const std::vector<Integer>& values) {
    state.is_reached = true;
    for (BoundRow& row : state.rows)
      while (!row.is_dropped() && is_violated(row, values)) ++row.bound;
    widen(state, values);
  }

  /// To the first threshold that the values keep to, which after a few times is one that something
  /// is compared with by size: an array brings all its indices as constants. Dropped if it happens
  /// often.
  void loosen(BoundRow& row, const std::vector<Integer>& values) const {
    constexpr std::uint32_t kExact = 2;
    const std::uint32_t often = forms_ == BoundForms::Intervals ? 10 : 20;
    if (row.is_dropped() || !is_violated(row, values)) return;
    const bool is_coarse = row.thresholds == &single_ && row.loosened >= kExact;
    while (!row.is_dropped() && (is_violated(row, values) ||
                                 (is_coarse && !limits_.contains((*row.thresholds)[row.bound]))))
      ++row.bound;
    if (++row.loosened > often) row.bound = row.bounds;
  }

  /// Asserts the body, and something else; leaves a level of assertions behind. False: give up.
  bool ask(const HornClause& clause, const std::vector<Term>& more) {
    if (queries_left_ == 0 || context_.step()) return false;
    --queries_left_;
    solver_->push();
    solver_->add(clause.constraint);
    for (const HornAtom& atom : clause.body)
      solver_->add(formula(atom.predicate.index(), atom.arguments));
    for (const Term& part : more) solver_->add(part);
    last_ = solver_->check(context_);
    if (last_ != solver::SmtAnswer::Unknown) return true;
    solver_->pop();
    return false;
  }

  /// Whether a parameter is what it is in an atom of the body.
  static bool is_kept(std::size_t parameter, const HornAtom& head, const HornAtom& before) {
    const Term &after = head.arguments[parameter], &then = before.arguments[parameter];
    return after.op() == term::Operator::Variable && then.op() == term::Operator::Variable &&
           after.name() == then.name();
  }
  /// Whether what it speaks about is kept by an atom of the same predicate, so that it holds.
  template <class Parameters>
  static bool is_known(const HornClause& clause, const Parameters& parameters) {
    return std::ranges::any_of(clause.body, [&](const HornAtom& atom) {
      return atom.predicate == clause.head->predicate &&
             std::ranges::all_of(parameters,
                                 [&](std::size_t i) { return is_kept(i, *clause.head, atom); });
    });
  }

  /// What a state may violate that the clause leads to.
  std::vector<Term> violations(const HornClause& clause, const std::vector<Term>& named) const {
    const PredicateBounds& state = states_[clause.head->predicate.index()];
    std::vector<Term> out;
    for (const BoundRow& row : state.rows)
      if (!row.is_dropped() && !is_known(clause, std::views::keys(row.form)))
        out.push_back(term::negation(row_term(row, named)));
    for (const LinearVector& equality : state.equalities) {
      std::vector<std::size_t> parameters;
      for (const auto& [i, factor] : equality)
        if (i != 0) parameters.push_back(state.measured[i - 1]);
      if (!is_known(clause, parameters))
        out.push_back(term::negation(equality_term(state, equality, named)));
    }
    return out;
  }

  bool apply(const HornClause& clause) {
    if (!is_possible(clause)) return true;
    const HornAtom& head = *clause.head;
    PredicateBounds& state = states_[head.predicate.index()];
    std::vector<Term> named, equations;  // the arguments of the head as variables
    for (std::size_t i = 0; i < head.arguments.size(); ++i) {
      named.push_back(term::variable("head!" + std::to_string(i), head.arguments[i].sort()));
      equations.push_back(term::equal(named[i], head.arguments[i]));
    }
    bool is_changed = false;
    for (;;) {
      std::vector<Term> violated;
      if (state.is_reached) violated = violations(clause, named);
      if (state.is_reached && violated.empty()) break;
      std::vector<Term> more = equations;
      if (state.is_reached) more.push_back(term::disjunction(std::move(violated)));
      if (!ask(clause, more)) return false;
      if (last_ == solver::SmtAnswer::Unsatisfiable) {
        solver_->pop();
        break;
      }
      std::vector<Integer> values;
      for (const Term& v : named) values.push_back(solver_->value(v));
      solver_->pop();
      state.is_reached = is_changed = true;
      for (BoundRow& row : state.rows) loosen(row, values);
      widen(state, values);
    }
    if (is_changed)
      for (const std::size_t user : users_[head.predicate.index()]) enqueue(user);
    return true;
  }

  const term::HornSystem& system_;
  BoundForms forms_;
  std::set<std::string> compared_;
  std::size_t queries_left_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  solver::SmtAnswer last_ = solver::SmtAnswer::Unknown;
  std::vector<Integer> single_;
  std::set<Integer> limits_;  ///< of these, those that something is compared with by size
  const std::vector<Integer> difference_ = {-1, 0, 1}, boolean_ = {0};
  std::vector<PredicateBounds> states_;
  std::vector<std::vector<std::size_t>> users_;  ///< clauses, by predicate in the body
  std::deque<std::size_t> work_;
  std::set<std::size_t> is_waiting_;
};

}  // namespace

std::optional<Bounds> find_bounds(const term::HornSystem& system, BoundForms forms,
                                  std::size_t most_queries, base::RunContext& context,
                                  const Samples& samples) {
  return BoundSearch(system, forms, most_queries, context, samples).run();
}

term::HornSystem strengthened(const term::HornSystem& system, const term::HornSolution& known) {
  term::HornSystem out;
  out.predicates = system.predicates;
  for (HornClause clause : system.clauses) {
    std::vector<Term> parts = {clause.constraint};
    for (const HornAtom& atom : clause.body) parts.push_back(term::instance(system, known, atom));
    clause.constraint = term::conjunction(std::move(parts));
    if (clause.constraint.op() == term::Operator::Boolean && !clause.constraint.boolean()) continue;
    out.clauses.push_back(std::move(clause));
  }
  return out;
}

}  // namespace heddle::engine::compositional
