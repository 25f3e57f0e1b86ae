#include "engine/pushdown/pushdown.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <set>
#include <string>

#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/evidence.hpp"
#include "engine/pushdown/visible_states.hpp"
#include "engine/search_verdict.hpp"

namespace heddle::engine::pushdown {

namespace {

using answer::Unknown;
using answer::Verdict;

/// More visible states than these make a certificate that is a burden to check.
constexpr std::size_t kMostVisibleStates = 200'000;
/// What of the time is left for the search; an answer up to a bound is to be checked, too.
constexpr double kSearchShare = 0.4;

/// What a search with larger languages may cost beyond what the rounds have cost, and how close to
/// the reachable ones they get.
constexpr std::uint64_t kFewSteps = 2000;
constexpr std::size_t kFewProducts = 1000;
constexpr std::uint32_t kHighestLevel = 4;

/// One part in so many of the memory is kept for the evidence of the rounds that are complete.
constexpr std::uint64_t kReserveShare = 3;
constexpr std::uint64_t kMostReserveMb = 256;

/// The limits of the search: all steps that are left, and a share of the time.
base::Limits search_limits(const base::RunContext& context) {
  const base::Limits& limits = context.limits();
  base::Limits out = limits;
  if (limits.steps) *out.steps -= std::min(*limits.steps, context.steps());
  if (!limits.deadline) return out;
  const auto now = std::chrono::steady_clock::now();
  out.deadline = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           (*limits.deadline - now) * kSearchShare);
  return out;
}

/// One run of the engine: what can be seen at all, then round after round.
class Deepening {
 public:
  /// What can be seen at all tells no rounds, so it is not looked at if shared states are listed.
  Deepening(const model::PushdownTask& task, const PushdownOptions& options,
            base::RunContext& context)
      : question_(task.question),
        lists_shared_states_(options.list_shared_states),
        context_(context),
        search_context_(search_limits(context), context.seed(), context.stop_token()),
        facts_(task),
        search_(facts_, question_, search_context_),
        widens_(options.use_invariants && !lists_shared_states_) {
    if (const auto& megabytes = context.limits().memory_mb) {
      const std::uint64_t kept = std::min(kMostReserveMb, *megabytes / kReserveShare);
      reserve_ = std::make_unique_for_overwrite<char[]>(kept << 20);
    }
    if (options.use_invariants && !lists_shared_states_)
      visible_.emplace(facts_, question_, kMostVisibleStates, search_context_);
    if (visible_ && !visible_->complete()) visible_.reset();
  }

  Verdict run() {
    Verdict verdict = decide();
    context_.add_steps(search_context_.steps());
    leave_statistics();
    return verdict;
  }

 private:
  Verdict decide() {
    if (search_.hit()) return unsafe();
    if (const auto stop = search_context_.stopped())
      return Unknown{unknown_reason(*stop), "stopped before the first round"};
    if (visible_excludes_targets()) return answer::Safe{visible_->certificate()};
    for (;;) {
      const bool complete = round();
      if (search_.hit()) return unsafe();
      if (!complete) return bounded_or(why_stopped());
      if (search_.closed()) return safe_where_closed();
      if (visible_is_exact_) return answer::Safe{visible_->certificate()};
      if (auto closed = widened()) return answer::Safe{std::move(*closed)};
      if (rounds_ == question_.contexts) return bounded_or(answer::UnknownReason::StepLimit);
    }
  }

  /// A round, or what memory leaves of it: the rounds before it are worth an answer.
  bool round() {
    try {
      if (!search_.round()) return false;
      ++rounds_;
      report_round();
      visible_is_exact_ = visible_is_exact();
      return true;
    } catch (const std::bad_alloc&) {
      out_of_memory_ = true;
      reserve_.reset();
      facts_.forget();
      visible_.reset();
      widening_.reset();
      return false;
    }
  }

  answer::UnknownReason why_stopped() const {
    return out_of_memory_ ? answer::UnknownReason::MemoryLimit : unknown_reason(*search_.stopped());
  }

