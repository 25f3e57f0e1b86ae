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
                                             const Integer& present,
                                             const std::vector<PassiveFlow>& flows, Counts& after) {
  Integer chosen = 0;
  for (const PassiveFlow& flow : flows) {
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
                                               const std::vector<PassiveFlow>& flows) {
  if (transition.index() >= system.transitions.size())
    return std::unexpected("there is no transition " + std::to_string(transition.value));
  const ThreadTransition& t = system.transitions[transition.index()];
  auto passive = passive_part(t, from);
  if (!passive) return std::unexpected(std::move(passive.error()));

  const auto targets = targets_by_source(t);
  std::map<LocalState, std::vector<PassiveFlow>> chosen;
  for (const PassiveFlow& flow : flows) {
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
                 const std::function<void(const std::vector<PassiveFlow>&)>& visit)
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

  const std::function<void(const std::vector<PassiveFlow>&)>& visit_;
  std::vector<Source> sources_;
  std::vector<PassiveFlow> flows_;
};

}  // namespace

void for_each_flow(const ThreadSystem& system, const Configuration& from, TransitionId transition,
                   const std::function<void(const std::vector<PassiveFlow>&)>& visit) {
  const ThreadTransition& t = system.transitions.at(transition.index());
  const auto passive = passive_part(t, from);
  if (passive) FlowEnumerator(t, *passive, visit).run();
}

namespace {

constexpr unsigned kLongestRun = 4;

void append_state(std::string& out, const std::string& item) {
  if (!out.empty()) out += ",";
  out += item;
}

/// `3,3,3`, or `3^17` for long runs.
std::string repeated(Counter counter, const Integer& count) {
  const std::string name = std::to_string(counter.value);
  if (count > kLongestRun) return name + "^" + base::to_string(count);
  std::string out;
  for (Integer i = 0; i < count; ++i) append_state(out, name);
  return out;
}

/// `3,3`, or `3^[2,5]` for a range; of a bound without an upper end, its least number.
std::string number_of_threads(const CounterBound& bound) {
  if (!bound.upper || *bound.upper == bound.lower) return repeated(bound.counter, bound.lower);
  return std::to_string(bound.counter.value) + "^[" + base::to_string(bound.lower) + "," +
         base::to_string(*bound.upper) + "]";
}

std::string thread_multiset(const Counts& counts) {
  std::string out;
  for (const auto& [counter, count] : counts.entries()) append_state(out, repeated(counter, count));
  return out;
}

std::string named(std::uint32_t number, const std::vector<std::string>& names) {
  std::string out = std::to_string(number);
  if (number < names.size() && !names[number].empty()) out += " (" + names[number] + ")";
  return out;
}

}  // namespace

std::string initial_to_string(const ThreadSystem&, const Region& region) {
  std::string listed;
  std::string any;
  for (const CounterBound& bound : region.bounds) {
    if (const std::string threads = number_of_threads(bound); !threads.empty())
      append_state(listed, threads);
    if (!bound.upper) append_state(any, std::to_string(bound.counter.value));
  }
  std::string out = std::to_string(region.shared.value);
  if (!listed.empty() || any.empty()) out += "|" + listed;
  if (!any.empty()) out += "/" + any;
  return out;
}

std::string target_to_string(const ThreadSystem& system, const Region& region) {
  if (region.condition.is_false()) return "false";
  return to_string(system, least_element(region));
}

std::string to_string(const ThreadSystem&, const Configuration& configuration) {
  return std::to_string(configuration.shared.value) + "|" + thread_multiset(configuration.counts);
}

std::string shared_name(const ThreadSystem& system, SharedState shared) {
  return named(shared.value, system.shared_names);
}

std::string counter_name(const ThreadSystem& system, LocalState local) {
  return named(local.value, system.local_names);
}

}  // namespace heddle::model
