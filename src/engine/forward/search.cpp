/// Directed search over configurations (after Blondin, Haase and Offtermatt 2021).
///
/// Configurations are expanded in the order of an estimate of their distance from a target, and
/// only by the transitions of a stubborn set. Where any number of threads may start in a local
/// state there are always enough of them: its count is ω, and the run that is found tells how many
/// it takes. Other counters are plain numbers; nothing is accelerated.
///
/// If everything has been seen and no target, the configurations are a reduced cover: closed under
/// the steps that can lead to a target first.
///
/// With upper bounds or conditions in targets or guards, a configuration stands for itself alone,
/// and what was seen is what is reachable (or enough of it, by stubborn sets, if guards have no
/// such bounds).
///
/// Where numbers grow without end there is no end to what can be seen. A configuration above one of
/// its ancestors, and all that follow from it, wait until everything else is done; when
/// kMostGrowing of them have been expanded without coming nearer to a target the search gives up.
/// So it always ends: an endless path would have such a configuration (Dickson), paths branch
/// finitely, and estimates do not decrease for ever.

#include "engine/forward/search.hpp"

#include <numeric>
#include <optional>
#include <queue>
#include <tuple>

#include "coverability/omega_cover.hpp"
#include "coverability/target_distance.hpp"

namespace heddle::engine::forward {

namespace {

using coverability::Control;
using coverability::kNoOmegaId;
using coverability::OmegaId;
using coverability::OmegaVector;

constexpr unsigned kMostGrowing = 2'000;

class Search {
 public:
  Search(const model::CountingTask& task, const coverability::CounterSystem& system,
         const coverability::ExactBounds& bounds, base::RunContext& context)
      : task_(task),
        system_(system),
        bounds_(bounds),
        context_(context),
        steps_(system, bounds),
        distance_(system, bounds.conditions),
        targets_(system.controls),
        values_(system.counters, 0) {
    for (std::size_t i = 0; i < system.targets.size(); ++i)
      targets_[system.targets[i].control].push_back(
          {i, coverability::to_omega_vector(system.targets[i])});
  }

  ForwardOutcome run() {
    for (std::uint32_t i = 0; i < task_.question.initial.size() && !outcome_; ++i) {
      const model::Region& region = task_.question.initial[i];
      add(region.shared.value, coverability::initial_vector(region, &starts_large_),
          {kNoOmegaId, i, 0});
    }
    while (!outcome_ && !queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      if (entry.is_growing && !is_worth_expanding(entry))
        outcome_ = Endless{};
      else
        expand(entry.id);
    }
    context_.statistics().set("configurations", static_cast<double>(store_.size()));
    if (outcome_) return std::move(*outcome_);
    if (steps_.has_saturated() || starts_large_)
      return coverability::Overflowed{"a number of tokens does not fit a machine counter"};
    std::vector<OmegaId> all(store_.size());
    std::iota(all.begin(), all.end(), OmegaId{0});
    return Covered{coverability::forward_cover(store_, all)};
  }

 private:
  struct Target {
    std::size_t number;
    OmegaVector least;
  };
  struct Entry {
    bool is_growing;
    coverability::TargetDistance::Estimate distance;
    OmegaId id;

    friend bool operator<(const Entry& a, const Entry& b) {  // the greatest is expanded first
      return std::tuple(b.is_growing, b.distance, b.id) <
             std::tuple(a.is_growing, a.distance, a.id);
    }
  };

  bool is_worth_expanding(const Entry& growing) {
    if (growing.distance < nearest_growing_) {
      nearest_growing_ = growing.distance;
      expanded_growing_ = 0;
    }
    return ++expanded_growing_ <= kMostGrowing;
  }

  void expand(OmegaId id) {
    const auto vector = store_.vector(id);
    const OmegaVector before(vector.begin(), vector.end());
    const Control control = store_.node(id).control;
    steps_.for_each(control, before,
                    [&](std::uint32_t transition, std::uint32_t choice, const OmegaVector& after) {
                      if (const auto stop = context_.step())
                        outcome_ = coverability::Stopped{*stop};
                      else
                        add(system_.transitions[transition].to, after, {id, transition, choice});
                      return !outcome_;
                    });
    if (context_.wants_event())
      context_.emit({"directed search",
                     {{"configurations", static_cast<double>(store_.size())},
                      {"to expand", static_cast<double>(queue_.size())}}});
  }

  void add(Control control, const OmegaVector& vector,
           const coverability::OmegaStore::Origin& origin) {
    if (store_.contains(control, vector)) return;
    const bool is_growing = has_grown(control, vector, origin.parent);
    const OmegaId id = store_.add(control, vector, origin);
    for (const Target& target : targets_[control])
      if (coverability::is_below(target.least, vector) && is_exactly(target.number, vector)) {
        coverability::OmegaPath path = store_.path_to(id);
        path.target = target.number;
        outcome_ = std::move(path);
        return;
      }
    growing_.push_back(is_growing);
    queue_.push({is_growing, distance_(control, vector), id});
  }

  /// Within the upper bounds and the condition?
  bool is_exactly(std::size_t target, const OmegaVector& vector) {
    if (bounds_.targets.empty()) return true;
    if (!coverability::keeps(vector, bounds_.targets[target])) return false;
    if (bounds_.conditions[target].is_true()) return true;
    for (const auto word : vector)
      values_[coverability::counter_of(word)] = coverability::count_of(word);
    const bool result = bounds_.conditions[target].holds(values_);
    for (const auto word : vector) values_[coverability::counter_of(word)] = 0;
    return result;
  }

  /// Is it, or something on the way to it, above an ancestor?
  bool has_grown(Control control, const OmegaVector& vector, OmegaId parent) const {
    if (parent == kNoOmegaId) return false;
    if (growing_[parent]) return true;
    const std::uint64_t signature = coverability::signature_of(vector);
    bool result = false;
    store_.for_each_ancestor(parent, [&](OmegaId ancestor) {
      const coverability::OmegaNode& node = store_.node(ancestor);
      result = node.control == control && (node.signature & ~signature) == 0 &&
               coverability::is_below(store_.vector(ancestor), vector);
      return !result;
    });
    return result;
  }

  const model::CountingTask& task_;
  const coverability::CounterSystem& system_;
  const coverability::ExactBounds& bounds_;
  base::RunContext& context_;
  coverability::ReducedSteps steps_;
  coverability::TargetDistance distance_;
  coverability::OmegaStore store_;
  std::vector<std::vector<Target>> targets_;  ///< by control
  std::vector<coverability::Count> values_;   ///< of the configuration at hand, otherwise 0
  std::priority_queue<Entry> queue_;
  std::optional<ForwardOutcome> outcome_;
  std::vector<bool> growing_;      ///< by configuration
  unsigned expanded_growing_ = 0;  ///< since a nearer one was found
  coverability::TargetDistance::Estimate nearest_growing_ = UINT32_MAX;
  bool starts_large_ = false;
};

}  // namespace

ForwardOutcome search(const model::CountingTask& task, const coverability::CounterSystem& system,
                      const coverability::ExactBounds& bounds, base::RunContext& context) {
  return Search(task, system, bounds, context).run();
}

}  // namespace heddle::engine::forward
