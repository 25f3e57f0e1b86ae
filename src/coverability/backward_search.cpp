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
  Search(const model::Task& task, const CounterSystem& system, Pruner& pruner, SearchOrder order,
         base::RunContext& context, std::span<const model::Configuration> uncoverable)
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
    while (!work_.empty() && best_ == kNoElement) {
      const ElementId id = work_.pop();
      if (index_.is_superfluous(id)) continue;
      if (const auto stop = take_up(id)) {
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

  /// Adds all predecessors of one element.
  Stop take_up(ElementId id) {
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

  void add(Control control, std::uint32_t transition, ElementId parent, bool take_up_later) {
    const ElementId id = store_.add(control, buffer_, transition, parent);
    index_.insert(id);
    const std::uint64_t total = total_of(buffer_);
    if (take_up_later) work_.push(id, total);
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

  Uncoverable certificate() {
    Uncoverable result;
    for (ElementId id = 0; id < store_.size(); ++id) {
      if (index_.is_superfluous(id)) continue;
      model::Configuration element{model::SharedState(store_.link(id).control), {}};
      for (const auto& [counter, count] : demand(id).counts)
        element.counts.set(model::Counter(counter), count);
      result.minimal.push_back(std::move(element));
    }
    std::sort(result.minimal.begin(), result.minimal.end());
    result.relative_to = pruner_.used();
    context_.statistics().set("basis", static_cast<double>(result.minimal.size()));
    return result;
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
  }

  const model::Task& task_;
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
  ElementId best_ = kNoElement;  // the smallest demand that is met initially
  std::uint64_t best_total_ = 0;
  std::uint64_t expanded_ = 0;
  std::uint64_t pruned_ = 0;
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
std::optional<SearchResult> search_with(const model::Task& task, const CounterSystem& system,
                                        Pruner& pruner, SearchOrder order,
                                        base::RunContext& context,
                                        std::span<const model::Configuration> uncoverable) {
  if (!PackedLayout<Word>::fits(system.counters)) return std::nullopt;
  try {
    return Search<Word, CoverTrie>(task, system, pruner, order, context, uncoverable).run();
  } catch (const CountOverflow&) {
    return std::nullopt;
  }
}

}  // namespace

SearchResult backward_search(const model::Task& task, Pruner& pruner, SearchOrder order,
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