  /// With no target at all the exact set is asked for.
  bool visible_excludes_targets() const {
    const auto targets = target_tops(facts_, question_.targets);
    return visible_ && !question_.targets.empty() &&
           std::ranges::none_of(targets,
                                [&](const TargetTops& target) { return visible_->meets(target); });
  }

  bool visible_is_exact() {
    if (!visible_ || !question_.targets.empty()) return false;
    const Products& products = search_.products();
    for (; seen_ < products.size() && !visible_->all_struck_out(); ++seen_) {
      if (search_context_.stopped()) return false;
      visible_->strike_out(products.shared(ProductId(seen_)), products.stacks(ProductId(seen_)));
    }
    return visible_->all_struck_out();
  }

  /// A closed set of larger languages without a target, if one is found with as much effort as the
  /// rounds have taken.
  std::optional<answer::PushdownInvariant> widened() {
    if (!widens_) return std::nullopt;
    base::Limits limits = search_context_.limits();
    const std::uint64_t taken = search_context_.steps();
    const std::uint64_t left =
        limits.steps ? *limits.steps - std::min(*limits.steps, taken) : UINT64_MAX;
    limits.steps = std::min(left, kFewSteps + taken);
    base::RunContext context(limits, search_context_.seed(), search_context_.stop_token());
    try {
      if (!widening_) widening_.emplace(facts_, level_);
      ContextSearch search(facts_, question_, context, &*widening_);
      search.limit_products(kFewProducts + search_.products().size());
      while (!search.closed() && search.round()) {
      }
      search_context_.add_steps(context.steps());
      const bool closed = search.closed() && !search.hit();
      const std::size_t unseen = closed ? not_seen_of(search.products()) : SIZE_MAX;
      if (unseen == 0) {
        context_.statistics().set("level of widening", level_);
        reserve_.reset();
        return closed_set_of(facts_, search.products());
      }
      const bool rounds_find_it = std::exchange(unseen_, unseen) > unseen;
      if (search.hit() || (closed && !rounds_find_it)) next_level(search.hit().has_value());
    } catch (const std::bad_alloc&) {
      widens_ = false;
      widening_.reset();
    }
    return std::nullopt;
  }

  /// One that meets a target meets it in all rounds. One that shows too much may do so no longer.
  void next_level(bool hit) {
    ++level_;
    widening_.reset();
    unseen_ = SIZE_MAX;
    if (level_ <= kHighestLevel) return;
    level_ = 1;
    widens_ = !hit;
  }

  /// With no target at all the exact set of visible states is asked for: how many of these the
  /// rounds have not reached. With a target it does not matter what else is seen.
  std::size_t not_seen_of(const Products& wide) const {
    if (!question_.targets.empty()) return 0;
    if (!VisibleSet::fits(facts_)) return SIZE_MAX;
    VisibleSet left(facts_);
    const auto for_all = [](const Products& products, auto&& visit) {
      for (std::size_t i = 0; i < products.size(); ++i)
        visit(products.shared(ProductId(i)), products.stacks(ProductId(i)));
    };
    for_all(wide, [&](Shared shared, auto stacks) { left.insert(shared, stacks); });
    for_all(search_.products(), [&](Shared shared, auto stacks) { left.erase(shared, stacks); });
    return left.size();
  }

  Verdict safe_where_closed() {
    reserve_.reset();
    return answer::Safe{closed_set_of(facts_, search_.products())};
  }

  Verdict bounded_or(answer::UnknownReason reason) {
    reserve_.reset();
    if (rounds_ == 0) return Unknown{reason, "no round was completed"};
    const auto last_turn = static_cast<std::uint32_t>(rounds_ * facts_.count());
    return answer::SafeUpTo{answer::context_bound(rounds_),
                            turns_of(facts_, search_.products(), last_turn)};
  }

  Verdict unsafe() {
    reserve_.reset();
    answer::PushdownRun trace = trace_to(facts_, search_.products(), *search_.hit());
    const auto contexts = static_cast<double>(context_count(trace));
    const std::uint32_t turn = search_.products().turn(search_.hit()->product);
    base::Statistics& statistics = context_.statistics();
    const std::size_t rounds = (turn + facts_.count() - 1) / facts_.count();
    statistics.set("contexts per thread", static_cast<double>(rounds));
    statistics.set("context switches", std::max(0.0, contexts - 1));
    find_fewest_switches();
    return answer::Unsafe{std::move(trace)};
  }

