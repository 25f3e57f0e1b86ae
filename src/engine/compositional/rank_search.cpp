#include "engine/compositional/rank_search.hpp"

#include <algorithm>
#include <map>

#include "base/components.hpp"
#include "engine/compositional/clauses.hpp"
#include "solver/smt.hpp"

/// Lexicographic linear ranks, one thread at a time, whatever the others do.
///
/// S is the set of steps that may be taken for ever: at first all, without those that are on no
/// cycle of their thread. For the loops of a thread that are connected with each other, a linear
/// form over globals and locals is wanted that no step of S increases, of this thread or of
/// another, and that at least one step of this thread decreases. That step leaves S, and so on,
/// until S is empty (check/c/ranks.cpp says why this suffices). Since a step that has left S may
/// increase later ranks, this gives nested loops, loops that a thread leaves to another one, and
/// orders of threads, without any further rule. Steps of a replicated thread leave S after all that
/// create it.
///
/// Forms are found by examples. One solver proposes coefficients, at first with a small sum of
/// absolute values; another one looks for a step that contradicts them, under the invariants; the
/// change of the variables in that step is a linear inequality over the coefficients. Nothing is
/// demanded of the shape of steps, so cases of arithmetic that wraps need no special treatment.
///
/// All variables have finite ranges, so every form is bounded from below: a constant is added, as
/// small as one of a few attempts.

namespace heddle::engine::compositional {

using namespace model::threads;
using base::Integer;
using solver::SmtAnswer;
using term::Sort;
using term::Term;
using transform::blocks::BlockStep;

namespace {

constexpr long kGreatestCoefficient = 16;
constexpr std::size_t kMostExamples = 300;

class RankSearch : Clauses {
  /// What a step does to the variables of a form.
  struct Query {
    Term body = term::constant(true);
    std::vector<Term> changes;       ///< by variable: before − after
    std::optional<std::size_t> own;  ///< which step of the loop; none: of another thread
  };
  struct Form {
    std::vector<Integer> coefficients;
    std::vector<bool> decreases;  ///< by step of the loop
  };

 public:
  RankSearch(const Prepared& prepared, const Encoding& encoding,
             const term::HornSolution& invariants, base::RunContext& context)
      : Clauses(prepared),
        context_(context),
        examples_(solver::make_smt_solver(solver::SmtBackend::Z3)) {
    for (std::size_t i = 0; i < encoding.meanings.size(); ++i) {
      const auto& at = encoding.meanings[i].at;
      if (at.size() == 1)
        invariants_.emplace(std::pair(at[0].first.value, at[0].second), invariants.formulas[i]);
    }
    for (const auto& steps : blocks_.steps) {
      auto& left = left_.emplace_back();
      for (const BlockStep& step : steps) left.push_back(&step);
    }
  }

  RankSearchResult run() {
    RankSearchResult out;
    Ranking ranking;
    for (keep_cycles(); !is_done(); keep_cycles()) {
      if (context_.stopped()) return out;
      if (improve(ranking)) continue;
      out.why = why_;
      return out;
    }
    out.ranking = std::move(ranking);
    return out;
  }

 private:
  bool is_done() const {
    return std::ranges::all_of(left_, [](const auto& steps) { return steps.empty(); });
  }

  std::vector<std::vector<std::uint32_t>> components(std::size_t t) const {
    std::vector<std::vector<std::uint32_t>> next(program_.threads[t].points.size());
    for (const BlockStep* step : left_[t]) next[step->from.index()].push_back(step->to.value);
    return base::strongly_connected_components(next);
  }

  /// Whether copies of a replicated thread may be created for ever.
  bool may_be_created(std::size_t t) const {
    return program_.threads[t].is_replicated && std::ranges::any_of(left_, [&](const auto& steps) {
             return std::ranges::any_of(steps, [&](const BlockStep* step) {
               return std::ranges::any_of(step->creations, [&](const Creation& creation) {
                 return creation.thread.index() == t;
               });
             });
           });
  }

