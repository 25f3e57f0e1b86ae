#include "coverability/fewest_threads.hpp"

/// For each demand found a number of threads is known that it needs at least: its size, since an
/// initial region meets a demand m with |max(m, lower)| ≥ |m| threads, and what weightings say
/// (thread_weights.hpp). A run that covers a predecessor goes on to cover the demand it comes from,
/// so the predecessor needs at least as many threads. Hence if demands are taken up in the order of
/// these numbers, then as soon as the least one left is at least that of the best way to meet a
/// demand that was found so far, that way is the best of all. Demands that need more threads than
/// the bound can be left out together with all their predecessors.
///
/// Before a demand is taken up, a weighting is looked for by which it needs more. Where the number
/// is exact in the end, which it often is, no demand that needs fewer threads than the answer is
/// left after a few steps, and what remains is to find one way among many that are equally good.
/// Therefore, of demands with equal numbers, the one that asks for the fewest threads that are not
/// there initially comes first.

#include <algorithm>
#include <queue>

#include "base/invariant.hpp"
#include "coverability/cover_index.hpp"
#include "coverability/cover_predecessors.hpp"
#include "coverability/trace_builder.hpp"

namespace heddle::coverability {

namespace {

using Word = std::uint32_t;

/// So many attempts to find a weighting may fail, and so many more after each that did not.
constexpr int kPatience = 64;
constexpr int kEncouragement = 8;

class BoundedSearch {
 public:
  BoundedSearch(const model::CountingTask& task, const CounterSystem& system,
                ThreadWeights& weights, std::int64_t bound, const KnownCoverability& known,
                base::RunContext& context)
      : task_(task),
        system_(system),
        weights_(weights),
        bound_(bound),
        known_(known),
        context_(context),
        layout_(system.counters),
        candidates_(system),
        index_(layout_, store_, system.controls, system.counters),
        redistributor_(layout_, system.counters) {
    for (const model::Configuration& element : known.uncoverable) add_known(element);
    own_ = static_cast<ElementId>(store_.size());
  }

  /// Nothing: the search ran to its end.
  std::optional<base::StopReason> run(std::span<const Demand> targets) {
    for (const Demand& target : targets) add_target(target);
    while (!work_.empty() && work_.top().threads <= bound_) {
      const auto [threads, missing, id] = work_.top();
      work_.pop();
      if (index_.is_superfluous(id) || needs_more(id, threads)) continue;
      threads_ = threads;
      if (const auto stop = expand(id)) return stop;
    }
    return std::nullopt;
  }

  std::vector<ThreadWeighting> used() const {
    std::vector<ThreadWeighting> result;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (used_[i]) result.push_back(weights_.found()[i]);
    return result;
  }

  bool is_covered() const { return best_ != kNoElement; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(bound_ + 1); }

  /// From the demand that is met best to the target, without the pool.
  DemandPath path(std::uint32_t counters) const {
    DemandPath path{demand(best_, counters), {}};
    for (ElementId id = best_; store_.link(id).parent != kNoElement; id = store_.link(id).parent)
      path.steps.push_back({store_.link(id).transition, demand(store_.link(id).parent, counters)});
    return path;
  }

  std::vector<Demand> minimal() {
    std::vector<Demand> result;
    for (ElementId id = own_; id < store_.size(); ++id)
      if (!index_.is_superfluous(id)) result.push_back(demand(id, system_.counters));
    return result;
  }

 private:
  void add_target(const Demand& target) {
    buffer_.clear();
    for (const auto& [counter, count] : target.counts)
      buffer_.push_back(layout_.pack(counter, count));
    const std::int64_t size = total();
    if (size <= bound_ && !index_.covers(target.control, buffer_))
      add(target.control, 0, kNoElement, size);
  }

  void add_known(const model::Configuration& element) {
    buffer_.clear();
    for (const auto& [counter, count] : element.counts.entries())
      buffer_.push_back(layout_.pack(counter.value, count.get_ui()));
    if (index_.covers(element.shared.value, buffer_)) return;
    index_.insert(store_.add(element.shared.value, buffer_, 0, kNoElement));
  }