  /// Fewest rounds need not be fewest switches. This search is a service: it is given up where it
  /// costs much more than the first one, or memory that is not there.
  void find_fewest_switches() try {
    ContextSearch any(facts_, question_, search_context_);
    any.limit_products(1000 + 4 * search_.products().size());
    while (!any.hit() && any.any_context()) {
    }
    if (!any.hit()) return;
    const std::uint32_t contexts = any.products().turn(any.hit()->product);
    context_.statistics().set("fewest context switches", contexts == 0 ? 0 : contexts - 1);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): only the figure is lost
    // The run has been found, and the answer needs no more than that.
  }

  void report_round() {
    const auto& products = search_.products();
    std::vector<Shared> shared;
    for (std::size_t i = 0; i < products.size(); ++i)
      shared.push_back(products.shared(ProductId(i)));
    std::ranges::sort(shared);
    const auto distinct = std::ranges::unique(shared).begin() - shared.begin();
    if (std::exchange(shared_count_, distinct) != distinct)
      context_.statistics().set("shared states within " + std::to_string(rounds_),
                                static_cast<double>(distinct));
    if (lists_shared_states_) list_shared_states({shared.begin(), shared.begin() + distinct});
    report_free_contexts(context_, rounds_, {{"sets", static_cast<double>(products.size())}});
  }

  /// Those that are new, with the round.
  void list_shared_states(const std::set<Shared>& now) {
    for (const Shared state : now)
      if (known_shared_.insert(state).second)
        context_.statistics().set("contexts to " + std::to_string(state),
                                  static_cast<double>(rounds_));
  }

  void leave_statistics() {
    base::Statistics& statistics = context_.statistics();
    const auto set = [&](std::string_view name, std::size_t value) {
      statistics.set(name, static_cast<double>(value));
    };
    set("complete rounds", rounds_);
    set("sets of configurations", search_.products().size());
    std::size_t languages = 0;
    for (std::size_t i = 0; i < facts_.count(); ++i) languages += facts_.languages(i).size();
    set("stack languages", languages);
    if (visible_) set("visible states at most", visible_->size());
  }

  const model::PushdownQuestion& question_;
  bool lists_shared_states_;
  std::set<Shared> known_shared_;
  base::RunContext& context_;
  base::RunContext search_context_;
  StackThreads facts_;
  ContextSearch search_;
  std::optional<VisibleStates> visible_;  ///< if it is complete
  std::ptrdiff_t shared_count_ = 0;       ///< distinct ones, of the last round
  std::uint32_t rounds_ = 0;              ///< complete
  bool widens_;
  std::optional<Widening> widening_;
  std::uint32_t level_ = 1;        ///< of the widening that is tried next
  std::size_t unseen_ = SIZE_MAX;  ///< what the last one of this level shows and rounds do not
  bool out_of_memory_ = false;
  std::unique_ptr<char[]> reserve_;  ///< given back when the evidence is written
  std::size_t seen_ = 0;             ///< products that are struck out
  bool visible_is_exact_ = false;
};

}  // namespace

Acceptance accepts(const model::PushdownTask& task) {
  if (task.question.initial.empty()) return {"there is no initial state"};
  return {};
}

Verdict search_by_contexts(const model::PushdownTask& task, const PushdownOptions& options,
                           base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  return Deepening(task, options, context).run();
}

EngineRow row() {
  return row_for({.name = "pushdown",
                  .summary = "stack automata round by round; SAFE where they close",
                  .models = "concurrent pushdown systems",
                  .proves = true,
                  .refutes = true,
                  .complete = false,
                  .counts_contexts = true,
                  .evidence = {"trace", "pushdown_invariant"},
                  .options = {invariants_option(&PushdownOptions::use_invariants),
                              shared_states_option(&PushdownOptions::list_shared_states)}},
                 accepts, search_by_contexts, {"only pushdown systems are supported"});
}

}  // namespace heddle::engine::pushdown
