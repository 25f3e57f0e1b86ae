#include "engine/concolic/spaghetti.hpp"

namespace heddle::engine::concolic {

namespace {

using model::ThreadSystem;

/// The task with fewer transitions, and where each of them comes from.
struct Slice {
  model::CountingTask task;
  std::vector<std::uint32_t> original;
};

Slice cut(const model::CountingTask& task, const Diagram& diagram, const Quotient& quotient) {
  const auto& whole = std::get<ThreadSystem>(task.model);
  ThreadSystem part{whole.shared_count, whole.local_count, {}, {}, {}};
  Slice slice{{part, {task.question.initial, {}}}, {}};
  auto& transitions = std::get<ThreadSystem>(slice.task.model).transitions;
  for (const Arc& arc : diagram.arcs()) {
    if (!quotient.on_spaghetti_path(arc)) continue;
    transitions.push_back(whole.transitions[arc.transition]);
    slice.original.push_back(arc.transition);
  }
  for (const model::Region& target : task.question.targets)
    if (quotient.ends_spaghetti_path(target.shared.value))
      slice.task.question.targets.push_back(target);
  return slice;
}

void translate_back(answer::Trace& trace, const std::vector<std::uint32_t>& original) {
  for (answer::TraceBlock& block : trace.blocks)
    for (answer::TraceStep& step : block.body)
      step.transition = model::TransitionId(original[step.transition.index()]);
}

}  // namespace

coverability::SearchResult search_spaghetti(const model::CountingTask& task, const Diagram& diagram,
                                            const Quotient& quotient, coverability::Pruner& pruner,
                                            coverability::SearchOrder order,
                                            base::RunContext& context) {
  const Slice slice = cut(task, diagram, quotient);
  auto result = coverability::backward_search(slice.task, pruner, order, context);
  if (auto* found = std::get_if<coverability::Coverable>(&result))
    translate_back(found->trace, slice.original);
  return result;
}

}  // namespace heddle::engine::concolic
