#include "check/counting/concurrent_places.hpp"

/// A marking respects the relation if all its marked places are markable, any two of them are in
/// the relation, and a place with two or more tokens is in it with itself. Say that a marking has
/// *tokens* y and z if it holds a token in each, two different ones if y = z; in a marking that
/// respects the relation, (y, z) is in it.
///
/// Let m respect the relation and t lead from m to m'. Every token of m' is either new, part of a
/// constant that t adds, or descends from a token of m: one that stayed where it was, or one that
/// an update reads (a token may have several descendants, and descendants even if t also takes it).
/// Two tokens of m' are
///   (a) both new,
///   (b) one new, one a descendant of a token y of m,
///   (c) descendants of two tokens y, z of m, or
///   (d) descendants of the same token.
/// For a y that stayed or was read, m has y together with every token that t needs; if t takes all
/// that it needs of y and y stayed, m has one more there. So: y *may be present* with t only if it
/// is in the relation with every place that t needs, itself included if a token there must stay on.
/// Where the guard wants exactly k tokens, no others are there, and what an update reads of them is
/// a constant.
/// The check asks that in each of the cases (a) to (d) the pair of places is in the relation. Pairs
/// (c) of two tokens that stayed where they were are in it because m respects it.

#include <algorithm>
#include <map>

namespace heddle::check {

namespace {

using base::Integer;
using model::CounterBound;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceUpdate;
using PlaceIndex = std::uint32_t;

/// A token of m in `from` has a descendant in `to`.
struct Descent {
  PlaceIndex from;
  PlaceIndex to;
  bool multiplied;  // one token has two or more descendants there
};

class StepCheck {
 public:
  StepCheck(const PetriTransition& t, const Together& relation) : relation_(relation) {
    for (const CounterBound& bound : t.guard) {
      if (bound.lower > 0) needs_[bound.counter.value] = bound.lower;
      if (bound.upper == bound.lower) exact_[bound.counter.value] = bound.lower;
    }
    created_ = needs_;  // a place without an update gives back what it needs
    for (const PlaceUpdate& update : t.updates) add_update(update);
  }

  bool keeps_relation() const {
    if (!may_fire()) return true;
    const std::vector<Descent> descents = all_descents();
    return new_with_new() && new_with_descendants(descents) &&
           (replaced_.empty() || among_descendants(descents));
  }

 private:
  void add_update(PlaceUpdate update) {
    const PlaceIndex place = update.place.value;
    if (!update.is_shift()) read_exact_tokens(update);
    created_.erase(place);
    if (update.is_shift()) {
      const Integer needed = needs_.contains(place) ? needs_[place] : Integer(0);
      const Integer least = std::max<Integer>(needed, -update.constant);
      if (least > 0) needs_[place] = least;
      if (least + update.constant > 0) created_[place] = least + update.constant;
      return;
    }
    replaced_[place] = true;
    if (update.constant > 0) created_[place] = update.constant;
    for (const auto& [source, weight] : update.sources)
      reads_.push_back({source.value, place, weight > 1});
  }

  void read_exact_tokens(PlaceUpdate& update) const {
    std::erase_if(update.sources, [&](const model::WeightedPlace& source) {
      const auto it = exact_.find(source.place.value);
      if (it == exact_.end()) return false;
      update.constant += source.weight * it->second;
      return true;
    });
  }

  bool may_fire() const {
    for (auto it = needs_.begin(); it != needs_.end(); ++it) {
      if (!relation_.is_markable(it->first)) return false;
      if (it->second > 1 && !relation_.may_be(it->first, it->first)) return false;
      for (auto other = needs_.begin(); other != it; ++other)
        if (!relation_.may_be(other->first, it->first)) return false;
    }
    return true;
  }

  /// May a token of `place` be there besides those that are needed?
  bool may_be_besides(PlaceIndex place) const {
    return !exact_.contains(place) && std::ranges::all_of(needs_, [&](const auto& need) {
      return relation_.may_be(need.first, place);
    });
  }

