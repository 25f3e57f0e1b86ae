#include "check/cutoff/net_as_threads.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/integer.hpp"

namespace heddle::check {

namespace {

using base::Integer;
using model::Counter;
using model::PetriTransition;
using model::Region;
using model::ThreadTransition;

using Difference = std::optional<std::string>;
using Places = std::vector<Counter>;  ///< sorted

/// The tokens of these places together are at least so many.
using Conditions = std::map<Places, Integer>;

void require(Conditions& conditions, const Places& places, const Integer& least) {
  if (least <= 0) return;
  Integer& known = conditions[places];
  known = std::max(known, least);
}

/// Sufficient: by a condition on the same places, or by those on each of them.
bool implies(const Conditions& conditions, const Places& places, const Integer& least) {
  if (const auto it = conditions.find(places); it != conditions.end() && it->second >= least)
    return true;
  Integer sum = 0;
  for (const Counter place : places)
    if (const auto it = conditions.find({place}); it != conditions.end()) sum += it->second;
  return sum >= least;
}

bool implies(const Conditions& conditions, const Conditions& others) {
  return std::ranges::all_of(
      others, [&](const auto& other) { return implies(conditions, other.first, other.second); });
}

/// Nothing if tokens are multiplied.
std::optional<Places> sources_of(const model::PlaceUpdate& update) {
  Places sources;
  for (const model::WeightedPlace& source : update.sources) {
    if (source.weight != 1) return std::nullopt;
    sources.push_back(source.place);
  }
  std::ranges::sort(sources);
  return sources;
}

/// When a rule is enabled.
std::optional<Conditions> conditions_of(const PetriTransition& rule) {
  Conditions conditions;
  for (const model::CounterBound& bound : rule.guard) {
    if (bound.upper) return std::nullopt;
    require(conditions, {bound.counter}, bound.lower);
  }
  for (const model::PlaceUpdate& update : rule.updates) {
    const auto sources = sources_of(update);
    if (!sources) return std::nullopt;
    require(conditions, *sources, -update.constant);
  }
  return conditions;
}

/// A rule that changes nothing needs no steps. (With a guard it may have some, which test it.)
bool has_no_chain(const PetriTransition& rule) {
  return rule.updates.empty() ||
         (rule.guard.empty() && std::ranges::all_of(rule.updates, [](const auto& update) {
            return update.is_shift() && update.constant == 0;
          }));
}

/// A chain of steps, followed on an unknown marking.
class Chain {
 public:
  explicit Chain(Counter pool) : pool_(pool) {}

  Difference take(const ThreadTransition& step) {
    if (step.kind != model::StepKind::Move) return "is not the move of a thread";
    if (step.source.local != pool_)
      require(conditions_, tokens_in(step.source.local), 1 - more_[step.source.local]);
    more_[step.source.local] -= 1;
    if (auto difference = move_others(step.passive)) return difference;
    more_[step.target.local] += 1;
    return std::nullopt;
  }

  bool does(const PetriTransition& rule) const {
    const auto conditions = conditions_of(rule);
    if (!conditions || !implies(*conditions, conditions_) || !implies(conditions_, *conditions))
      return false;
    std::set<Counter> changed;
    for (const model::PlaceUpdate& update : rule.updates) {
      changed.insert(update.place);
      if (sources_of(update) != tokens_in(update.place) || update.constant != more(update.place))
        return false;
    }
    const auto stays = [&](Counter place) {
      return place == pool_ || changed.contains(place) ||
             (tokens_in(place) == Places{place} && more(place) == 0);
    };
    return std::ranges::all_of(more_, [&](const auto& entry) { return stays(entry.first); }) &&
           std::ranges::all_of(now_in_, [&](const auto& entry) {
             return stays(entry.first) && stays(entry.second);
           });
  }

