#include "transform/token_chain.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/integer.hpp"
#include "transform/net_to_threads.hpp"

/// A rule reads m' = M·m + d under guards m ≥ g. Threads can do it if every token goes somewhere as
/// a whole: each column of M has at most one entry, a 1. Let dest(y) be the place whose sum has y,
/// or the pool if none has (a reset). Then the rule is this, in four phases:
///
///   1. take g(p) threads from every guarded place p;
///   2. if dest is not the identity, all other threads move passively from y to dest(y);
///   3. take what is still missing: with G(x) = Σ of g(p) over dest(p) = x, place x now holds
///      M·m(x) − G(x) and shall hold M·m(x) + d(x). If G(x) + d(x) < 0, that many are taken;
///   4. otherwise, G(x) + d(x) threads are put into x.
///
/// Phase 1 can be done iff m ≥ g, phase 3 iff M·m(x) + d(x) ≥ 0 for every x: together this is when
/// the rule is enabled. A thread that is taken may be put elsewhere in the same step, which saves
/// steps and keeps a test p ≥ 1 a plain self-loop; but not into a place from which a later step
/// takes, since it would serve there as a token that the marking does not have, and not before the
/// passive moves, which would carry it on. What is put and not paired comes from the pool, what is
/// taken and not paired goes there. Hence a step that takes from p always finds only what m has.

namespace heddle::transform {

namespace {

using base::Integer;
using model::LocalState;
using model::PassiveMove;
using model::PlaceId;

using Amounts = std::map<LocalState, Integer>;
using Failure = std::unexpected<std::string>;

/// Where the tokens go that do not stay; the pool for those that are lost.
using Destinations = std::map<PlaceId, LocalState>;

class Columns {
 public:
  explicit Columns(const model::PetriTransition& rule) {
    for (const model::PlaceUpdate& update : rule.updates) updated_[update.place];
    for (const model::PlaceUpdate& update : rule.updates)
      for (const auto& [source, weight] : update.sources)
        updated_[source].push_back({update.place, weight});
    for (auto& [place, receivers] : updated_)
      if (std::ranges::find(rule.updates, place, &model::PlaceUpdate::place) == rule.updates.end())
        receivers.push_back({place, 1});  // it keeps its tokens
  }

  std::expected<Destinations, std::string> destinations(const model::PetriNet& net,
                                                        LocalState pool) const {
    Destinations moved;
    for (const auto& [place, receivers] : updated_) {
      const std::string& name = net.places[place.index()];
      if (receivers.size() > 1) return Failure("it copies the tokens of place " + name);
      if (receivers.empty()) {
        moved[place] = pool;
        continue;
      }
      if (receivers[0].weight != 1) return Failure("it multiplies the tokens of place " + name);
      if (receivers[0].place != place) moved[place] = receivers[0].place;
    }
    return moved;
  }

 private:
  std::map<PlaceId, std::vector<model::WeightedPlace>> updated_;
};

/// What the four phases take and put.
struct Phases {
  Amounts early;
  std::vector<PassiveMove> passive;
  Amounts late;
  Amounts put;
};

Phases phases_of(const model::PetriTransition& rule, const Destinations& moved, LocalState pool) {
  Phases phases;
  Amounts missing;
  for (const model::CounterBound& bound : rule.guard) {
    if (bound.lower == 0) continue;
    phases.early[bound.counter] = bound.lower;
    const auto it = moved.find(bound.counter);
    missing[it == moved.end() ? bound.counter : it->second] += bound.lower;
  }
  for (const model::PlaceUpdate& update : rule.updates) missing[update.place] += update.constant;
  missing.erase(pool);
  for (const auto& [place, amount] : missing) {
    if (amount > 0) phases.put[place] = amount;
    if (amount < 0) phases.late[place] = -amount;
  }
  for (const auto& [from, to] : moved) phases.passive.push_back({from, to});
  return phases;
}

Integer total(const Amounts& amounts) {
  Integer sum = 0;
  for (const auto& entry : amounts) sum += entry.second;
  return sum;
}

void append_tokens(std::vector<ChainStep>& steps, const Amounts& amounts, LocalState pool) {
  for (const auto& [place, amount] : amounts)
    for (Integer i = 0; i < amount; ++i) steps.push_back({place, pool, {}});
}

/// Pairs what is put with what is taken, as far as that is sound.
class Pairing {
 public:
  Pairing(std::vector<ChainStep>& steps, Amounts put) : put_(std::move(put)) {
    for (const ChainStep& step : steps) ++still_taken_[step.from];
  }

  /// Steps are visited in order; this one may put something if `after_passive`.
  void visit(ChainStep& step, bool after_passive) {
    --still_taken_[step.from];
    if (!after_passive) return;
    if (const auto place = choose(step.from)) {
      step.to = *place;
      if (--put_[*place] == 0) put_.erase(*place);
    }
  }

  const Amounts& left() const { return put_; }

 private:
  bool is_free(LocalState place) const {
    const auto it = still_taken_.find(place);
    return it == still_taken_.end() || it->second == 0;
  }

  std::optional<LocalState> choose(LocalState own) const {
    if (put_.contains(own) && is_free(own)) return own;
    for (const auto& entry : put_)
      if (is_free(entry.first)) return entry.first;
    return std::nullopt;
  }

  std::map<LocalState, std::size_t> still_taken_;
  Amounts put_;
};

std::vector<ChainStep> chain_of(const Phases& phases, LocalState pool) {
  std::vector<ChainStep> steps;
  append_tokens(steps, phases.early, pool);
  const bool moves = !phases.passive.empty();
  if (moves && steps.empty()) steps.push_back({pool, pool, {}});
  const std::size_t moving = moves ? steps.size() - 1 : 0;
  if (moves) steps[moving].passive = phases.passive;
  append_tokens(steps, phases.late, pool);

  Pairing pairing(steps, phases.put);
  for (std::size_t i = 0; i < steps.size(); ++i) pairing.visit(steps[i], i >= moving);
  for (const auto& [place, amount] : pairing.left())
    for (Integer i = 0; i < amount; ++i) steps.push_back({pool, place, {}});
  return steps;
}

}  // namespace

std::expected<std::vector<ChainStep>, std::string> token_chain(const model::PetriNet& net,
                                                               const model::PetriTransition& rule,
                                                               LocalState pool) {
  if (!model::is_monotone(rule)) return Failure("its guard has an upper bound");
  if (rule.updates.empty()) return std::vector<ChainStep>{};
  const auto moved = Columns(rule).destinations(net, pool);
  if (!moved) return Failure(moved.error());
  const Phases phases = phases_of(rule, *moved, pool);
  const Integer tokens = total(phases.early) + total(phases.late) + total(phases.put);
  if (tokens > kLongestChain)
    return Failure("it takes and gives " + base::to_string(tokens) + " tokens, more than " +
                   std::to_string(kLongestChain));
  return chain_of(phases, pool);
}

}  // namespace heddle::transform