  std::optional<base::StopReason> expand(ElementId id) {
    current_.assign(store_.words(id).begin(), store_.words(id).end());
    const Control control = store_.link(id).control;
    for (const std::uint32_t t : candidates_.always(control))
      if (const auto stop = apply(t, id)) return stop;
    for (const Word word : current_)
      for (const std::uint32_t t : candidates_.giving(control, layout_.counter(word)))
        if (const auto stop = apply(t, id)) return stop;
    return std::nullopt;
  }

  std::optional<base::StopReason> apply(std::uint32_t index, ElementId id) {
    const Transition& t = system_.transitions[index];
    if (t.ordinary()) {
      ordinary_predecessor<Word>(layout_, t, current_, buffer_);
      return consider(t.from, index, id);
    }
    std::optional<base::StopReason> stop;
    redistributor_.enumerate(t, current_, [&](std::span<const Word> words, auto) {
      buffer_.assign(words.begin(), words.end());
      stop = consider(t.from, index, id);
      return !stop.has_value();
    });
    return stop;
  }

  std::optional<base::StopReason> consider(Control control, std::uint32_t transition,
                                           ElementId parent) {
    if (const auto stop = context_.step()) return stop;
    if (total() > bound_ || is_unreachable(control)) return std::nullopt;
    if (index_.covers(control, buffer_) || is_pruned(control)) return std::nullopt;
    const std::int64_t threads = least_threads(control, buffer_);
    if (threads <= bound_) add(control, transition, parent, std::max(threads, threads_));
    return std::nullopt;
  }

  /// At least so many threads cover the demand. Beyond the bound its predecessors are left out.
  std::int64_t least_threads(Control control, std::span<const Word> words) {
    unpack(words);
    const LeastThreads least = weights_.least_threads(control, counts_);
    if (least.threads > bound_ && least.weighting) {
      used_.resize(weights_.found().size(), false);
      used_[*least.weighting] = true;
    }
    return least.threads;
  }

  /// Are more threads needed than was known when the demand was put off? Then it is put off again.
  bool needs_more(ElementId id, std::int64_t threads) {
    const Control control = store_.link(id).control;
    std::int64_t least = least_threads(control, store_.words(id));
    if (least <= threads && patience_ > 0) {
      const bool found = weights_.look_for_more(threads, control, counts_);
      patience_ = found ? std::min(patience_ + kEncouragement, kPatience) : patience_ - 1;
      if (found) least = least_threads(control, store_.words(id));
    }
    if (least <= threads) return false;
    if (least <= bound_) work_.push({least, missing_initially(store_.words(id)), id});
    return true;
  }

  /// How many threads of the demand are not there in any initial configuration.
  std::uint64_t missing_initially(std::span<const Word> words) const {
    std::uint64_t least = UINT64_MAX;
    for (const InitialBox& box : system_.initial) {
      std::uint64_t sum = 0;
      for (const Word word : words) {
        const std::uint64_t most = most_initially(box, layout_.counter(word));
        if (layout_.count(word) > most) sum += layout_.count(word) - most;
      }
      least = std::min(least, sum);
    }
    return least;
  }

  static std::uint64_t most_initially(const InitialBox& box, std::uint32_t counter) {
    const auto it = std::ranges::lower_bound(box.upper, counter, {}, &CounterCount::first);
    return it != box.upper.end() && it->first == counter ? it->second : 0;
  }

  void unpack(std::span<const Word> words) {
    counts_.clear();
    for (const Word word : words)
      counts_.emplace_back(layout_.counter(word), static_cast<Count>(layout_.count(word)));
  }

  void add(Control control, std::uint32_t transition, ElementId parent, std::int64_t at_least) {
    const ElementId id = store_.add(control, buffer_, transition, parent);
    index_.insert(id);
    work_.push({at_least, missing_initially(buffer_), id});
    for (const model::Region& region : task_.question.initial) {
      const auto threads = threads_to_meet(region, control);
      if (!threads || *threads > bound_) continue;
      best_ = id;
      bound_ = *threads - 1;  // from now on only better ways are of interest
    }
  }

