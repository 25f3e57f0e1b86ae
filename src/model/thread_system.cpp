#include "model/thread_system.hpp"

#include <algorithm>
#include <map>

#include "base/invariant.hpp"

namespace heddle::model {

namespace {

using base::Integer;

std::string describe(LocalState local) { return "local state " + std::to_string(local.value); }

/// The configuration with the active thread taken out, or why there is none.
std::expected<Counts, std::string> passive_part(const ThreadTransition& t,
                                                const Configuration& from) {
  if (from.shared != t.source.shared)
    return std::unexpected("shared state is " + std::to_string(from.shared.value) + ", not " +
                           std::to_string(t.source.shared.value));
  Counts rest = from.counts;
  if (t.kind == StepKind::Transfer) return rest;
  if (rest[t.source.local] == 0)
    return std::unexpected("no thread is in " + describe(t.source.local));
  if (t.kind == StepKind::Move) rest.add(t.source.local, -1);
  return rest;
}

/// The passive moves of any kind of transition: a Transfer is one without an active thread.
std::vector<PassiveMove> passive_moves(const ThreadTransition& t) {
  if (t.kind == StepKind::Transfer) return {{t.source.local, t.target.local}};
  return t.passive;
}

std::map<LocalState, std::vector<LocalState>> targets_by_source(const ThreadTransition& t) {
  std::map<LocalState, std::vector<LocalState>> targets;
  for (const PassiveMove& move : passive_moves(t)) targets[move.from].push_back(move.to);
  return targets;
}

/// Adds what the passive threads of one source become to `after`. `targets` and `flows` are those
/// of the source; the targets are sorted.
std::expected<void, std::string> move_source(LocalState source,
                                             const std::vector<LocalState>& targets,
                                             const Integer& present, const std::vector<Flow>& flows,
                                             Counts& after) {
  Integer chosen = 0;
  for (const Flow& flow : flows) {
    if (flow.count < 0) return std::unexpected("a flow has a negative count");
    if (!std::ranges::binary_search(targets, flow.to))
      return std::unexpected("no passive move from " + describe(source) + " to " +
                             describe(flow.to));
    chosen += flow.count;
    after.add(flow.to, flow.count);
  }
  if (flows.empty() && (targets.size() == 1 || present == 0)) {
    after.add(targets.front(), present);
    return {};
  }
  if (chosen != present)
    return std::unexpected("the flows move " + base::to_string(chosen) + " of " +
                           base::to_string(present) + " passive threads in " + describe(source));
  return {};
}

}  // namespace

std::vector<LocalState> passive_targets(const ThreadTransition& transition, LocalState local) {
  if (transition.kind == StepKind::Transfer)
    return {local == transition.source.local ? transition.target.local : local};
  std::vector<LocalState> targets;
  for (const PassiveMove& move :
       std::ranges::equal_range(transition.passive, local, {}, &PassiveMove::from))
    targets.push_back(move.to);
  if (targets.empty()) targets.push_back(local);
  return targets;
}

std::expected<Configuration, std::string> step(const ThreadSystem& system,
                                               const Configuration& from, TransitionId transition,
                                               const std::vector<Flow>& flows) {
  if (transition.index() >= system.transitions.size())
    return std::unexpected("there is no transition " + std::to_string(transition.value));
  const ThreadTransition& t = system.transitions[transition.index()];
  auto passive = passive_part(t, from);
  if (!passive) return std::unexpected(std::move(passive.error()));

  const auto targets = targets_by_source(t);
  std::map<LocalState, std::vector<Flow>> chosen;
  for (const Flow& flow : flows) {
    if (!targets.contains(flow.from))
      return std::unexpected(describe(flow.from) + " has no passive move");
    chosen[flow.from].push_back(flow);
  }
  Configuration after{t.target.shared, {}};
  for (const auto& [local, count] : passive->entries())
    if (!targets.contains(local)) after.counts.set(local, count);
  for (const auto& [source, choices] : targets) {
    auto moved = move_source(source, choices, (*passive)[source], chosen[source], after.counts);
    if (!moved) return std::unexpected(std::move(moved.error()));
  }
  if (t.kind != StepKind::Transfer) after.counts.add(t.target.local, 1);
  return after;
}

namespace {

/// Assigns the passive threads of the sources with several targets, one source after the other.
class FlowEnumerator {
 public:
  FlowEnumerator(const ThreadTransition& t, const Counts& passive,
                 const std::function<void(const std::vector<Flow>&)>& visit)
      : visit_(visit) {
    for (auto& [source, targets] : targets_by_source(t))
      if (targets.size() > 1 && passive[source] > 0)
        sources_.push_back({source, targets, passive[source]});
  }

  void run() { split(0, 0, sources_.empty() ? Integer(0) : sources_[0].present); }

 private:
  struct Source {
    LocalState local;
    std::vector<LocalState> targets;
    Integer present;
  };

  void split(std::size_t source, std::size_t target, const Integer& left) {
    if (source == sources_.size()) return visit_(flows_);
    const Source& s = sources_[source];
    if (target + 1 == s.targets.size()) {
      flows_.push_back({s.local, s.targets[target], left});
      const bool last = source + 1 == sources_.size();
      split(source + 1, 0, last ? Integer(0) : sources_[source + 1].present);
      flows_.pop_back();
      return;
    }
    for (Integer n = 0; n <= left; ++n) {
      flows_.push_back({s.local, s.targets[target], n});
      split(source, target + 1, left - n);
      flows_.pop_back();
    }
  }

  const std::function<void(const std::vector<Flow>&)>& visit_;
  std::vector<Source> sources_;
  std::vector<Flow> flows_;
};

}  // namespace

void for_each_flow(const ThreadSystem& system, const Configuration& from, TransitionId transition,
                   const std::function<void(const std::vector<Flow>&)>& visit) {
  const ThreadTransition& t = system.transitions.at(transition.index());
  const auto passive = passive_part(t, from);
  if (passive) FlowEnumerator(t, *passive, visit).run();
}

}  // namespace heddle::model