  void keep_cycles() {
    for (std::size_t before = size() + 1; before != size();) {
      before = size();
      remove_what_is_on_no_cycle();
    }
  }

  std::size_t size() const {
    std::size_t out = 0;
    for (const auto& steps : left_) out += steps.size();
    return out;
  }

  void remove_what_is_on_no_cycle() {
    for (std::size_t t = 0; t < left_.size(); ++t) {
      if (may_be_created(t)) continue;
      std::vector<std::size_t> component(program_.threads[t].points.size());
      const auto all = components(t);
      for (std::size_t c = 0; c < all.size(); ++c)
        for (const std::uint32_t p : all[c]) component[p] = c;
      std::erase_if(left_[t], [&](const BlockStep* step) {
        return component[step->from.index()] != component[step->to.index()];
      });
    }
  }

  /// One more rank, for any loops.
  bool improve(Ranking& ranking) {
    why_ = "threads may create each other for ever";
    for (std::size_t t = 0; t < left_.size(); ++t) {
      if (may_be_created(t)) continue;
      for (const auto& points : components(t)) {
        std::vector<const BlockStep*> loop;
        for (const BlockStep* step : left_[t])
          if (std::ranges::find(points, step->from.value) != points.end()) loop.push_back(step);
        if (loop.empty()) continue;
        if (auto rank = rank_of(ThreadIndex(t), points, loop)) {
          ranking.push_back(std::move(*rank));
          return true;
        }
        why_ = "no rank was found for the loop at line " +
               std::to_string(program_.threads[t].points[points.front()].position.line) +
               " of thread " + program_.threads[t].name;
        if (context_.stopped()) return false;
      }
    }
    return false;
  }

  std::optional<Rank> rank_of(ThreadIndex t, std::vector<std::uint32_t> points,
                              const std::vector<const BlockStep*>& loop) {
    std::ranges::sort(points);
    const std::vector<VariableId> variables = variables_of(t, points);
    const std::vector<Query> queries = queries_of(t, points, loop, variables);
    auto form = find_form(variables, queries, loop.size());
    if (!form) return std::nullopt;
    find_all_decreases(*form, queries);
    std::vector<Term> parts;
    for (std::size_t i = 0; i < variables.size(); ++i)
      parts.push_back(term::product(form->coefficients[i], variable(variables[i]).term));
    const Term value =
        term::sum({term::sum(parts), term::constant(least_constant(variables, *form, queries))});
    std::erase_if(left_[t.index()], [&](const BlockStep* step) {
      const auto found = std::ranges::find(loop, step);
      return found != loop.end() && form->decreases[static_cast<std::size_t>(found - loop.begin())];
    });
    Rank rank{t, {}};
    for (const std::uint32_t p : points) rank.at.emplace_back(p, value);
    return rank;
  }

  /// Integers that are there at all points.
  std::vector<VariableId> variables_of(ThreadIndex t, const std::vector<std::uint32_t>& points) {
    std::vector<VariableId> out;
    const auto use = [&](VariableId v) {
      if (variable(v).term.sort() == Sort::Integer && variable(v).greatest) out.push_back(v);
    };
    for (const VariableId v : program_.globals) use(v);
    for (const VariableId v : thread(t).locals)
      if (std::ranges::all_of(points, [&](std::uint32_t p) {
            const auto& live = blocks_.live[t.index()][p];
            return std::ranges::find(live, v) != live.end();
          }))
        use(v);
    return out;
  }

  // ---- steps

  Term invariant(ThreadIndex t, Point p, const std::string& mark) const {
    const auto found = invariants_.find({t.value, p.value});
    if (found == invariants_.end()) return term::constant(false);
    return term::conjunction({term::substitute(found->second, names(t, {}, mark)),
                              facts(t, p, mark), ranges_of_locals(t, p, mark)});
  }

