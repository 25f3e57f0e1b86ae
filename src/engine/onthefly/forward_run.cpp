#include "engine/onthefly/forward_run.hpp"

#include "base/invariant.hpp"

namespace heddle::engine::onthefly {

namespace {

using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::Wanted;

/// What may be wanted of a thread that arrives at the node: any of the element's demands there, or
/// nothing.
std::vector<Cube> demands_at(const Element& element, NodeId node) {
  std::vector<Cube> out;
  for (const ThreadCube& thread : element.threads)
    if (thread.node == node) out.push_back(thread.values);
  out.push_back(Cube::all());
  return out;
}

}  // namespace

ForwardRun::ForwardRun(const Flow& flow, const Element& first, std::size_t threads) : flow_(flow) {
  state_.shared = first.shared.with(flow.initial_shared).value;
  for (const ThreadCube& thread : first.threads)
    state_.threads.push_back({flow.start, thread.values.with(flow.initial_local).value});
  while (state_.threads.size() < threads)
    state_.threads.push_back({flow.start, flow.initial_local.value});
  run_.initial = state_;
}

void ForwardRun::step(EdgeId edge, const Element& next) {
  for (std::uint32_t thread = 0; thread < state_.threads.size(); ++thread)
    if (state_.threads[thread].node == flow_.edges[edge.index()].source &&
        try_thread(thread, edge, next))
      return;
  HEDDLE_INVARIANT(false, "a cover predecessor should have a step to its successor");
}

bool ForwardRun::try_thread(std::uint32_t thread, EdgeId which, const Element& next) {
  const FlowEdge& edge = flow_.edges[which.index()];
  const std::vector<Cube> children =
      edge.kind == EdgeKind::Spawn ? demands_at(next, edge.child) : std::vector{Cube::all()};
  for (const Cube& local : demands_at(next, edge.target))
    for (const Cube& child : children)
      if (try_outcome(thread, which, next, {next.shared, local, child})) return true;
  return false;
}

bool ForwardRun::try_outcome(std::uint32_t thread, EdgeId edge, const Element& next,
                             const Wanted& wanted) {
  const auto outcome =
      find_outcome(flow_.edges[edge.index()], state_.shared, state_.threads[thread].values, wanted);
  if (!outcome) return false;
  bool done = false;
  for_each_completion(flow_, state_, {thread, edge, *outcome, std::nullopt, {}},
                      [&](const Step& step, const State& after) {
                        if (!covers(after, next)) return true;
                        run_.steps.push_back(step);
                        state_ = after;
                        done = true;
                        return false;
                      });
  return done;
}

}  // namespace heddle::engine::onthefly
