/// Karp and Miller's algorithm, with pruning, directed to a target.
///
/// The search builds a forest of ω-configurations. Its roots are the initial regions (any number of
/// threads is ω from the start). A successor w of a node is pumped: for an ancestor a in the same
/// control state with a ≤ w, if all steps from a to w are ordinary, the counters in which w exceeds
/// a become ω (coverability/omega_path.cpp says why that is right, and why it would be wrong across
/// transfers, which may carry away what was gained). The result is dropped if a known node lies
/// above it, and becomes a node otherwise.
///
/// Right: every configuration below a node is covered by a reachable one. In the end, whatever the
/// order was, each node has been expanded or lies below a younger one, so that the maximal nodes
/// are closed under steps: together they describe exactly what can be covered.
///
/// Ends, if all transitions are ordinary: an infinite forest that branches finitely would have an
/// infinite path. The ωs of its nodes only become more, so from some node on they are the same.
/// Among infinitely many of the nodes after it that are compared with all their ancestors there are
/// two with a ≤ w (Dickson), not equal, since w would have been dropped; but then w has more ωs.
/// For speed most nodes are compared with their nearest ancestors only, but infinitely many with
/// all.
///
/// Pruning by the descendants of a node that has become superfluous is the subtle part of minimal
/// coverability sets (Geeraerts, Raskin, Van Begin 2007; Reynier, Servais 2011). Here descendants
/// stay, which cannot be wrong, but wait until everything else is done; by then most of them are
/// covered themselves.
///
/// Only steps of stubborn sets are followed, where all transitions are ordinary. The proof is then
/// a reduced cover: if a target can be reached from a node then by as short a run that starts with
/// such a step, and so from the node above its successor by a shorter one.
///
/// With transfers or resets numbers may grow from round to round and pumping would be wrong. A node
/// that is above an ancestor without having been pumped, and all that follow from it, wait until
/// everything else is done; when kMostGrowing of them have been expanded the search gives up. So it
/// ends on every system: by Dickson an endless path would have such a node.
///
/// Nodes are expanded best first: by the estimated distance to a target, then those with more ωs.
/// A step of the context is a successor, or a number of comparisons with known nodes.

#include "engine/cover/search.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <tuple>

#include "coverability/omega_cover.hpp"
#include "coverability/target_distance.hpp"

namespace heddle::engine::cover {

namespace {

using coverability::Control;
using coverability::count_of;
using coverability::kNoOmegaId;
using coverability::kOmega;
using coverability::OmegaId;
using coverability::OmegaVector;
using coverability::OmegaWord;

constexpr unsigned kMostGrowing = 1'000;
constexpr std::uint64_t kComparisonsPerStep = 64;

class Search {
 public:
  Search(const model::CountingTask& task, const coverability::CounterSystem& system,
         base::RunContext& context)
      : task_(task),
        system_(system),
        context_(context),
        steps_(system),
        distance_(system),
        index_(store_, system.controls),
        targets_(system.controls) {
    for (std::size_t i = 0; i < system.targets.size(); ++i)
      targets_[system.targets[i].control].push_back(
          {i, coverability::to_omega_vector(system.targets[i])});
  }

  ForwardOutcome run() {
    start();
    while (!outcome_ && !queue_.empty()) {
      const Entry entry = queue_.top();
      queue_.pop();
      expand(entry);
      count_comparisons();
    }
    context_.statistics().set("configurations", static_cast<double>(store_.size()));
    if (outcome_) return std::move(*outcome_);
    if (steps_.has_saturated() || starts_large_)
      return coverability::Overflowed{"a number of tokens does not fit a machine counter"};
    std::vector<OmegaId> maximal;
    for (OmegaId id = 0; id < store_.size(); ++id)
      if (!is_superfluous(id)) maximal.push_back(id);
    return Covered{coverability::forward_cover(store_, maximal)};
  }

 private:
  struct Target {
    std::size_t number;
    OmegaVector least;
  };
  enum class Delay : std::uint8_t {
    None,
    Late,     ///< its parent is superfluous
    Growing,  ///< above an ancestor, without having been pumped
  };
  struct Entry {
    Delay delay;
    coverability::TargetDistance::Estimate distance;
    std::uint32_t finite;  ///< counters that are neither 0 nor ω
    OmegaId id;

    friend bool operator<(const Entry& a, const Entry& b) {  // the greatest is expanded first
      return std::tuple(b.delay, b.distance, b.finite, a.id) <
             std::tuple(a.delay, a.distance, a.finite, b.id);
    }
  };

  void start() {
    for (std::uint32_t i = 0; i < task_.question.initial.size() && !outcome_; ++i) {
      const model::Region& region = task_.question.initial[i];
      add(region.shared.value, coverability::initial_vector(region, &starts_large_),
          {kNoOmegaId, i, 0});
    }
  }

  void expand(const Entry& entry) {
    if (is_superfluous(entry.id)) return;
    const coverability::OmegaNode node = store_.node(entry.id);
    if (entry.delay == Delay::None && node.parent != kNoOmegaId && is_superfluous(node.parent)) {
      Entry later = entry;
      later.delay = Delay::Late;
      queue_.push(later);
      return;
    }
    if (entry.delay == Delay::Growing && ++expanded_growing_ > kMostGrowing) {
      outcome_ = Endless{};
      return;
    }
    const auto vector = store_.vector(entry.id);
    const OmegaVector before(vector.begin(), vector.end());
    steps_.for_each(node.control, before,
                    [&](std::uint32_t transition, std::uint32_t choice, const OmegaVector& after) {
                      if (const auto stop = context_.step())
                        outcome_ = coverability::Stopped{*stop};
                      else
                        add(system_.transitions[transition].to, after,
                            {entry.id, transition, choice});
                      return !outcome_;
                    });
    report();
  }

