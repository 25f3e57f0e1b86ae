#include "coverability/concurrency_relation.hpp"

#include <algorithm>
#include <bit>

/// One step from a marking m that respects the relation. Let `needs` be the places that the
/// transition needs tokens in. It can be enabled only if they are pairwise related (a place of
/// which it needs two, to itself). A token that survives the step lies in a place that is related
/// to all of `needs`: in particular, a token left over in a place that one was taken from shows
/// that there were two. What is marked afterwards is a survivor, or was given, or is the image of a
/// token that was there before the step, taken or not, under a sum that reads its place. Two marked
/// places afterwards come from two related tokens, from two images of one, from one and something
/// given, or were both given; each case is added to the relation. An ordinary transition has no
/// images, and its survivors were related before, so only pairs with something given are new.

namespace heddle::coverability {

namespace {

constexpr std::size_t kMostPlaces = 8192;

using base::Integer;
using model::PetriNet;
using model::PetriTransition;

struct Amount {
  std::uint32_t place;
  bool several;  // two or more
};

/// A token in `source` before the step puts one (or several) into `target`.
struct Image {
  std::uint32_t source;
  std::uint32_t target;
  bool several;
};

struct Effect {
  std::vector<Amount> needs;
  std::vector<Amount> gives;
  std::vector<std::uint32_t> rewritten;  // sorted: the new value is a sum, nothing stays by itself
  std::vector<Image> images;
};

Integer lower_bound_of(const PetriTransition& t, model::PlaceId place) {
  for (const auto& bound : t.guard)
    if (bound.counter == place) return bound.lower;
  return 0;
}

Effect effect_of(const PetriTransition& t) {
  Effect effect;
  std::vector<model::PlaceId> updated;
  for (const auto& update : t.updates) {
    updated.push_back(update.place);
    const std::uint32_t place = update.place.value;
    const Integer guard = lower_bound_of(t, update.place);
    if (!update.is_shift()) {
      effect.rewritten.push_back(place);
      if (guard > 0) effect.needs.push_back({place, guard > 1});
      if (update.constant > 0) effect.gives.push_back({place, update.constant > 1});
      for (const auto& [source, weight] : update.sources)
        effect.images.push_back({source.value, place, weight > 1});
      continue;
    }
    const Integer take = std::max<Integer>(guard, -update.constant);
    const Integer give = take + update.constant;
    if (take > 0) effect.needs.push_back({place, take > 1});
    if (give > 0) effect.gives.push_back({place, give > 1});
  }
  for (const auto& bound : t.guard) {
    if (bound.lower == 0 || std::ranges::find(updated, bound.counter) != updated.end()) continue;
    effect.needs.push_back({bound.counter.value, bound.lower > 1});
    effect.gives.push_back({bound.counter.value, bound.lower > 1});
  }
  return effect;
}

class Saturation {
 public:
  Saturation(const PetriNet& net, const std::vector<model::Region>& initial)
      : relation_(net.places.size()), survivors_((net.places.size() + 63) / 64) {
    for (const model::Region& region : initial) relate_initial(region);
    for (const PetriTransition& t : net.transitions) effects_.push_back(effect_of(t));
  }

  ConcurrencyRelation run() {
    do {
      grew_ = false;
      for (const Effect& effect : effects_)
        if (may_be_enabled(effect)) apply(effect);
    } while (grew_);
    return std::move(relation_);
  }

 private:
  void mark(std::uint32_t place) { grew_ |= relation_.mark(place); }
  void relate(std::uint32_t a, std::uint32_t b) { grew_ |= relation_.relate(a, b); }

  void relate_initial(const model::Region& region) {
    const auto may_hold = [](const model::CounterBound& bound, int amount) {
      return !bound.upper || *bound.upper >= amount;
    };
    for (const auto& a : region.bounds) {
      if (!may_hold(a, 1)) continue;
      mark(a.counter.value);
      if (may_hold(a, 2)) relate(a.counter.value, a.counter.value);
      for (const auto& b : region.bounds)
        if (a.counter < b.counter && may_hold(b, 1)) relate(a.counter.value, b.counter.value);
    }
  }