  Term taken(const BlockStep& step) const {
    const bool is_out = blocks_.partition.out(step.thread, step.from);
    const long busy = is_out ? 0 : static_cast<long>(step.thread.value) + 1;
    return term::conjunction({invariant(step.thread, step.from, ""), enabled(step, ""),
                              ranges_of_globals(),
                              term::equal(term::variable("busy", Sort::Integer), number(busy))});
  }

  /// `is_own`: the variables are those of the thread that steps.
  Query query(const BlockStep& step, const std::vector<VariableId>& variables, bool is_own) const {
    Query out;
    out.body = taken(step);
    for (const VariableId v : variables) {
      const bool is_kept = variable(v).owner && !is_own;
      out.changes.push_back(
          is_kept ? number(0)
                  : term::sum({variable(v).term, term::product(Integer(-1), after(step, v, ""))}));
    }
    return out;
  }

  /// The thread that steps, and another one whose locals are marked.
  Term differ(ThreadIndex a, ThreadIndex b, const std::string& mark) const {
    return term::negation(term::equal(self_of(program_, a),
                                      term::substitute(self_of(program_, b), names(b, {}, mark))));
  }

  std::vector<Query> queries_of(ThreadIndex t, const std::vector<std::uint32_t>& points,
                                const std::vector<const BlockStep*>& loop,
                                const std::vector<VariableId>& variables) const {
    std::vector<Query> out;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      out.push_back(query(*loop[i], variables, true));
      out.back().own = i;
    }
    for (std::size_t u = 0; u < left_.size(); ++u) {
      if (u == t.index() && !thread(t).is_replicated) continue;
      for (const BlockStep* step : left_[u]) {
        const bool writes = std::ranges::any_of(step->assignments, [&](const Assignment& a) {
          return !variable(a.variable).owner &&
                 std::ranges::find(variables, a.variable) != variables.end();
        });
        if (!writes) continue;
        for (const std::uint32_t p : points) {
          if (!blocks_.partition.out(t, Point(p))) continue;
          out.push_back(query(*step, variables, false));
          out.back().body = term::conjunction(
              {out.back().body, invariant(t, Point(p), "!o"), differ(step->thread, t, "!o")});
        }
      }
    }
    return out;
  }

  // ---- forms

  static Term coefficient(std::size_t i) {
    return term::variable("c!" + std::to_string(i), Sort::Integer);
  }
  static Term magnitude(std::size_t i) {
    return term::variable("a!" + std::to_string(i), Sort::Integer);
  }
  static Term decrease(std::size_t i) {
    return term::variable("d!" + std::to_string(i), Sort::Boolean);
  }

  std::optional<Form> find_form(const std::vector<VariableId>& variables,
                                const std::vector<Query>& queries, std::size_t steps) {
    const auto proposals = solver::make_smt_solver(solver::SmtBackend::Z3);
    std::vector<Term> some, magnitudes;
    for (std::size_t i = 0; i < steps; ++i) some.push_back(decrease(i));
    proposals->add(term::disjunction(some));
    for (std::size_t i = 0; i < variables.size(); ++i) {
      magnitudes.push_back(magnitude(i));
      proposals->add(term::at_most(coefficient(i), magnitude(i)));
      proposals->add(term::at_most(term::product(Integer(-1), coefficient(i)), magnitude(i)));
    }
    std::vector<Term> known;  // what examples say
    for (long most = 1; most <= kGreatestCoefficient; most *= 2) {
      proposals->push();
      proposals->add(term::at_most(term::sum(magnitudes), number(most)));
      for (const Term& example : known) proposals->add(example);
      while (known.size() < kMostExamples && !context_.step() &&
             proposals->check(context_) == SmtAnswer::Satisfiable) {
        Form form;
        for (std::size_t i = 0; i < variables.size(); ++i)
          form.coefficients.push_back(proposals->value(coefficient(i)));
        for (std::size_t i = 0; i < steps; ++i)
          form.decreases.push_back(proposals->value(decrease(i)) != 0);
        const auto example = contradiction(form, queries);
        if (is_undecided_) return std::nullopt;
        if (!example) return form;
        known.push_back(*example);
        proposals->add(*example);
      }
      proposals->pop();
      if (context_.stopped() || known.size() >= kMostExamples) break;
    }
    return std::nullopt;
  }