  /// Work that grows with what is known.
  void count_comparisons() {
    const std::uint64_t compared = (index_.compared() + compared_ancestors_) / kComparisonsPerStep;
    for (; counted_ < compared && !outcome_; ++counted_)
      if (const auto stop = context_.step()) outcome_ = coverability::Stopped{*stop};
  }

  bool is_superfluous(OmegaId id) {
    if (index_.is_removed(id)) return true;
    const coverability::OmegaNode& node = store_.node(id);
    if (index_.find_above(node.control, store_.vector(id), node.signature, id) == kNoOmegaId)
      return false;
    index_.remove(id);
    return true;
  }

  bool is_covered(Control control, const OmegaVector& vector) {
    return store_.contains(control, vector) ||
           index_.find_above(control, vector, coverability::signature_of(vector)) != kNoOmegaId;
  }

  void add(Control control, OmegaVector vector, const coverability::OmegaStore::Origin& origin) {
    if (is_covered(control, vector)) return;
    is_growing_ = origin.parent != kNoOmegaId && growing_[origin.parent];
    std::vector<std::uint32_t> pumped = pump_all(control, vector, origin);
    if (!pumped.empty() && is_covered(control, vector)) return;
    const OmegaId id = store_.add(control, vector, origin);
    store_.set_pumped_from(id, std::move(pumped));
    index_.insert(id);
    growing_.push_back(is_growing_);
    for (const Target& target : targets_[control])
      if (coverability::is_below(target.least, vector)) {
        coverability::OmegaPath path = store_.path_to(id);
        path.target = target.number;
        outcome_ = std::move(path);
        return;
      }
    const auto finite =
        std::ranges::count_if(vector, [](OmegaWord word) { return count_of(word) != kOmega; });
    queue_.push({is_growing_ ? Delay::Growing : Delay::None, distance_(control, vector),
                 static_cast<std::uint32_t>(finite), id});
  }

  /// Pumps as long as that changes anything. The depths of the ancestors, in order.
  std::vector<std::uint32_t> pump_all(Control control, OmegaVector& vector,
                                      const coverability::OmegaStore::Origin& origin) {
    std::vector<std::uint32_t> pumped;
    if (origin.parent == kNoOmegaId) return pumped;
    while (const auto depth = pump_once(control, vector, origin)) pumped.push_back(*depth);
    return pumped;
  }

  /// The depth of the ancestor from which on the path is pumped. Sees, too, whether the vector is
  /// growing.
  std::optional<std::uint32_t> pump_once(Control control, OmegaVector& vector,
                                         const coverability::OmegaStore::Origin& origin) {
    const std::uint64_t signature = coverability::signature_of(vector);
    bool is_constant = system_.transitions[origin.transition].ordinary() &&
                       std::ranges::none_of(vector, [](OmegaWord word) {
                         return count_of(word) == coverability::kMostTokens;
                       });
    std::optional<std::uint32_t> result;
    store_.for_each_ancestor(origin.parent, [&](OmegaId ancestor) {
      const coverability::OmegaNode& node = store_.node(ancestor);
      ++compared_ancestors_;
      if (node.control == control && (node.signature & ~signature) == 0 &&
          coverability::is_below(store_.vector(ancestor), vector)) {
        const OmegaVector before(store_.vector(ancestor).begin(), store_.vector(ancestor).end());
        OmegaVector after = vector;
        coverability::pump(before, after);
        if (after != vector && is_constant) {
          vector = std::move(after);
          result = node.depth;
          return false;
        }
        is_growing_ = is_growing_ || after != vector;
      }
      is_constant = is_constant && node.parent != kNoOmegaId &&
                    system_.transitions[node.transition].ordinary();
      return true;
    });
    return result;
  }

  void report() {
    if (!context_.wants_event()) return;
    context_.emit({"forward cover",
                   {{"configurations", static_cast<double>(store_.size())},
                    {"to expand", static_cast<double>(queue_.size())}}});
  }

  const model::CountingTask& task_;
  const coverability::CounterSystem& system_;
  base::RunContext& context_;
  coverability::ReducedSteps steps_;
  coverability::TargetDistance distance_;
  coverability::OmegaStore store_;
  coverability::OmegaIndex index_;
  std::vector<std::vector<Target>> targets_;  ///< by control
  std::priority_queue<Entry> queue_;
  std::optional<ForwardOutcome> outcome_;
  std::vector<bool> growing_;  ///< by node
  unsigned expanded_growing_ = 0;
  std::uint64_t compared_ancestors_ = 0;
  std::uint64_t counted_ = 0;  ///< steps of comparisons
  bool is_growing_ = false;    ///< the vector that is being added
  bool starts_large_ = false;
};

}  // namespace

ForwardOutcome search(const model::CountingTask& task, const coverability::CounterSystem& system,
                      base::RunContext& context) {
  return Search(task, system, context).run();
}

}  // namespace heddle::engine::cover
