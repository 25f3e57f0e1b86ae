#include "coverability/forward_search.hpp"

/// Which configurations do n threads reach? By thread_family.hpp a configuration without unborn
/// threads has a size, the number of threads that take part in it, and every step keeps the size
/// but for births, which add to it. So the search goes from size to size. On level n it adds
///   * the initial configurations of size n,
///   * the successors of configurations of size n − b by steps that need exactly b births,
///   * and the successors, by steps without births, of what it has added, until nothing is new.
/// When level n is complete, every configuration that at most n threads reach has, without threads
/// in open counters that never acted, a representative in the set, by induction over the run: the
/// representative of the next configuration is a successor of the present one's, after as many
/// births as the step takes from open counters beyond what the representative has there.
///
/// A configuration that is larger than another one by threads in open counters only is *dominated*:
/// whatever it can do, the smaller one can do after giving birth. It is not added. (This is what
/// makes "one thread more" cheap: idle threads are never stored. A thread that returns to where
/// threads are born counts as unborn again.)
///
/// Hence the first level that finds a thread state is the least number of threads that reach it;
/// a thread state (s, u) with u open is reached one level after the first configuration with shared
/// state s. Levels never look at smaller ones again, except to give birth.

#include <map>
#include <variant>

#include "coverability/forward_explorer.hpp"

namespace heddle::coverability {

namespace {

/// Starts from more threads than this are not explored: codes would be of no use.
constexpr std::uint32_t kMostThreads = 20'000;

std::vector<StartGroup> group_starts(const ThreadFamily& family) {
  std::map<std::vector<std::uint32_t>, std::vector<const FamilyStart*>> by_open;
  for (const FamilyStart& start : family.starts) by_open[start.open].push_back(&start);
  std::vector<StartGroup> groups;
  for (auto& [open, starts] : by_open) groups.push_back({std::move(starts), open});
  return groups;
}

/// The greatest size of an initial configuration; kUnbounded if there is none.
std::uint64_t greatest_start(const ThreadFamily& family) {
  std::uint64_t greatest = 0;
  for (const FamilyStart& start : family.starts) {
    if (!start.open.empty()) return kUnbounded;
    std::uint64_t sum = 0;
    for (const StartRange& range : start.ranges) sum += range.upper;
    greatest = std::max(greatest, sum);
  }
  return std::min<std::uint64_t>(greatest, kUnbounded);
}

}  // namespace

class ForwardSearch::Implementation {
 public:
  Implementation(const ThreadFamily& family, std::vector<Demand> targets)
      : log_(family, std::move(targets)),
        groups_(group_starts(family)),
        greatest_start_(greatest_start(family)) {
    for (std::uint32_t i = 0; i < groups_.size(); ++i)
      explorers_.emplace_back(Explorer<NarrowKey>(family, groups_[i], i, log_));
  }

  std::optional<base::StopReason> next_level(base::RunContext& context, const OnFound& on_found) {
    if (next_ > kMostThreads) return base::StopReason::MemoryLimit;
    if (const auto stop = context.stopped()) return stop;
    log_.on_found = on_found;
    for (; explorer_ < explorers_.size(); ++explorer_)
      if (const auto stop = run(explorers_[explorer_], context)) return stop;
    explorer_ = 0;
    ++next_;
    return std::nullopt;
  }

  std::uint64_t states() const {
    return sum([](const auto& explorer) { return explorer.states(); });
  }
  std::size_t bytes() const {
    return sum([](const auto& explorer) { return explorer.bytes(); });
  }

  ForwardState state(const StateRef& ref) const {
    return std::visit([&](const auto& e) { return e.state(ref.state); }, explorers_[ref.group]);
  }
  std::optional<ForwardStep> step_to(const StateRef& ref) const {
    return std::visit([&](const auto& e) { return e.step_to(ref.state); }, explorers_[ref.group]);
  }

  std::uint32_t level() const { return next_ - 1; }
  bool is_exhausted() const { return next_ > greatest_start_; }
  const ForwardLog& log() const { return log_; }
  std::size_t byte_limit = SIZE_MAX;

 private:
  using AnyExplorer = std::variant<Explorer<NarrowKey>, Explorer<WideKey>>;

  std::optional<base::StopReason> run(AnyExplorer& explorer, base::RunContext& context) {
    const auto resume = [&](auto& any) { return any.run(next_, context, byte_limit); };
    auto stop = std::visit(resume, explorer);
    const auto* narrow = std::get_if<Explorer<NarrowKey>>(&explorer);
    if (stop != base::StopReason::MemoryLimit || !narrow || bytes() > byte_limit) return stop;
    Explorer<WideKey> wide(*narrow);
    explorer.emplace<Explorer<WideKey>>(std::move(wide));
    return std::visit(resume, explorer);
  }

  template <class Measure>
  std::size_t sum(Measure measure) const {
    std::size_t total = 0;
    for (const AnyExplorer& explorer : explorers_) total += std::visit(measure, explorer);
    return total;
  }

  ForwardLog log_;
  std::vector<StartGroup> groups_;
  std::uint64_t greatest_start_;
  std::vector<AnyExplorer> explorers_;
  std::size_t explorer_ = 0;  ///< whose turn it is on the present level
  std::uint32_t next_ = 0;    ///< the present level
};

ForwardSearch::ForwardSearch(const ThreadFamily& family, std::vector<Demand> targets)
    : implementation_(std::make_unique<Implementation>(family, std::move(targets))) {}
ForwardSearch::~ForwardSearch() = default;

std::optional<base::StopReason> ForwardSearch::next_level(base::RunContext& context,
                                                          const OnFound& on_found) {
  return implementation_->next_level(context, on_found);
}

void ForwardSearch::limit_bytes(std::size_t byte_limit) {
  implementation_->byte_limit = byte_limit;
}
std::uint32_t ForwardSearch::level() const { return implementation_->level(); }
std::uint64_t ForwardSearch::states() const { return implementation_->states(); }
std::size_t ForwardSearch::bytes() const { return implementation_->bytes(); }
bool ForwardSearch::is_exhausted() const { return implementation_->is_exhausted(); }
const std::vector<FoundThreadState>& ForwardSearch::found() const {
  return implementation_->log().found();
}
const std::optional<FoundTarget>& ForwardSearch::target() const {
  return implementation_->log().target();
}
ForwardState ForwardSearch::state(const StateRef& ref) const { return implementation_->state(ref); }
std::optional<ForwardStep> ForwardSearch::step_to(const StateRef& ref) const {
  return implementation_->step_to(ref);
}

}  // namespace heddle::coverability
