#include "transform/pushdown_visits.hpp"

namespace heddle::transform {

using model::PushdownRule;
using model::PushdownSystem;
using model::SharedState;

model::Task reach_through(const model::Task& task, const std::set<std::uint32_t>& lines) {
  model::Task out = task;
  auto& system = std::get<PushdownSystem>(out.model);
  const std::uint32_t states = system.shared_count;
  const auto behind = [&](SharedState state) { return SharedState(state.value + states); };
  system.shared_count = 2 * states;
  system.transitions.clear();
  for (const PushdownRule& rule : std::get<PushdownSystem>(task.model).transitions) {
    PushdownRule before = rule, after = rule;
    if (lines.contains(rule.line)) before.to = behind(rule.to);
    after.from = behind(rule.from);
    after.to = behind(rule.to);
    system.transitions.push_back(std::move(before));
    system.transitions.push_back(std::move(after));
  }
  for (model::Region& target : out.question.targets) target.shared = behind(target.shared);
  return out;
}

}  // namespace heddle::transform
