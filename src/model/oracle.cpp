#include "model/oracle.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace heddle::model {

using base::Integer;

/// Breadth-first search with a set of everything seen. Plain on purpose: its only cleverness is to
/// write down the first thing that a limit made it leave out.
class Explorer {
 public:
  Explorer(const CountingModel& model, const OracleLimits& limits, Oracle& oracle)
      : model_(model), limits_(limits), oracle_(oracle) {}

  void run(const std::vector<Region>& initial) {
    for (const Region& region : initial) choose_initial(region, 0, {region.shared, {}});
    for (std::size_t next = 0; next < oracle_.found_.size(); ++next) expand(next);
  }

 private:
  void leave_out(const std::string& what) {
    if (oracle_.left_out_.empty()) oracle_.left_out_ = what;
  }

  /// Fixes the initial counters of the region one after the other.
  void choose_initial(const Region& region, std::size_t position, const Configuration& chosen) {
    if (position == region.bounds.size()) {
      add(chosen, oracle_.found_.size(), {});
      return;
    }
    const CounterBound& bound = region.bounds[position];
    Integer last = bound.lower + limits_.max_unbounded;
    if (bound.upper && *bound.upper <= last) {
      last = *bound.upper;
    } else {
      leave_out("initial configurations with more than " + base::to_string(last) + " in " +
                counter_name(model_, bound.counter));
    }
    for (Integer value = bound.lower; value <= last && !full(); ++value) {
      Configuration next = chosen;
      next.counts.set(bound.counter, value);
      choose_initial(region, position + 1, next);
    }
  }

  bool full() {
    if (oracle_.found_.size() < limits_.max_configurations) return false;
    leave_out("configurations after the first " + std::to_string(limits_.max_configurations));
    return true;
  }

  void add(const Configuration& configuration, std::size_t parent, const OracleStep& step) {
    if (seen_.contains(configuration) || full()) return;
    seen_.insert(configuration);
    oracle_.found_.push_back({configuration, parent, step});
  }

  void expand(std::size_t index) {
    const Configuration from = oracle_.found_[index].configuration;
    if (from.counts.total() > limits_.max_total) {
      leave_out("successors of configurations with more than " +
                base::to_string(limits_.max_total) + " in total");
      return;
    }
    for (std::size_t t = 0; t < transition_count(model_); ++t) {
      for_each_successor(from, TransitionId(t), [&](const auto& flows, const auto& after) {
        add(after, index, {TransitionId(t), flows});
      });
    }
  }

  using Visit = std::function<void(const std::vector<PassiveFlow>&, const Configuration&)>;

  void for_each_successor(const Configuration& from, TransitionId t, const Visit& visit) const {
    std::visit([&](const auto& model) { for_each_successor(model, from, t, visit); }, model_);
  }

  static void for_each_successor(const PetriNet& net, const Configuration& from, TransitionId t,
                                 const Visit& visit) {
    if (const auto after = step(net, from, t)) visit({}, *after);
  }

  static void for_each_successor(const ThreadSystem& system, const Configuration& from,
                                 TransitionId t, const Visit& visit) {
    for_each_flow(system, from, t, [&](const std::vector<PassiveFlow>& flows) {
      if (const auto after = step(system, from, t, flows)) visit(flows, *after);
    });
  }

  const CountingModel& model_;
  const OracleLimits& limits_;
  Oracle& oracle_;
  std::set<Configuration> seen_;
};

Oracle::Oracle(const CountingModel& model, const std::vector<Region>& initial,
               const OracleLimits& limits) {
  Explorer(model, limits, *this).run(initial);
}

OracleAnswer Oracle::ask(const std::vector<Region>& targets) const {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const bool hit = std::ranges::any_of(targets, [&](const Region& target) {
      return target_region_contains(target, found_[i].configuration);
    });
    if (hit) return witness(i);
  }
  return NotReached{left_out_};
}

Reached Oracle::witness(std::size_t index) const {
  Reached reached;
  for (; found_[index].parent != index; index = found_[index].parent)
    reached.steps.push_back(found_[index].step);
  std::ranges::reverse(reached.steps);
  reached.initial = found_[index].configuration;
  return reached;
}

OracleAnswer ask_oracle(const CountingTask& task, const OracleLimits& limits) {
  return Oracle(task.model, task.question.initial, limits).ask(task.question.targets);
}

}  // namespace heddle::model
