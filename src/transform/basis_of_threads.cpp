#include "transform/basis_of_threads.hpp"

#include <algorithm>

/// Elements. e(s, c) lies above a basis element u iff u asks for no auxiliary place, for no control
/// token but one in s, and for at most c. So u becomes the element of its shared state, or of every
/// shared state if it asks for none, or of no shared state.
///
/// Invariants. Let U be closed relative to I, and let N be the configurations whose encoding
/// violates I. Then V ∪ N (V as in threads_to_net.cpp) is closed without any invariant: if (s, c) →
/// (s', c') then e(s, c) →* e(s', c'), and going back along these steps one stays in U or leaves I;
/// but I is inductive, so what leaves it later had left it at e(s, c). N has no initial
/// configuration. It remains to write down the minimal elements of N:
///   * Concurrent places: a place that is never marked, or two that are never marked together.
///   * Weight w on every control place alone: every encoding sums up to w. If that keeps within the
///     bound, N is empty.
/// Other invariants are turned down.

namespace heddle::transform {

namespace {

using answer::ConcurrentPlaces;
using answer::LinearInvariant;
using model::Configuration;
using model::Counts;
using model::LocalState;
using model::PlaceId;
using model::SharedState;

class Collector {
 public:
  explicit Collector(const ThreadsAsNet& translation) : translation_(translation) {}

  void add_element(const Configuration& element) {
    Counts locals;
    std::optional<SharedState> shared;
    for (const auto& [place, count] : element.counts.entries()) {
      if (place.value < translation_.local_count) {
        locals.set(place, count);
        continue;
      }
      const std::uint32_t s = place.value - translation_.local_count;
      if (s >= translation_.shared_count || count > 1 || shared) return;
      shared = SharedState(s);
    }
    if (shared)
      minimal_.push_back({*shared, std::move(locals)});
    else
      for_each_shared([&](SharedState s) { minimal_.push_back({s, locals}); });
  }

  void add_excluded(const ConcurrentPlaces& places) {
    const auto marked = [&](PlaceId place) {
      return std::ranges::binary_search(places.markable, place);
    };
    for_each_shared([&](SharedState s) {
      if (!marked(translation_.place_of(s))) return minimal_.push_back({s, {}});
      std::vector<LocalState> present;
      for (LocalState l(0u); l.value < translation_.local_count; ++l.value) {
        if (marked(l) && together(places, l, translation_.place_of(s)))
          present.push_back(l);
        else
          minimal_.push_back({s, {{l, 1}}});
      }
      add_excluded_pairs(places, s, present);
    });
  }

  answer::BackwardBasis finish() {
    std::sort(minimal_.begin(), minimal_.end());
    const auto repeated = std::ranges::unique(minimal_);
    minimal_.erase(repeated.begin(), repeated.end());
    return {std::move(minimal_), {}};
  }

 private:
  template <class Visit>
  void for_each_shared(Visit visit) const {
    for (SharedState s(0u); s.value < translation_.shared_count; ++s.value) visit(s);
  }

  static bool together(const ConcurrentPlaces& places, PlaceId first, PlaceId second) {
    return std::ranges::binary_search(places.together, std::pair(first, second));
  }

  void add_excluded_pairs(const ConcurrentPlaces& places, SharedState s,
                          const std::vector<LocalState>& present) {
    for (auto first = present.begin(); first != present.end(); ++first)
      for (auto second = first; second != present.end(); ++second)
        if (!together(places, *first, *second))
          minimal_.push_back({s, {{*first, 1}, {*second, 1}}});
  }

  const ThreadsAsNet& translation_;
  std::vector<Configuration> minimal_;
};

/// Does every encoding keep the invariant, all the way of a run?
bool holds_by_construction(const ThreadsAsNet& translation, const LinearInvariant& invariant) {
  if (invariant.weights.size() != translation.control.size()) return false;
  const base::Integer weight = invariant.weights.front().weight;
  for (std::size_t i = 0; i < invariant.weights.size(); ++i)
    if (invariant.weights[i] != model::WeightedPlace{translation.control[i], weight}) return false;
  return invariant.relation == LinearInvariant::Relation::Equal ? weight == invariant.bound
                                                                : weight <= invariant.bound;
}

}  // namespace

std::expected<answer::BackwardBasis, std::string> basis_of_threads(
    const ThreadsAsNet& translation, const answer::BackwardBasis& basis) {
  Collector collector(translation);
  for (const Configuration& element : basis.minimal) collector.add_element(element);
  for (const answer::Invariant& invariant : basis.relative_to) {
    const auto* linear = std::get_if<LinearInvariant>(&invariant);
    if (linear && holds_by_construction(translation, *linear)) continue;
    const auto* places = std::get_if<ConcurrentPlaces>(&invariant);
    if (!places)
      return std::unexpected(
          "the proof leans on an invariant of the translated model that says nothing about the "
          "thread system");
    collector.add_excluded(*places);
  }
  return collector.finish();
}

}  // namespace heddle::transform
