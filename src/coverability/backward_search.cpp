#include "coverability/backward_search.hpp"

/// The question: is some configuration of an upward-closed target set reachable from some initial
/// configuration? The algorithm keeps the minimal elements U of a growing set of demands, starting
/// from the targets. It takes up one element m at a time and adds the minimal p with post(p) ≥ m,
/// unless some element of U is already below p. When a demand is met by an initial configuration,
/// the links from demand to demand are an interleaving read forward. When nothing is left to take
/// up, ↑U contains the targets, no initial configuration, and with each configuration all its
/// predecessors: U is the certificate.
///
/// It ends because ≥ is a well-quasi-order: an infinite run would add an infinite sequence of
/// demands none of which lies above an earlier one. An element that a smaller one replaces need not
/// be taken up any more: the predecessors of the smaller one lie below its own.
///
/// Demands that an invariant excludes are not added. The set is then closed only relative to the
/// invariant, which goes into the certificate. A target that is itself excluded is kept but not
/// taken up: a predecessor of a configuration that violates an inductive invariant violates it too,
/// and what these invariants exclude, they exclude with everything above it.

#include <algorithm>
#include <optional>
#include <queue>
#include <random>
#include <ranges>
#include <utility>

#include "base/invariant.hpp"
#include "coverability/cover_index.hpp"
#include "coverability/cover_predecessors.hpp"
#include "coverability/trace_builder.hpp"

namespace heddle::coverability {

namespace {

/// What to take up next: the smallest demand, or the first; ties by age, so that runs repeat.
class WorkList {
 public:
  explicit WorkList(SearchOrder order) : order_(order) {}

  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }

  void push(ElementId id, std::uint64_t total) {
    queue_.push({order_ == SearchOrder::SmallestFirst ? total : 0, id});
  }

  ElementId pop() {
    const ElementId id = queue_.top().second;
    queue_.pop();
    return id;
  }

 private:
  using Entry = std::pair<std::uint64_t, ElementId>;
  SearchOrder order_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

template <class Word, template <class> class Index>
  requires CoverIndex<Index<Word>, Word>
class Search {
 public:
  Search(const model::CountingTask& task, const CounterSystem& system, Pruner& pruner,
         SearchOrder order, base::RunContext& context,
         std::span<const model::Configuration> uncoverable)
      : task_(task),
        system_(system),
        pruner_(pruner),
        context_(context),
        layout_(system.counters),
        candidates_(system),
        index_(layout_, store_, system.controls, system.counters),
        redistributor_(layout_, system.counters),
        work_(order),
        taken_up_(system.transitions.size(), kNoElement) {
    for (const model::Configuration& known : uncoverable) add_known(known);
  }

  SearchResult run() {
    add_targets();
    first_found_ = static_cast<ElementId>(store_.size());
    while (!work_.empty() && best_ == kNoElement) {
      const ElementId id = work_.pop();
      if (index_.is_superfluous(id) || is_excluded_by_now(id)) continue;
      if (const auto stop = expand(id)) {
        leave_statistics();
        return Stopped{*stop};
      }
      report_progress();
    }
    leave_statistics();
    if (best_ != kNoElement) return Coverable{build_trace(task_, system_, path_from(best_))};
    return certificate();
  }

 private:
  using Stop = std::optional<base::StopReason>;

  /// Its predecessors are known as well: it is never taken up.
  void add_known(const model::Configuration& known) {
    buffer_.clear();
    for (const auto& [counter, count] : known.counts.entries())
      buffer_.push_back(layout_.pack(counter.value, count.get_ui()));
    if (index_.covers(known.shared.value, buffer_)) return;
    index_.insert(store_.add(known.shared.value, buffer_, 0, kNoElement));
  }

  void add_targets() {
    for (const Demand& target : system_.targets) {
      buffer_.clear();
      for (const auto& [counter, count] : target.counts)
        buffer_.push_back(layout_.pack(counter, count));
      if (index_.covers(target.control, buffer_)) continue;
      const bool unreachable = pruner_.excludes<Word>(layout_, target.control, buffer_);
      add(target.control, 0, kNoElement, !unreachable);
    }
  }

  /// Invariants that are found during the search also exclude demands that were added before. Such
  /// a demand stays in the set; its predecessors are excluded too.
  bool is_excluded_by_now(ElementId id) {
    const auto cost = pruner_.cost_of_learning();
    if (!cost && learnt_ == 0) return false;
    const Control control = store_.link(id).control;
    current_.assign(store_.words(id).begin(), store_.words(id).end());
    const bool worthwhile = cost && expanded_ >= kBeforeLearning &&
                            context_.steps() >= next_look_ &&
                            *cost <= kLearningPerStep * context_.steps();
    if (worthwhile && !std::exchange(targets_looked_at_, true)) look_at_targets();
    bool excluded = learnt_ > 0 && pruner_.excludes<Word>(layout_, control, current_);
    if (!excluded && worthwhile) {
      excluded = pruner_.look_for_more<Word>(layout_, current_);
      learnt_ += excluded ? 1 : 0;
      failed_attempts_ = excluded ? 0 : failed_attempts_ + 1;
      if (failed_attempts_ >= kPatience) next_look_ = 2 * context_.steps();
    }
    pruned_ += excluded ? 1 : 0;
    return excluded;
  }