 private:
  /// The places whose tokens, as they were when the chain began, are here now.
  Places tokens_in(Counter local) const {
    Places places;
    if (!now_in_.contains(local)) places.push_back(local);
    for (const auto& [from, to] : now_in_)
      if (to == local) places.push_back(from);
    std::ranges::sort(places);
    return places;
  }

  Integer more(Counter local) const {
    const auto it = more_.find(local);
    return it == more_.end() ? Integer(0) : it->second;
  }

  Difference move_others(const std::vector<model::PassiveMove>& moves) {
    std::map<Counter, Counter> targets;
    for (const model::PassiveMove& move : moves) {
      if (move.from == pool_) return "moves the threads of the pool";
      if (!targets.emplace(move.from, move.to).second) return "leaves passive threads a choice";
    }
    if (targets.empty()) return std::nullopt;
    const auto target = [&](Counter local) {
      const auto it = targets.find(local);
      return it == targets.end() ? local : it->second;
    };
    std::map<Counter, Counter> now_in;
    for (const auto& [from, to] : now_in_) now_in[from] = target(to);
    for (const auto& [from, to] : targets)
      if (!now_in_.contains(from)) now_in[from] = to;
    std::map<Counter, Integer> besides;
    for (const auto& [local, count] : more_) besides[target(local)] += count;
    now_in_ = std::move(now_in);
    more_ = std::move(besides);
    return std::nullopt;
  }

  Counter pool_;
  std::map<Counter, Counter> now_in_;  ///< of places whose tokens have been moved: where they are
  std::map<Counter, Integer> more_;    ///< threads beside these, perhaps a negative number
  Conditions conditions_;
};

/// Reads the chains of a thread system one after the other.
class ChainReader {
 public:
  ChainReader(const model::ThreadSystem& system, Counter pool) : system_(system), pool_(pool) {}

  Difference read(const PetriTransition& rule) {
    Chain chain(pool_);
    model::SharedState at(0u);
    do {
      if (next_ == system_.transitions.size()) return "ends too early";
      const ThreadTransition& step = system_.transitions[next_++];
      if (step.source.shared != at) return "has a step that begins elsewhere";
      if (step.target.shared.value != 0 && step.target.shared.value != fresh_)
        return "visits a shared state of another rule";
      if (step.target.shared.value != 0) ++fresh_;
      at = step.target.shared;
      if (auto difference = chain.take(step)) return difference;
    } while (at.value != 0);
    if (!chain.does(rule)) return "does something else";
    return std::nullopt;
  }

  bool at_end() const {
    return next_ == system_.transitions.size() && fresh_ == system_.shared_count;
  }

 private:
  const model::ThreadSystem& system_;
  Counter pool_;
  std::size_t next_ = 0;
  std::uint32_t fresh_ = 1;  ///< the next shared state that no chain has visited
};

/// The net's, with any number of threads in the pool.
bool same_initial(const std::vector<Region>& net, const std::vector<Region>& threads,
                  Counter pool) {
  return std::ranges::equal(net, threads, [&](Region of_net, const Region& of_threads) {
    of_net.bounds.push_back({pool, 0, std::nullopt});
    return of_net == of_threads;
  });
}

}  // namespace

Difference why_not_the_net(const model::NetTask& net, const model::ThreadTask& threads) {
  const model::PetriNet& rules = net.model;
  const model::ThreadSystem& system = threads.model;
  const Counter pool(static_cast<std::uint32_t>(rules.places.size()));
  if (system.local_count != rules.places.size() + 1)
    return "the local states are not the places and the pool";
  if (!same_initial(net.question.initial, threads.question.initial, pool))
    return "the initial states differ";
  ChainReader reader(system, pool);
  for (std::size_t i = 0; i < rules.transitions.size(); ++i) {
    if (has_no_chain(rules.transitions[i])) continue;
    if (auto difference = reader.read(rules.transitions[i]))
      return "the chain of rule " + std::to_string(i) + " " + *difference;
  }
  if (!reader.at_end()) return "there are steps of no rule";
  return std::nullopt;
}

}  // namespace heddle::check