  std::vector<Descent> all_descents() const {
    std::vector<Descent> result;
    for (const PlaceIndex place : relation_.markable())
      if (!replaced_.contains(place) && may_be_besides(place))
        result.push_back({place, place, false});
    for (const Descent& read : reads_) {
      const bool there = relation_.is_markable(read.from) &&
                         (needs_.contains(read.from) || may_be_besides(read.from));
      if (there) result.push_back(read);
    }
    return result;
  }

  bool new_with_new() const {
    for (auto it = created_.begin(); it != created_.end(); ++it) {
      if (!relation_.is_markable(it->first)) return false;
      if (it->second > 1 && !relation_.may_be(it->first, it->first)) return false;
      for (auto other = created_.begin(); other != it; ++other)
        if (!relation_.may_be(other->first, it->first)) return false;
    }
    return true;
  }

  bool new_with_descendants(const std::vector<Descent>& descents) const {
    return std::ranges::all_of(created_, [&](const auto& created) {
      return std::ranges::all_of(descents, [&](const Descent& descent) {
        return relation_.may_be(created.first, descent.to);
      });
    });
  }

  bool among_descendants(const std::vector<Descent>& descents) const {
    for (std::size_t i = 0; i < descents.size(); ++i) {
      const auto& [from, to, multiplied] = descents[i];
      if (!relation_.is_markable(to)) return false;
      const bool two = multiplied || relation_.may_be(from, from);
      if (two && !relation_.may_be(to, to)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        const bool both = descents[j].from == from || relation_.may_be(descents[j].from, from);
        if (both && !relation_.may_be(descents[j].to, to)) return false;
      }
    }
    return true;
  }

  const Together& relation_;
  std::map<PlaceIndex, Integer> needs_;
  std::map<PlaceIndex, Integer> exact_;  // places whose number of tokens the guard fixes
  std::map<PlaceIndex, Integer> created_;
  std::map<PlaceIndex, bool> replaced_;  // places whose new value is a sum
  std::vector<Descent> reads_;
};

bool holds_in(const Together& relation, const model::Region& initial) {
  const auto may_hold = [](const CounterBound& bound, int amount) {
    return !bound.upper || *bound.upper >= amount;
  };
  const auto& bounds = initial.bounds;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const PlaceIndex place = bounds[i].counter.value;
    if (!may_hold(bounds[i], 1)) continue;
    if (!relation.is_markable(place)) return false;
    if (may_hold(bounds[i], 2) && !relation.may_be(place, place)) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (may_hold(bounds[j], 1) && !relation.may_be(bounds[j].counter.value, place)) return false;
  }
  return true;
}

}  // namespace

Together::Together(const answer::ConcurrentPlaces& places) {
  for (const model::PlaceId place : places.markable) markable_.push_back(place.value);
  std::ranges::sort(markable_);
  for (const auto& [first, second] : places.together) {
    const auto [low, high] = std::minmax(first, second);
    const std::size_t last = high.value - low.value;
    if (rows_.size() <= low.index()) rows_.resize(low.index() + 1);
    auto& row = rows_[low.index()];
    if (row.size() <= last) row.resize(last + 1, false);
    row[last] = true;
  }
}

std::optional<std::string> why_not_inductive(const PetriNet& net,
                                             const std::vector<model::Region>& initial,
                                             const answer::ConcurrentPlaces& places) {
  const Together relation(places);
  for (const model::Region& region : initial)
    if (!holds_in(relation, region)) return "does not hold in every initial configuration";
  for (std::size_t i = 0; i < net.transitions.size(); ++i)
    if (!StepCheck(net.transitions[i], relation).keeps_relation())
      return "is not kept by transition " + std::to_string(i);
  return std::nullopt;
}

}  // namespace heddle::check