  /// What excludes a target excludes everything that was found on the way to it.
  void look_at_targets() {
    for (const Demand& target : system_.targets | std::views::take(kMostTargetsLookedAt)) {
      buffer_.clear();
      for (const auto& [counter, count] : target.counts)
        buffer_.push_back(layout_.pack(counter, count));
      learnt_ += pruner_.look_for_more<Word>(layout_, buffer_) ? 1 : 0;
    }
  }

  /// Adds all predecessors of one element.
  Stop expand(ElementId id) {
    current_.assign(store_.words(id).begin(), store_.words(id).end());
    const Control control = store_.link(id).control;
    ++expanded_;
    for (const std::uint32_t t : candidates_.always(control))
      if (const auto stop = apply(t, id)) return stop;
    for (const Word word : current_) {
      for (const std::uint32_t t : candidates_.giving(control, layout_.counter(word))) {
        if (std::exchange(taken_up_[t], id) == id) continue;  // gives two demanded counters
        if (const auto stop = apply(t, id)) return stop;
      }
    }
    return std::nullopt;
  }

  Stop apply(std::uint32_t index, ElementId id) {
    const Transition& t = system_.transitions[index];
    if (t.ordinary()) {
      ordinary_predecessor<Word>(layout_, t, current_, buffer_);
      return consider(t.from, index, id);
    }
    Stop stop;
    redistributor_.enumerate(t, current_, [&](std::span<const Word> words, auto) {
      buffer_.assign(words.begin(), words.end());
      stop = consider(t.from, index, id);
      return !stop.has_value();
    });
    return stop;
  }

  /// Takes the demand in `buffer_` into the set unless it is there already or excluded.
  Stop consider(Control control, std::uint32_t transition, ElementId parent) {
    if (const auto stop = context_.step()) return stop;
    if (index_.covers(control, buffer_)) return std::nullopt;
    if (pruner_.excludes<Word>(layout_, control, buffer_)) {
      ++pruned_;
      return std::nullopt;
    }
    add(control, transition, parent, true);
    return std::nullopt;
  }

  void add(Control control, std::uint32_t transition, ElementId parent, bool expand_later) {
    const ElementId id = store_.add(control, buffer_, transition, parent);
    index_.insert(id);
    const std::uint64_t total = total_of(buffer_);
    if (expand_later) work_.push(id, total);
    if (!met_initially(control)) return;
    if (best_ == kNoElement || total < best_total_) {
      best_ = id;
      best_total_ = total;
    }
  }

  std::uint64_t total_of(const std::vector<Word>& words) const {
    std::uint64_t total = 0;
    for (const Word word : words) total += layout_.count(word);
    return total;
  }

  bool met_initially(Control control) const {
    return std::ranges::any_of(system_.initial, [&](const InitialBox& box) {
      return box.control == control &&
             std::ranges::all_of(buffer_, [&](Word word) { return allows(box, word); });
    });
  }

  bool allows(const InitialBox& box, Word word) const {
    const auto it = std::ranges::lower_bound(box.upper, layout_.counter(word), {},
                                             &std::pair<std::uint32_t, Count>::first);
    return it != box.upper.end() && it->first == layout_.counter(word) &&
           layout_.count(word) <= it->second;
  }

  Demand demand(ElementId id) const {
    Demand result{store_.link(id).control, {}};
    for (const Word word : store_.words(id))
      result.counts.emplace_back(layout_.counter(word), static_cast<Count>(layout_.count(word)));
    return result;
  }

  DemandPath path_from(ElementId id) const {
    DemandPath path{demand(id), {}};
    for (; store_.link(id).parent != kNoElement; id = store_.link(id).parent)
      path.steps.push_back({store_.link(id).transition, demand(store_.link(id).parent)});
    return path;
  }

  model::Configuration configuration(ElementId id) const {
    model::Configuration out{model::SharedState(store_.link(id).control), {}};
    for (const auto& [counter, count] : demand(id).counts)
      out.counts.set(model::Counter(counter), count);
    return out;
  }

  /// What an invariant excludes that was found later need not be in the set: whatever lies above is
  /// excluded too. Targets must be.
  bool is_needed(ElementId id) {
    if (index_.is_superfluous(id)) return false;
    if (learnt_ == 0 || id < first_found_) return true;
    return !pruner_.excludes<Word>(layout_, store_.link(id).control, store_.words(id));
  }

