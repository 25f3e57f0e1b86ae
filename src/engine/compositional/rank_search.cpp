#include "engine/compositional/rank_search.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/components.hpp"
#include "engine/compositional/clauses.hpp"
#include "engine/compositional/rank_forms.hpp"
#include "term/print.hpp"

/// Lexicographic ranks, one thread at a time, whatever the others do.
///
/// S is the set of steps that may be taken for ever: at first all, without those that are on no
/// cycle of their thread. For the loops of a thread that are connected with each other, a
/// form over globals and locals is wanted that no step of S increases, of this thread or of
/// another, and that at least one step of this thread decreases. That step leaves S, and so on,
/// until S is empty (check/c/ranks.cpp says why this suffices). Since a step that has left S may
/// increase later ranks, this gives nested loops, loops that a thread leaves to another one, and
/// orders of threads, without any further rule. Steps of a replicated thread leave S after all that
/// create it. Waking up from a condition wait leaves S when no step that is left would wake.
///
/// What a form is, and how it is found, is said in rank_forms.cpp. Four kinds are tried, each for
/// all loops before the next: linear ones; linear ones where a step counts only if its thread can
/// take another one behind it (the last round of a loop may let a variable wrap); the greater one
/// of two linear forms; and the greater one of a linear form and a constant of which only some
/// instances of a step decrease it, which then leave S: that is a phase of the loop.
///
/// If none is found, parts of loops are looked at: steps that can follow each other for ever. If a
/// flag says that a loop counts up and later down, the steps up and those down are two parts, once
/// the step that changes the flag has left S.
///
/// All variables have finite ranges, so every form is bounded from below: a constant is added, as
/// small as one of a few attempts.

namespace heddle::engine::compositional {

using namespace model::threads;
using base::Integer;
using term::Sort;
using term::Substitution;
using term::Term;
using transform::blocks::BlockStep;

namespace {

constexpr std::size_t kMostVariablesOfTwo = 8;  ///< of a form with two pieces
constexpr std::size_t kMostPhases = 6;
constexpr std::size_t kMostStepsOfParts = 40;  ///< of a loop; each pair is a query

/// A step of S: those of its instances that satisfy `only`.
struct RemainingStep {
  const BlockStep* step = nullptr;
  Term only = term::constant(true);
};
using Steps = std::vector<RemainingStep>;

class RankSearch : Clauses {
  enum class Kind : std::uint8_t { Linear, LinearThatContinues, GreaterOfTwo, Phase };

 public:
  RankSearch(const Prepared& prepared, const Encoding& encoding,
             const term::HornSolution& invariants, const Waits& waits, base::RunContext& context)
      : Clauses(prepared), waits_(waits), context_(context), forms_(context) {
    for (std::size_t i = 0; i < encoding.meanings.size(); ++i) {
      const auto& at = encoding.meanings[i].at;
      if (at.size() == 1)
        invariants_.emplace(std::pair(at[0].first.value, at[0].second), invariants.formulas[i]);
    }
    for (const auto& steps : blocks_.steps) {
      auto& left = left_.emplace_back();
      for (const BlockStep& step : steps) left.push_back({&step});
    }
  }

  RankSearchResult run() {
    RankSearchResult out;
    Ranking ranking;
    for (keep_cycles(); !is_done(); keep_cycles()) {
      if (context_.stopped()) return out;
      if (improve(ranking) || improve_parts(ranking)) continue;
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
    for (const auto& [step, only] : left_[t]) next[step->from.index()].push_back(step->to.value);
    return base::strongly_connected_components(next);
  }

  /// Whether copies of a replicated thread may be created for ever.
  bool may_be_created(std::size_t t) const {
    return program_.threads[t].is_replicated && std::ranges::any_of(left_, [&](const auto& steps) {
             return std::ranges::any_of(steps, [&](const RemainingStep& left) {
               return std::ranges::any_of(left.step->creations, [&](const Creation& creation) {
                 return creation.thread.index() == t;
               });
             });
           });
  }

  void keep_cycles() {
    for (std::size_t before = size() + 1; before != size();) {
      before = size();
      remove_what_is_on_no_cycle();
      remove_what_nobody_wakes();
    }
  }

  const Wait* wait_at(const BlockStep& step) const {
    const auto& waits = waits_.at[step.thread.index()];
    const auto found = waits.find(step.from.value);
    return found == waits.end() ? nullptr : &found->second;
  }

  bool may_be_woken(const Wait& sleeper) const {
    return std::ranges::any_of(left_, [&](const auto& steps) {
      return std::ranges::any_of(steps, [&](const RemainingStep& left) {
        const Wait* wait = wait_at(*left.step);
        return wait != nullptr &&
               (wait->kind == Wait::Kind::Signal || wait->kind == Wait::Kind::Broadcast) &&
               (!wait->condition || !sleeper.condition || wait->condition == sleeper.condition);
      });
    });
  }

  void remove_what_nobody_wakes() {
    std::set<const BlockStep*> for_good;
    for (std::size_t t = 0; t < left_.size(); ++t)
      for (const auto& [step, only] : left_[t]) {
        const Wait* wait = wait_at(*step);
        if (wait != nullptr && wait->kind == Wait::Kind::Asleep && !wait->is_timed &&
            !may_be_created(t) && !may_be_woken(*wait))
          for_good.insert(step);
      }
    for (auto& steps : left_)
      std::erase_if(steps, [&](const RemainingStep& left) { return for_good.contains(left.step); });
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
      std::erase_if(left_[t], [&](const RemainingStep& left) {
        return component[left.step->from.index()] != component[left.step->to.index()];
      });
    }
  }