  std::int64_t total() const {
    std::int64_t sum = 0;
    for (const Word word : buffer_) sum += layout_.count(word);
    return sum;
  }

  bool is_unreachable(Control control) const {
    return known_.rows && !std::ranges::all_of(buffer_, [&](Word word) {
             const std::uint32_t counter = layout_.counter(word);
             return is_pool(counter) || known_.rows->contains(control, counter);
           });
  }

  /// Invariants say nothing about the pool, which is the last counter.
  bool is_pruned(Control control) const {
    std::span<const Word> words = buffer_;
    if (!words.empty() && is_pool(layout_.counter(words.back())))
      words = words.first(words.size() - 1);
    return known_.pruner && known_.pruner->excludes<Word>(layout_, control, words);
  }

  bool is_pool(std::uint32_t counter) const { return counter == model::counter_count(task_.model); }

  /// The size of the least configuration of the region that meets the demand in `buffer_`, the pool
  /// included; nothing if there is none.
  std::optional<std::int64_t> threads_to_meet(const model::Region& region, Control control) const {
    if (region.shared.value != control) return std::nullopt;
    base::Integer sum = 0;
    for (const model::CounterBound& bound : region.bounds) sum += bound.lower;
    for (const Word word : buffer_) {
      const base::Integer count = layout_.count(word);
      if (is_pool(layout_.counter(word))) {
        sum += count;
        continue;
      }
      const model::CounterBound* bound = region.find(model::Counter(layout_.counter(word)));
      if (!bound || (bound->upper && *bound->upper < count)) return std::nullopt;
      if (count > bound->lower) sum += count - bound->lower;
    }
    return base::to_int64(sum);
  }

  Demand demand(ElementId id, std::uint32_t counters) const {
    Demand result{store_.link(id).control, {}};
    for (const Word word : store_.words(id))
      if (layout_.counter(word) < counters)
        result.counts.emplace_back(layout_.counter(word), static_cast<Count>(layout_.count(word)));
    return result;
  }

  const model::CountingTask& task_;
  const CounterSystem& system_;
  ThreadWeights& weights_;
  std::int64_t bound_;  ///< demands and ways of more threads are of no interest
  const KnownCoverability& known_;
  base::RunContext& context_;
  PackedLayout<Word> layout_;
  CandidateIndex candidates_;
  ElementStore<Word> store_;
  CoverTrie<Word> index_;
  Redistributor<Word> redistributor_;
  /// A demand that needs at least so many threads, so many of them not there initially.
  struct Entry {
    std::int64_t threads;
    std::uint64_t missing;
    ElementId id;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> work_;
  std::vector<Word> current_;
  std::vector<Word> buffer_;
  std::vector<CounterCount> counts_;
  std::int64_t threads_ = 0;  ///< that the demand which is taken up needs at least
  int patience_ = kPatience;  ///< how many more vain attempts to find weightings
  std::vector<bool> used_;    ///< weightings
  ElementId own_ = 0;         ///< the first element that is not a known one
  ElementId best_ = kNoElement;
};

}  // namespace

FewestThreads::FewestThreads(const model::CountingTask& task, const ThreadFamily& family)
    : task_(task), weights_(family) {
  auto compiled = compile(task);
  if (compiled) {
    plain_ = std::move(*compiled);
    system_ = with_pool(plain_);
    if (!PackedLayout<Word>::fits(system_.counters)) overflow_ = "the model has too many counters";
  } else {
    overflow_ = compiled.error();
  }
}

FewestThreadsResult FewestThreads::ask(std::span<const Demand> targets, std::uint32_t bound,
                                       const KnownCoverability& known, base::RunContext& context) {
  if (overflow_) return Overflowed{*overflow_};
  try {
    BoundedSearch search(task_, system_, weights_, bound, known, context);
    if (const auto stop = search.run(targets)) return Stopped{*stop};
    if (!search.is_covered()) return NotCoveredWithin{search.minimal(), search.used()};
    return CoveredBy{search.threads(), build_trace(task_, plain_, search.path(plain_.counters))};
  } catch (const CountOverflow&) {
    return Overflowed{"a counter of the search grew beyond a machine word"};
  }
}

}  // namespace heddle::coverability
