#include "model/dead_configurations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::model {

namespace {

using base::Integer;

constexpr std::size_t kMostRegions = 2'000;

using Interval = std::pair<Integer, std::optional<Integer>>;
using Box = std::map<Counter, Interval>;  ///< places that are not listed: any number of tokens

/// What one place must be for a transition to be disabled.
struct Disabling {
  Counter place;
  Interval tokens;
};

/// The box cut down to those tokens; nothing if it is empty then.
std::optional<Box> cut(Box box, const Disabling& by) {
  Interval& interval = box.try_emplace(by.place, Integer(0), std::nullopt).first->second;
  interval.first = std::max(interval.first, by.tokens.first);
  if (by.tokens.second && (!interval.second || *by.tokens.second < *interval.second))
    interval.second = by.tokens.second;
  if (interval.second && *interval.second < interval.first) return std::nullopt;
  return box;
}

bool contains(const Interval& outer, const Interval& inner) {
  const bool is_below = !outer.second || (inner.second && *inner.second <= *outer.second);
  return outer.first <= inner.first && is_below;
}

bool contains(const Box& outer, const Box& inner) {
  return std::ranges::all_of(outer, [&](const auto& entry) {
    const auto found = inner.find(entry.first);
    return found != inner.end() && contains(entry.second, found->second);
  });
}

/// The places that can disable a transition, each with how. The error: a sum of places does.
std::expected<std::vector<Disabling>, std::string> ways_to_disable(const PetriTransition& t,
                                                                   std::size_t number) {
  std::map<Counter, Integer> needed;
  std::vector<Disabling> out;
  const auto need = [&](Counter place, const Integer& tokens) {
    Integer& so_far = needed[place];
    so_far = std::max(so_far, tokens);
  };
  for (const CounterBound& bound : t.guard) {
    need(bound.counter, bound.lower);
    if (bound.upper) out.push_back({bound.counter, {*bound.upper + 1, std::nullopt}});
  }
  for (const PlaceUpdate& update : t.updates) {
    if (update.constant >= 0) continue;
    if (update.sources.empty()) return std::vector<Disabling>{{update.place, {0, std::nullopt}}};
    if (update.sources.size() > 1)
      return std::unexpected("transition " +
                             (t.name.empty() ? std::to_string(number + 1) : t.name) +
                             " is enabled by a sum of places");
    const WeightedPlace& source = update.sources.front();
    need(source.place, (-update.constant + source.weight - 1) / source.weight);
  }
  for (const auto& [place, tokens] : needed)
    if (tokens > 0) out.push_back({place, {0, Integer(tokens - 1)}});
  return out;
}

/// Those that no other one contains.
std::vector<Box> maximal(const std::set<Box>& boxes) {
  // A box contains another one only if the other one lists all its places: bits tell most apart.
  std::vector<std::pair<std::uint64_t, const Box*>> marked;
  for (const Box& box : boxes) {
    std::uint64_t bits = 0;
    for (const auto& [place, tokens] : box) bits |= std::uint64_t{1} << place.value % 64;
    marked.emplace_back(bits, &box);
  }
  std::vector<Box> out;
  for (const auto& [bits, box] : marked) {
    const bool is_contained = std::ranges::any_of(marked, [&](const auto& other) {
      return (other.first & ~bits) == 0 && other.second != box && contains(*other.second, *box);
    });
    if (!is_contained) out.push_back(*box);
  }
  return out;
}

Region region_of(const Box& box) {
  Region out;
  for (const auto& [place, tokens] : box)
    out.bounds.push_back({place, tokens.first, tokens.second});
  return out;
}

}  // namespace

std::expected<std::vector<Region>, std::string> dead_configurations(const ThreadSystem& system) {
  std::vector<std::set<LocalState>> steps(system.shared_count);
  std::vector<bool> has_transfer(system.shared_count, false);
  for (const ThreadTransition& t : system.transitions) {
    if (t.kind == StepKind::Transfer)
      has_transfer[t.source.shared.index()] = true;
    else
      steps[t.source.shared.index()].insert(t.source.local);
  }
  std::vector<Region> out;
  for (std::uint32_t s = 0; s < system.shared_count; ++s) {
    if (has_transfer[s]) continue;
    Region& region = out.emplace_back(Region{SharedState(s), {}});
    for (const LocalState local : steps[s]) region.bounds.push_back({local, 0, Integer(0)});
  }
  return out;
}

std::expected<std::vector<Region>, std::string> dead_configurations(const PetriNet& net) {
  std::vector<std::vector<Disabling>> ways;
  for (std::size_t i = 0; i < net.transitions.size(); ++i) {
    auto found = ways_to_disable(net.transitions[i], i);
    if (!found) return std::unexpected(std::move(found.error()));
    ways.push_back(std::move(*found));
  }
  std::ranges::sort(ways, {}, [](const auto& list) { return list.size(); });
  std::vector<Box> boxes = {{}};
  for (const std::vector<Disabling>& disabling : ways) {
    std::set<Box> next;
    for (const Box& box : boxes)
      for (const Disabling& by : disabling)
        if (auto smaller = cut(box, by)) next.insert(std::move(*smaller));
    boxes = maximal(next);
    if (boxes.size() > kMostRegions)
      return std::unexpected("its transitions can be disabled in more than " +
                             std::to_string(kMostRegions) + " ways");
  }
  std::vector<Region> out;
  for (const Box& box : boxes) out.push_back(region_of(box));
  return out;
}

}  // namespace heddle::model