  static constexpr auto kKinds = {Kind::Linear, Kind::LinearThatContinues, Kind::GreaterOfTwo,
                                  Kind::Phase};

  /// One more rank, for any loops.
  bool improve(Ranking& ranking) {
    why_ = "threads may create each other for ever";
    for (const Kind kind : kKinds)
      for (std::size_t t = 0; t < left_.size(); ++t) {
        if (may_be_created(t)) continue;
        for (const auto& points : components(t)) {
          if (improve(ranking, kind, ThreadIndex(t), loop_at(t, points))) return true;
          if (context_.stopped()) return false;
        }
      }
    return false;
  }

  Steps loop_at(std::size_t t, const std::vector<std::uint32_t>& points) const {
    Steps loop;
    for (const RemainingStep& left : left_[t])
      if (std::ranges::find(points, left.step->from.value) != points.end()) loop.push_back(left);
    return loop;
  }

  bool improve(Ranking& ranking, Kind kind, ThreadIndex t, const Steps& loop) {
    if (loop.empty()) return false;
    std::vector<std::uint32_t> points;
    for (const auto& [step, only] : loop) points.push_back(step->from.value);
    std::ranges::sort(points);
    points.erase(std::ranges::unique(points).begin(), points.end());
    if (auto rank = rank_of(kind, t, points, loop)) {
      ranking.push_back(std::move(*rank));
      return true;
    }
    why_ = "no rank was found for the loop at line " +
           std::to_string(thread(t).points[points.front()].position.line) + " of thread " +
           thread(t).name;
    return false;
  }

  // ---- parts of loops

  /// Removes steps that cannot follow each other for ever, or finds a rank for those that can.
  bool improve_parts(Ranking& ranking) {
    for (std::size_t t = 0; t < left_.size(); ++t) {
      if (may_be_created(t)) continue;
      for (const auto& points : components(t)) {
        const Steps loop = loop_at(t, points);
        if (loop.empty() || loop.size() > kMostStepsOfParts) continue;
        const std::vector<Steps> parts = parts_of(loop);
        std::size_t kept = 0;
        for (const Steps& part : parts) kept += part.size();
        if (kept < loop.size()) {
          keep_only(t, points, parts);
          return true;
        }
        if (parts.size() < 2) continue;
        for (const Kind kind : kKinds)
          for (const Steps& part : parts)
            if (improve(ranking, kind, ThreadIndex(t), part)) return true;
      }
    }
    return false;
  }

  /// The strongly connected parts: without steps that are on no cycle.
  std::vector<Steps> parts_of(const Steps& loop) {
    std::vector<std::vector<std::uint32_t>> next(loop.size());
    for (std::uint32_t i = 0; i < loop.size(); ++i)
      for (std::uint32_t j = 0; j < loop.size(); ++j)
        if (loop[i].step->to == loop[j].step->from && may_follow(loop[i], loop[j]))
          next[i].push_back(j);
    std::vector<Steps> out;
    for (const auto& component : base::strongly_connected_components(next)) {
      const std::uint32_t first = component.front();
      if (component.size() == 1 && std::ranges::count(next[first], first) == 0) continue;
      Steps& part = out.emplace_back();
      for (const std::uint32_t i : component) part.push_back(loop[i]);
    }
    return out;
  }

  bool may_follow(const RemainingStep& first, const RemainingStep& second) {
    return forms_.is_possible(
        term::conjunction({taken(Kind::Linear, first), follows(*first.step, second)}));
  }