  bool may_be_enabled(const Effect& effect) const {
    for (std::size_t i = 0; i < effect.needs.size(); ++i) {
      const auto& [place, several] = effect.needs[i];
      if (!relation_.markable(place)) return false;
      if (several && !relation_.related(place, place)) return false;
      for (std::size_t j = 0; j < i; ++j)
        if (!relation_.related(place, effect.needs[j].place)) return false;
    }
    return true;
  }

  void find_survivors(const Effect& effect) {
    std::ranges::fill(survivors_, ~std::uint64_t{0});
    for (const Amount& need : effect.needs) {
      const auto row = relation_.row(need.place);
      for (std::size_t i = 0; i < survivors_.size(); ++i) survivors_[i] &= row[i];
    }
  }

  bool survives(std::uint32_t place) const {
    return relation_.markable(place) && (survivors_[place / 64] >> (place % 64) & 1) != 0;
  }

  void apply(const Effect& effect) {
    find_survivors(effect);
    for (const Amount& given : effect.gives) {
      mark(given.place);
      if (given.several) relate(given.place, given.place);
      for (const Amount& other : effect.gives)
        if (given.place < other.place) relate(given.place, other.place);
    }
    if (!effect.rewritten.empty()) return apply_rewriting(effect);
    for (const Amount& given : effect.gives) relate_to_survivors(given.place);
  }

  void relate_to_survivors(std::uint32_t place) {
    for (std::size_t i = 0; i < survivors_.size(); ++i) {
      const std::uint64_t fresh = survivors_[i] & ~relation_.row(place)[i];
      for (std::uint64_t word = fresh; word != 0; word &= word - 1) {
        const auto other =
            static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(word));
        if (other < relation_.places() && relation_.markable(other)) relate(place, other);
      }
    }
  }

  /// Where every token that may be there before the step is found after it.
  std::vector<Image> landings(const Effect& effect) const {
    std::vector<Image> landed;
    for (std::uint32_t place = 0; place < relation_.places(); ++place) {
      const bool stays = survives(place);
      const bool needed =
          std::ranges::find(effect.needs, place, &Amount::place) != effect.needs.end();
      if (stays && !std::ranges::binary_search(effect.rewritten, place))
        landed.push_back({place, place, false});
      for (const Image& image : effect.images)
        if (image.source == place && (stays || needed)) landed.push_back(image);
    }
    return landed;
  }

  void apply_rewriting(const Effect& effect) {
    const std::vector<Image> landed = landings(effect);
    for (std::size_t i = 0; i < landed.size(); ++i) {
      const auto& [source, target, several] = landed[i];
      mark(target);
      if (several || relation_.related(source, source)) relate(target, target);
      for (const Amount& given : effect.gives) relate(given.place, target);
      for (std::size_t j = 0; j < i; ++j)
        if (landed[j].source == source || relation_.related(source, landed[j].source))
          relate(target, landed[j].target);
    }
  }

  ConcurrencyRelation relation_;
  std::vector<Effect> effects_;
  std::vector<std::uint64_t> survivors_;
  bool grew_ = false;
};

}  // namespace

bool ConcurrencyRelation::mark(std::uint32_t place) {
  const bool fresh = !markable_[place];
  markable_[place] = true;
  return fresh;
}

bool ConcurrencyRelation::relate(std::uint32_t a, std::uint32_t b) {
  if (related(a, b)) return false;
  mark(a);
  mark(b);
  bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
  bits_[b * words_ + a / 64] |= std::uint64_t{1} << (a % 64);
  return true;
}

answer::ConcurrentPlaces ConcurrencyRelation::to_certificate() const {
  answer::ConcurrentPlaces result;
  for (std::uint32_t a = 0; a < places(); ++a) {
    if (markable(a)) result.markable.emplace_back(a);
    for (std::uint32_t b = a; b < places(); ++b)
      if (related(a, b)) result.together.emplace_back(a, b);
  }
  return result;
}

std::optional<ConcurrencyRelation> concurrency_relation(const PetriNet& net,
                                                        const std::vector<model::Region>& initial) {
  if (net.places.size() > kMostPlaces) return std::nullopt;
  return Saturation(net, initial).run();
}

}  // namespace heddle::coverability
