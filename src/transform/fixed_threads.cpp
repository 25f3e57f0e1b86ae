#include "transform/fixed_threads.hpp"

namespace heddle::transform {

std::expected<FixedThreads, std::string> fixed_threads(const model::ProgramTask& task) {
  const auto threads = model::exact_threads(task.question);
  if (!threads || *threads < 1 || *threads > 1000)
    return std::unexpected("the number of threads is not fixed");
  const auto count = static_cast<std::size_t>(threads->get_ui());
  auto flow = model::boolean::keep_calls(task.model);
  if (!flow) return std::unexpected(flow.error());
  if (flow->lists_threads && count != 1)
    return std::unexpected("it lists its threads, and has one of each");
  std::vector<model::boolean::NodeId> starts = flow->starts;
  if (!flow->lists_threads) starts.assign(count, flow->starts.front());
  return FixedThreads{std::move(*flow), std::move(starts)};
}

/// Takes away frames that call nobody who is left; those on a cycle of calls stay.
bool is_recursive(const model::boolean::Flow& flow) {
  std::vector<std::size_t> calls(flow.frames.size(), 0);
  std::vector<std::vector<std::uint32_t>> callers(flow.frames.size());
  for (const model::boolean::FlowEdge& edge : flow.edges) {
    if (edge.kind != model::boolean::EdgeKind::Call) continue;
    const std::uint32_t caller = flow.nodes[edge.source.index()].frame;
    callers[flow.nodes[edge.child.index()].frame].push_back(caller);
    ++calls[caller];
  }
  std::vector<std::uint32_t> done;
  for (std::uint32_t frame = 0; frame < calls.size(); ++frame)
    if (calls[frame] == 0) done.push_back(frame);
  for (std::size_t i = 0; i < done.size(); ++i)
    for (const std::uint32_t caller : callers[done[i]])
      if (--calls[caller] == 0) done.push_back(caller);
  return done.size() < calls.size();
}

}  // namespace heddle::transform
