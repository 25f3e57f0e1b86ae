#include "support/naive_cutoff.hpp"

#include <functional>
#include <set>
#include <vector>

namespace heddle::test {

namespace {

using model::Configuration;

class Explorer {
 public:
  Explorer(const model::CountingTask& task, unsigned most) : task_(task), most_(most) {}

  const std::set<Configuration>& run() {
    for (const model::Region& region : task_.question.initial)
      start(region, 0, {region.shared, {}});
    while (!work_.empty()) {
      const Configuration now = work_.back();
      work_.pop_back();
      for (std::size_t t = 0; t < model::transition_count(task_.model); ++t)
        take(now, model::TransitionId(t));
    }
    return seen_;
  }

 private:
  void add(const Configuration& configuration) {
    if (configuration.counts.total() > most_) return;
    if (seen_.insert(configuration).second) work_.push_back(configuration);
  }

  void start(const model::Region& region, std::size_t at, const Configuration& so_far) {
    if (at == region.bounds.size()) return add(so_far);
    const model::CounterBound& bound = region.bounds[at];
    for (base::Integer n = bound.lower; n <= most_ && bound.allows(n); ++n) {
      Configuration next = so_far;
      next.counts.set(bound.counter, n);
      start(region, at + 1, next);
    }
  }

  void take(const Configuration& now, model::TransitionId id) {
    if (const auto* net = std::get_if<model::PetriNet>(&task_.model)) {
      if (const auto next = model::step(*net, now, id)) add(*next);
      return;
    }
    const auto& system = std::get<model::ThreadSystem>(task_.model);
    model::for_each_flow(system, now, id, [&](const std::vector<model::PassiveFlow>& flows) {
      if (const auto next = model::step(system, now, id, flows)) add(*next);
    });
  }

  const model::CountingTask& task_;
  unsigned most_;
  std::set<Configuration> seen_;
  std::vector<Configuration> work_;
};

}  // namespace

std::map<model::ThreadState, unsigned> naive_first_reached(const model::CountingTask& task,
                                                           unsigned most) {
  std::map<model::ThreadState, unsigned> first;
  for (unsigned n = 0; n <= most; ++n) {
    Explorer explorer(task, n);
    for (const Configuration& configuration : explorer.run())
      for (const auto& [counter, count] : configuration.counts.entries())
        first.try_emplace({configuration.shared, counter}, n);
  }
  return first;
}

}  // namespace heddle::test
