#include "engine/context/threads.hpp"

namespace heddle::engine::context {

using model::boolean::NodeId;

std::expected<Threads, std::string> threads_of(const model::Task& task) {
  const auto* program = std::get_if<model::BooleanProgram>(&task.model);
  if (!program) return std::unexpected("it runs on Boolean programs only");
  const auto& initial = task.question.initial;
  const model::CounterBound* bound =
      initial.size() == 1 ? initial.front().find(model::Counter(0U)) : nullptr;
  if (!bound || bound->upper != bound->lower || bound->lower < 1 || bound->lower > 1000)
    return std::unexpected("the number of threads is not fixed");
  const auto count = static_cast<std::size_t>(bound->lower.get_ui());
  const bool listed = model::boolean::lists_threads(*program);
  if (listed && count != 1) return std::unexpected("it lists its threads, and has one of each");
  auto flow = model::boolean::keep_calls(*program);
  if (!flow) return std::unexpected(flow.error());
  std::vector<NodeId> starts = flow->starts;
  if (!listed) starts.assign(count, flow->starts.front());
  return Threads{std::move(*flow), std::move(starts)};
}

}  // namespace heddle::engine::context