  void keep_only(std::size_t t, const std::vector<std::uint32_t>& points,
                 const std::vector<Steps>& parts) {
    std::set<const BlockStep*> kept;
    for (const Steps& part : parts)
      for (const auto& [step, only] : part) kept.insert(step);
    std::erase_if(left_[t], [&](const RemainingStep& left) {
      return std::ranges::find(points, left.step->from.value) != points.end() &&
             !kept.contains(left.step);
    });
  }

  // ---- ranks

  std::optional<Rank> rank_of(Kind kind, ThreadIndex t, const std::vector<std::uint32_t>& points,
                              const Steps& loop) {
    if (kind == Kind::Phase && phases_ >= kMostPhases) return std::nullopt;
    std::vector<VariableId> variables = variables_of(t, points);
    if (kind == Kind::GreaterOfTwo || kind == Kind::Phase) {
      keep_mentioned(variables, loop);
      if (variables.size() > kMostVariablesOfTwo) return std::nullopt;
    }
    const std::vector<RankedStep> steps = ranked_steps(kind, t, points, loop, variables);
    const auto form =
        kind == Kind::Phase
            ? forms_.find_phase(variables.size(), steps, loop.size())
            : forms_.find(variables.size(), steps, loop.size(),
                          kind == Kind::GreaterOfTwo ? std::size_t{2} : std::size_t{1});
    if (!form) return std::nullopt;
    std::vector<Term> terms;
    for (const VariableId v : variables) terms.push_back(variable(v).term);
    Integer constant;
    if (kind == Kind::Phase) {
      ++phases_;
      constant = -form->pieces.back().constant;  // so that it is never negative
    } else {
      constant = least_constant(variables, *form, steps);
    }
    for (std::size_t i = 0; i < loop.size(); ++i)
      exclude(t, *loop[i].step, form->decreases[i], kind == Kind::Phase ? &*form : nullptr,
              constant, steps[i]);
    const Term value = term::sum({form->value(terms), term::constant(constant)});
    Rank rank{t, {}};
    for (const std::uint32_t p : points) rank.at.emplace_back(p, value);
    return rank;
  }

