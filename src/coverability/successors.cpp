#include "coverability/successors.hpp"

#include <algorithm>
#include <numeric>

namespace heddle::coverability {

namespace {

/// Adds or removes threads in an ascending list.
void change(std::vector<std::uint32_t>& symbols, std::uint32_t counter, std::int64_t by) {
  const auto [first, last] = std::ranges::equal_range(symbols, counter);
  if (by >= 0) {
    symbols.insert(last, static_cast<std::size_t>(by), counter);
  } else {
    symbols.erase(first, first + std::min<std::int64_t>(-by, last - first));
  }
}

Count count_of(const std::vector<CounterCount>& counts, std::uint32_t counter) {
  const auto it = std::ranges::lower_bound(counts, counter, {}, &CounterCount::first);
  return it != counts.end() && it->first == counter ? it->second : 0;
}

}  // namespace

Successors::Successors(const ThreadFamily& family, const std::vector<std::uint32_t>& open)
    : family_(family),
      is_open_(family.counters, false),
      keyed_(family.controls),
      always_(family.controls),
      bearing_(family.controls),
      into_(family.controls),
      counts_(family.counters, 0),
      before_(family.counters, 0),
      after_(family.counters, 0) {
  for (const std::uint32_t counter : open) is_open_[counter] = true;
  for (std::uint32_t i = 0; i < family.transitions.size(); ++i) {
    const FamilyTransition& t = family.transitions[i];
    Count births = 0;
    std::optional<std::uint32_t> key;
    for (const auto& [counter, count] : t.take) {
      if (is_open_[counter]) births += count;
      if (!is_open_[counter] && !key) key = counter;
    }
    if (key) {
      keyed_[t.from].push_back({*key, i});
    } else {
      always_[t.from].push_back(i);
    }
    if (births > 0) bearing_[t.from].push_back(i);
    most_births_ = std::max(most_births_, births);
    if (t.passive.empty()) into_[t.to].push_back(i);
  }
  for (auto& keyed : keyed_) std::ranges::stable_sort(keyed, {}, &Keyed::counter);
}

std::span<const Successors::Keyed> Successors::needing(Control control,
                                                       std::uint32_t counter) const {
  const auto& keyed = keyed_[control];
  const auto [first, last] = std::ranges::equal_range(keyed, counter, {}, &Keyed::counter);
  return {first, last};
}

/// A merge of sorted lists. Threads that are taken but not there are born and leave at once.
void Successors::take_and_give(const FamilyTransition& t, std::span<const std::uint32_t> symbols) {
  next_.clear();
  auto take = t.take.begin();
  auto give = t.give.begin();
  Count taken = 0;
  for (const std::uint32_t symbol : symbols) {
    for (; give != t.give.end() && give->first <= symbol; ++give)
      next_.insert(next_.end(), give->second, give->first);
    for (; take != t.take.end() && take->first < symbol; ++take) taken = 0;
    if (take != t.take.end() && take->first == symbol && taken < take->second)
      ++taken;
    else
      next_.push_back(symbol);
  }
  for (; give != t.give.end(); ++give) next_.insert(next_.end(), give->second, give->first);
}

std::vector<CounterCount> Successors::births(std::uint32_t transition,
                                             const std::vector<CounterCount>& counts) const {
  std::vector<CounterCount> result;
  for (const auto& [counter, wanted] : family_.transitions[transition].take)
    if (const Count present = count_of(counts, counter); present < wanted)
      result.emplace_back(counter, wanted - present);
  return result;
}

// ---------------------------------------------------------------- passive moves

void Successors::prepare_passive(const FamilyTransition& t) {
  before_ = counts_;
  for (const auto& [counter, count] : t.take)
    before_[counter] -= std::min(before_[counter], count);  // the others are born and leave at once
  after_ = before_;
  for (const PassiveStep& step : t.passive) after_[step.from] = 0;
}

bool Successors::move_passive(const FamilyTransition& t, std::size_t source,
                              const std::function<bool()>& visit) {
  while (source < t.passive.size() && before_[t.passive[source].from] == 0) ++source;
  if (source < t.passive.size())
    return choose(t, source, 0, before_[t.passive[source].from], visit);
  next_.clear();
  for (std::uint32_t counter = 0; counter < family_.counters; ++counter)
    next_.insert(next_.end(), after_[counter], counter);
  for (const auto& [counter, count] : t.give) change(next_, counter, count);
  return visit();
}

bool Successors::choose(const FamilyTransition& t, std::size_t source, std::size_t target,
                        Count left, const std::function<bool()>& visit) {
  if (left == 0) return move_passive(t, source + 1, visit);
  // The first target that some of them choose: there may be many targets, and each level of the
  // recursion should move a thread. From the last to the first, so that choices come in the
  // lexicographic order of their numbers.
  const std::vector<std::uint32_t>& targets = t.passive[source].to;
  for (std::size_t first = targets.size(); first-- > target;) {
    const bool is_last = first + 1 == targets.size();
    for (Count here = is_last ? left : 1; here <= left; ++here) {
      after_[targets[first]] += here;
      const bool continues = choose(t, source, first + 1, left - here, visit);
      after_[targets[first]] -= here;
      if (!continues) return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- predecessors

/// A step takes what it takes, after births, and gives what it gives; so before it there were
/// after − give + take threads, less those that were born for it: such can only have been in open
/// counters that the step left empty before it gave.
void Successors::for_each_predecessor(const ForwardState& after,
                                      const VisitPredecessor& visit) const {
  for (const std::uint32_t index : into_[after.control]) {
    const FamilyTransition& t = family_.transitions[index];
    std::vector<std::uint32_t> symbols;
    for (const auto& [counter, count] : after.counts) symbols.insert(symbols.end(), count, counter);
    const bool given = std::ranges::all_of(t.give, [&](const CounterCount& give) {
      return count_of(after.counts, give.first) >= give.second;
    });
    if (!given) continue;
    for (const auto& [counter, count] : t.give) change(symbols, counter, -std::int64_t{count});
    const std::function<bool(std::size_t)> take = [&](std::size_t at) -> bool {
      if (at == t.take.size()) return visit(t.from, symbols, index);
      const auto [counter, count] = t.take[at];
      const bool may_be_born = is_open_[counter] && std::ranges::count(symbols, counter) == 0;
      for (Count present = may_be_born ? 0 : count; present <= count; ++present) {
        change(symbols, counter, present);
        const bool continues = take(at + 1);
        change(symbols, counter, -std::int64_t{present});
        if (!continues) return false;
      }
      return true;
    };
    if (!take(0)) return;
  }
}

}  // namespace heddle::coverability