  Uncoverable certificate() {
    Uncoverable result;
    Index<Word> needed(layout_, store_, system_.controls, system_.counters);
    for (ElementId id = 0; id < store_.size(); ++id) {
      if (!is_needed(id)) continue;
      result.minimal.push_back(configuration(id));
      if (learnt_ > 0) needed.insert(id);
    }
    if (learnt_ > 0) add_lost_targets(needed, result.minimal);
    std::sort(result.minimal.begin(), result.minimal.end());
    result.relative_to = pruner_.used();
    context_.statistics().set("basis", static_cast<double>(result.minimal.size()));
    return result;
  }

  /// Targets that only elements which are not needed lay below.
  void add_lost_targets(Index<Word>& needed, std::vector<model::Configuration>& set) const {
    for (ElementId id = 0; id < first_found_; ++id)
      if (!needed.covers(store_.link(id).control, store_.words(id)))
        set.push_back(configuration(id));
  }

  void report_progress() {
    if (expanded_ % 64 != 0 || !context_.wants_event()) return;
    context_.emit({"backward search",
                   {{"predecessors", static_cast<double>(context_.steps())},
                    {"waiting", static_cast<double>(work_.size())},
                    {"found", static_cast<double>(store_.size())}}});
  }

  void leave_statistics() {
    base::Statistics& statistics = context_.statistics();
    statistics.set("predecessors", static_cast<double>(context_.steps()));
    statistics.set("expanded", static_cast<double>(expanded_));
    statistics.set("found", static_cast<double>(store_.size()));
    statistics.set("pruned", static_cast<double>(pruned_));
    if (learnt_ > 0) statistics.set("learnt invariants", static_cast<double>(learnt_));
  }

  /// Most searches are over before it is worth while to look for more invariants.
  static constexpr std::uint64_t kBeforeLearning = 64;
  /// Work for linear programs for each predecessor: a third of the time or so.
  static constexpr std::uint64_t kLearningPerStep = 500;

  /// After so many looks in vain the next one waits until the search has doubled.
  static constexpr std::uint64_t kPatience = 16;
  static constexpr std::size_t kMostTargetsLookedAt = 8;

  const model::CountingTask& task_;
  const CounterSystem& system_;
  Pruner& pruner_;
  base::RunContext& context_;
  PackedLayout<Word> layout_;
  CandidateIndex candidates_;
  ElementStore<Word> store_;
  Index<Word> index_;
  Redistributor<Word> redistributor_;
  WorkList work_;
  std::vector<ElementId> taken_up_;  // the element for which a transition was last applied
  std::vector<Word> current_;
  std::vector<Word> buffer_;
  ElementId first_found_ = 0;    // elements before it were given
  ElementId best_ = kNoElement;  // the smallest demand that is met initially
  std::uint64_t best_total_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t pruned_ = 0;
  std::uint64_t learnt_ = 0;
  std::uint64_t failed_attempts_ = 0;  // looks since the last one that found something
  std::uint64_t next_look_ = 0;        // not before so many steps
  bool targets_looked_at_ = false;
};

/// Fisher–Yates on a generator whose output the standard fixes, so that seeds mean the same
/// everywhere.
void permute(std::vector<Transition>& transitions, std::uint64_t seed) {
  if (seed == 0) return;
  std::mt19937_64 random(seed);
  for (std::size_t i = transitions.size(); i > 1; --i)
    std::swap(transitions[i - 1], transitions[random() % i]);
}

/// Nothing if words of this size are too small.
template <class Word>
std::optional<SearchResult> search_with(const model::CountingTask& task,
                                        const CounterSystem& system, Pruner& pruner,
                                        SearchOrder order, base::RunContext& context,
                                        std::span<const model::Configuration> uncoverable) {
  if (!PackedLayout<Word>::fits(system.counters)) return std::nullopt;
  try {
    return Search<Word, CoverTrie>(task, system, pruner, order, context, uncoverable).run();
  } catch (const CountOverflow&) {
    return std::nullopt;
  }
}

}  // namespace

SearchResult backward_search(const model::CountingTask& task, Pruner& pruner, SearchOrder order,
                             base::RunContext& context,
                             std::span<const model::Configuration> uncoverable) {
  auto system = compile(task);
  if (!system) return Overflowed{system.error()};
  permute(system->transitions, context.seed());
  auto result = search_with<std::uint16_t>(task, *system, pruner, order, context, uncoverable);
  if (!result)
    result = search_with<std::uint32_t>(task, *system, pruner, order, context, uncoverable);
  if (!result)
    result = search_with<std::uint64_t>(task, *system, pruner, order, context, uncoverable);
  return result.value_or(Overflowed{"a counter of the search grew beyond 2^32"});
}

}  // namespace heddle::coverability