  /// The instances of a step that decrease the rank leave S.
  void exclude(ThreadIndex t, const BlockStep& step, bool all, const RankForm* form,
               const Integer& constant, const RankedStep& ranked) {
    auto& left = left_[t.index()];
    const auto found = std::ranges::find(left, &step, &RemainingStep::step);
    if (found == left.end()) return;
    if (all) {
      left.erase(found);
      return;
    }
    if (form == nullptr) return;
    const Term before = term::sum({form->value(ranked.before), term::constant(constant)});
    const Term after = term::sum({form->value(ranked.after), term::constant(constant)});
    const Term falls = term::conjunction(
        {term::at_most(term::sum({after, number(1)}), before), term::at_most(number(0), before)});
    if (forms_.is_possible(term::conjunction({ranked.body, falls})))
      found->only = term::conjunction({found->only, term::negation(falls)});
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

  /// Those that the loop reads or changes.
  void keep_mentioned(std::vector<VariableId>& variables, const Steps& loop) const {
    std::vector<Term> terms;
    std::set<std::string> names;
    for (const auto& [step, only] : loop) {
      terms.push_back(step->guard);
      for (const Assignment& a : step->assignments) {
        terms.push_back(a.value);
        names.insert(variable(a.variable).term.name());
      }
    }
    for (const Term& v : term::variables(terms)) names.insert(v.name());
    std::erase_if(variables, [&](VariableId v) {
      return variable(v).kind == Variable::Kind::Owner || !names.contains(variable(v).term.name());
    });
  }

  // ---- steps

  Term invariant(ThreadIndex t, Point p, const std::string& mark) const {
    const auto found = invariants_.find({t.value, p.value});
    if (found == invariants_.end()) return term::constant(false);
    return term::conjunction({term::substitute(found->second, names(t, {}, mark)),
                              facts(t, p, mark), ranges_of_locals(t, p, mark)});
  }

  Term taken(Kind kind, const RemainingStep& left) const {
    const BlockStep& step = *left.step;
    const bool is_out = blocks_.partition.out(step.thread, step.from);
    const long busy = is_out ? 0 : static_cast<long>(step.thread.value) + 1;
    std::vector<Term> parts = {invariant(step.thread, step.from, ""), enabled(step, ""), left.only,
                               ranges_of_globals(),
                               term::equal(term::variable("busy", Sort::Integer), number(busy))};
    if (kind != Kind::Linear && !may_be_created(step.thread.index()))
      parts.push_back(continues(step));
    return term::conjunction(std::move(parts));
  }

  /// The thread can take another step of S behind this one.
  Term continues(const BlockStep& step) const {
    std::vector<Term> ways;
    for (const RemainingStep& next : left_[step.thread.index()])
      if (next.step->from == step.to) ways.push_back(follows(step, next));
    return term::disjunction(std::move(ways));
  }

  /// The thread can take this step behind another one, after the others have changed what they may
  /// change for ever.
  Term follows(const BlockStep& step, const RemainingStep& next) const {
    const ThreadIndex t = step.thread;
    const std::string later = "!n";
    Substitution then;
    for (const VariableId v : thread(t).locals)
      then.emplace(variable(v).term.name(), after(step, v, ""));
    for (const VariableId v : program_.globals)
      then.emplace(variable(v).term.name(),
                   blocks_.partition.out(t, step.to) && is_written_by_others(t, v)
                       ? marked(variable(v).term, later)
                       : after(step, v, ""));
    for (const Input& input : next.step->inputs)
      then.insert_or_assign(input.term.name(), marked(input.term, later));
    return term::substitute(term::conjunction({enabled(*next.step, ""), next.only}), then);
  }

  bool is_written_by_others(ThreadIndex t, VariableId v) const {
    for (std::size_t u = 0; u < left_.size(); ++u) {
      if (u == t.index() && !thread(t).is_replicated) continue;
      for (const auto& [step, only] : left_[u])
        if (std::ranges::any_of(step->assignments,
                                [&](const Assignment& a) { return a.variable == v; }))
          return true;
    }
    return false;
  }

  /// `is_own`: the variables are those of the thread that steps.
  RankedStep ranked(Kind kind, const RemainingStep& left, const std::vector<VariableId>& variables,
                    bool is_own) const {
    const BlockStep& step = *left.step;
    RankedStep out;
    out.body = taken(kind, left);
    for (const VariableId v : variables) {
      const bool is_kept = variable(v).owner && !is_own;
      out.before.push_back(is_kept ? marked(variable(v).term, "!o") : variable(v).term);
      out.after.push_back(is_kept ? out.before.back() : after(step, v, ""));
    }
    return out;
  }

  /// The thread that steps, and another one whose locals are marked.
  Term differ(ThreadIndex a, ThreadIndex b, const std::string& mark) const {
    return term::negation(term::equal(self_of(program_, a),
                                      term::substitute(self_of(program_, b), names(b, {}, mark))));
  }

  std::vector<RankedStep> ranked_steps(Kind kind, ThreadIndex t,
                                       const std::vector<std::uint32_t>& points, const Steps& loop,
                                       const std::vector<VariableId>& variables) const {
    std::vector<RankedStep> out;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      out.push_back(ranked(kind, loop[i], variables, true));
      out.back().own = i;
    }
    for (std::size_t u = 0; u < left_.size(); ++u) {
      if (u == t.index() && !thread(t).is_replicated) continue;
      for (const RemainingStep& left : left_[u]) {
        const bool writes = std::ranges::any_of(left.step->assignments, [&](const Assignment& a) {
          return !variable(a.variable).owner &&
                 std::ranges::find(variables, a.variable) != variables.end();
        });
        if (!writes) continue;
        for (const std::uint32_t p : points) {
          if (!blocks_.partition.out(t, Point(p))) continue;
          out.push_back(ranked(kind, left, variables, false));
          out.back().body = term::conjunction(
              {out.back().body, invariant(t, Point(p), "!o"), differ(left.step->thread, t, "!o")});
        }
      }
    }
    return out;
  }

  /// Added to the form, it is not negative before a step that decreases it.
  Integer least_constant(const std::vector<VariableId>& variables, const RankForm& form,
                         const std::vector<RankedStep>& steps) {
    for (const long constant : {0L, 1L})
      if (forms_.is_bounded(form, steps, constant)) return constant;
    const RankForm::Piece& piece = form.pieces.front();
    Integer by_ranges = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& v = variable(variables[i]);
      const Integer& c = piece.coefficients[i];
      by_ranges -= c * (c > 0 ? v.least : *v.greatest);
    }
    return by_ranges;
  }

  const Waits& waits_;
  base::RunContext& context_;
  RankForms forms_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Term> invariants_;  ///< by thread and point
  std::vector<Steps> left_;                                             ///< S, by thread
  std::size_t phases_ = 0;
  std::string why_;
};

}  // namespace

RankSearchResult find_ranking(const Prepared& prepared, const Encoding& encoding,
                              const term::HornSolution& invariants, const Waits& waits,
                              base::RunContext& context) {
  return RankSearch(prepared, encoding, invariants, waits, context).run();
}

}  // namespace heddle::engine::compositional
