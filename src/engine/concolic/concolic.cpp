#include "engine/concolic/concolic.hpp"

/// Alg. 3 of papers/cutr.txt, with paths of each kind taken up together.
///
/// Every run from an initial configuration to a target is a walk through the diagram of shared
/// states (diagram.hpp), and so it follows a path through its components. If the path is simple,
/// the search along simple paths finds a run with the same stretches (path_search.hpp, exact). If
/// it is spaghetti, all transitions of the run lie on spaghetti paths, and the backward search over
/// these finds one (spaghetti.hpp, exact). Neither finds one: the targets cannot be reached. Both
/// end: the quotient is acyclic, and backward search always does.
///
/// Two cases need less. If the closed thread states hold no target, that is the answer (Lemma 2,
/// and a little more: P⁺ lets a thread act in a local state in which there is none). If no simple
/// path has a loop on it, there is nothing to summarise and one backward search decides everything.
/// The same search stands in should the solver give up. Where there are many paths none of which
/// serves for another, there are three ways on: along the paths, backward over everything (which
/// few threads make short), and all paths in one formula (joint_paths.hpp). They take turns, each
/// going further than the turn before, so that the engine is never far behind the best of them.

#include <algorithm>
#include <optional>
#include <string>

#include "coverability/invariants.hpp"
#include "engine/concolic/joint_paths.hpp"
#include "engine/concolic/path_search.hpp"
#include "engine/concolic/spaghetti.hpp"
#include "engine/concolic/witness.hpp"
#include "engine/search_verdict.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::engine::concolic {

namespace {

using answer::Verdict;
using coverability::Pruner;
using coverability::ThreadStateRows;

/// Rows of thread states beyond this are not worth their memory.
constexpr std::size_t kRowByteLimit = std::size_t{256} << 20;

/// Formulas about more loops than these can be hard for the checker, whose solver has to go through
/// all paths. Then a basis for everything is preferred, if so many predecessors suffice for it.
constexpr std::size_t kEasyLoops = 8;
constexpr std::uint64_t kBriefSearch = 100'000;

/// The first turn along simple paths, in rivals, and of the joint formula, in units of the solver.
/// Each turn goes so many times as far as the one before.
constexpr std::size_t kFirstTurn = 500;
constexpr std::uint64_t kFirstEffort = 5'000'000;
constexpr unsigned kFurther = 4;

Acceptance accepts(const model::ThreadTask& task) {
  if (transform::needs_monotone_relaxation(task))
    return {"a target with an upper bound is not monotone"};
  if (task.question.targets.empty()) return {"there is no target"};
  return {};
}

/// Does every thread that the target asks for lie in the rows?
bool fits(const ThreadStateRows& rows, const model::Region& target) {
  const auto shared = target.shared.value;
  return rows.has_shared(shared) &&
         std::ranges::all_of(target.bounds, [&](const model::CounterBound& bound) {
           return bound.lower == 0 || rows.contains(shared, bound.counter.value);
         });
}

void leave_statistics(const Diagram& diagram, const PathCounts& paths, base::RunContext& context) {
  const auto count = [&](Shape shape) {
    return static_cast<double>(std::ranges::count(diagram.components(), shape, &Component::shape));
  };
  base::Statistics& statistics = context.statistics();
  statistics.set("trivial components", count(Shape::Trivial));
  statistics.set("simple loops", count(Shape::SimpleLoop));
  statistics.set("spaghetti components", count(Shape::Spaghetti));
  statistics.set("loop-free paths", paths.loop_free);
  statistics.set("simple paths", paths.simple);
  statistics.set("spaghetti paths", paths.spaghetti);
}

class Analysis {
 public:
  Analysis(const model::CountingTask& task, const ConcolicOptions& options,
           base::RunContext& context)
      : task_(task), order_(options.order), context_(context) {}