  /// A step that does not do what the form demands, as a demand on coefficients.
  std::optional<Term> contradiction(const Form& form, const std::vector<Query>& queries) {
    for (const Query& query : queries) {
      std::vector<Term> parts;
      for (std::size_t i = 0; i < form.coefficients.size(); ++i)
        parts.push_back(term::product(form.coefficients[i], query.changes[i]));
      const bool must_decrease = query.own && form.decreases[*query.own];
      examples_->push();
      examples_->add(query.body);
      examples_->add(term::at_most(term::sum(parts), number(must_decrease ? 0 : -1)));
      std::vector<Term> values;
      for (std::size_t i = 0; i < query.changes.size(); ++i) {
        values.push_back(term::variable("change!" + std::to_string(i), Sort::Integer));
        examples_->add(term::equal(values.back(), query.changes[i]));
      }
      const SmtAnswer answer = examples_->check(context_);
      std::optional<Term> out;
      if (answer == SmtAnswer::Satisfiable) out = demand(query, values);
      is_undecided_ = answer == SmtAnswer::Unknown;
      examples_->pop();
      if (out || is_undecided_) return out;
    }
    return std::nullopt;
  }

  /// Steps that decrease the form without having been asked to.
  void find_all_decreases(Form& form, const std::vector<Query>& queries) {
    for (const Query& query : queries) {
      if (!query.own || form.decreases[*query.own]) continue;
      form.decreases[*query.own] = true;
      if (contradiction(form, {query}) || is_undecided_) form.decreases[*query.own] = false;
      is_undecided_ = false;
    }
  }

  Term demand(const Query& query, const std::vector<Term>& changes) {
    std::vector<Term> parts;
    for (std::size_t i = 0; i < changes.size(); ++i)
      parts.push_back(term::product(examples_->value(changes[i]), coefficient(i)));
    const Term change = term::sum(std::move(parts));
    const Term least =
        query.own ? term::choice(decrease(*query.own), number(1), number(0)) : number(0);
    return term::at_least(change, least);
  }

  /// Added to the form, it is not negative before a step that decreases it.
  Integer least_constant(const std::vector<VariableId>& variables, const Form& form,
                         const std::vector<Query>& queries) {
    std::vector<Term> parts;
    Integer by_ranges = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& v = variable(variables[i]);
      const Integer& c = form.coefficients[i];
      parts.push_back(term::product(c, v.term));
      by_ranges -= c * (c > 0 ? v.least : *v.greatest);
    }
    for (const long constant : {0L, 1L}) {
      const Term below = term::at_most(term::sum({term::sum(parts), number(constant)}), number(-1));
      const bool is_enough = std::ranges::all_of(queries, [&](const Query& query) {
        if (!query.own || !form.decreases[*query.own]) return true;
        examples_->push();
        examples_->add(query.body);
        examples_->add(below);
        const SmtAnswer answer = examples_->check(context_);
        examples_->pop();
        return answer == SmtAnswer::Unsatisfiable;
      });
      if (is_enough) return constant;
    }
    return by_ranges;
  }

  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> examples_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Term> invariants_;  ///< by thread and point
  std::vector<std::vector<const BlockStep*>> left_;                     ///< S, by thread
  bool is_undecided_ = false;
  std::string why_;
};

}  // namespace

RankSearchResult find_ranking(const Prepared& prepared, const Encoding& encoding,
                              const term::HornSolution& invariants, base::RunContext& context) {
  return RankSearch(prepared, encoding, invariants, context).run();
}

}  // namespace heddle::engine::compositional