  Verdict run() {
    const auto& system = std::get<model::ThreadSystem>(task_.model);
    auto rows = coverability::closed_thread_states(system, task_.question.initial, kRowByteLimit);
    if (!rows) return search_everything({});
    const auto& targets = task_.question.targets;
    if (std::ranges::none_of(targets, [&](const auto& target) { return fits(*rows, target); }))
      return answer::Safe{rows->to_certificate()};
    const Diagram diagram(system, *rows);
    const Quotient quotient(diagram, task_.question);
    const PathCounts paths = quotient.count_paths(task_.question);
    leave_statistics(diagram, paths, context_);
    if (quotient.loops_on_simple_paths() == 0) return search_everything(Pruner(std::move(rows)));
    return search_paths(diagram, quotient, std::move(*rows));
  }

 private:
  Verdict search_everything(Pruner pruner) {
    return to_verdict(coverability::backward_search(task_, pruner, order_, context_));
  }

  Verdict search_paths(const Diagram& diagram, const Quotient& quotient, ThreadStateRows rows) {
    const Pruner pruner{rows};
    PathSearch paths(task_, diagram, quotient, rows, context_);
    PathSearchResult result = paths.resume(kFirstTurn);
    const bool many = std::holds_alternative<PathsUnfinished>(result);
    std::uint64_t steps = kBriefSearch, effort = kFirstEffort;
    for (std::size_t most = kFirstTurn; std::holds_alternative<PathsUnfinished>(result);) {
      if (auto verdict = search_briefly(pruner, steps)) return std::move(*verdict);
      result = search_paths_jointly(task_, diagram, quotient, rows, effort, context_);
      if (!std::holds_alternative<PathsUndecided>(result)) break;
      steps *= kFurther, effort *= kFurther, most *= kFurther;
      result = paths.resume(most);
    }
    if (const auto* found = std::get_if<PathFound>(&result))
      return answer::Unsafe{build_trace(task_, found->stretches)};
    if (const auto* stopped = std::get_if<PathSearchStopped>(&result))
      return answer::Unknown{unknown_reason(stopped->reason),
                             "the search along simple paths stopped"};
    if (std::holds_alternative<PathsUndecided>(result)) return search_everything(pruner);
    if (!many && quotient.loops_on_simple_paths() > kEasyLoops)
      if (auto verdict = search_briefly(pruner, kBriefSearch)) return std::move(*verdict);
    return search_rest(diagram, quotient, pruner);
  }

  std::uint64_t steps_left() const {
    const std::uint64_t all = context_.limits().steps.value_or(UINT64_MAX);
    return all - std::min(all, context_.steps());
  }

  /// Backward over everything, if so many steps suffice.
  std::optional<Verdict> search_briefly(Pruner pruner, std::uint64_t steps) {
    base::Limits limits = context_.limits();
    limits.steps = std::min(steps, steps_left());
    base::RunContext brief(limits, context_.seed(), context_.stop_token());
    Verdict verdict = to_verdict(coverability::backward_search(task_, pruner, order_, brief));
    context_.add_steps(brief.steps());
    if (std::holds_alternative<answer::Unknown>(verdict)) return std::nullopt;
    return verdict;
  }

  /// Along spaghetti paths. No simple path carries a run to a target.
  Verdict search_rest(const Diagram& diagram, const Quotient& quotient, Pruner pruner) {
    Verdict verdict =
        to_verdict(search_spaghetti(task_, diagram, quotient, pruner, order_, context_));
    if (auto* safe = std::get_if<answer::Safe>(&verdict))
      safe->certificate =
          answer::PathwiseProof{std::get<answer::BackwardBasis>(std::move(safe->certificate))};
    return verdict;
  }

  const model::CountingTask& task_;
  coverability::SearchOrder order_;
  base::RunContext& context_;
};

Verdict run(const model::ThreadTask& task, const ConcolicOptions& options,
            base::RunContext& context) {
  if (const auto stop = context.stopped())
    return answer::Unknown{unknown_reason(*stop), "stopped before the analysis began"};
  return Analysis(task, options, context).run();
}

}  // namespace

EngineRow row() {
  return row_for({.name = "concolic",
                  .summary = "exact summaries of simple loops, backward search for the rest (CUTR)",
                  .models = "thread systems",
                  .proves = true,
                  .refutes = true,
                  .complete = true,
                  .evidence = {"trace", "pathwise_proof", "closed_thread_states", "backward_basis"},
                  .options = {order_option(&ConcolicOptions::order)}},
                 accepts, run, {"only thread systems are supported"});
}

}  // namespace heddle::engine::concolic
