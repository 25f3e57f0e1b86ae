#include "output/picture/expanded_diagram.hpp"

#include <algorithm>
#include <optional>

namespace heddle::output::picture {

namespace {

using model::ThreadState;
using model::ThreadTransition;

class PathBuilder {
 public:
  explicit PathBuilder(const model::CountingTask& task)
      : task_(task), system_(std::get<model::ThreadSystem>(task.model)) {}

  PathTaken run(const answer::Trace& trace) {
    for (const answer::TraceBlock& block : trace.blocks) {
      for (const answer::TraceStep& step : block.body)
        if (is_edge(step)) take(step, block.repetitions);
      const auto first = std::ranges::find_if(
          block.body, [&](const answer::TraceStep& step) { return is_edge(step); });
      if (block.repetitions > 1 && first != block.body.end()) join(edge(*first));
    }
    arrive();
    return std::move(path_);
  }

 private:
  const ThreadTransition& edge(const answer::TraceStep& step) const {
    return system_.transitions[step.transition.index()];
  }

  bool is_edge(const answer::TraceStep& step) const {
    if (step.transition.index() >= system_.transitions.size()) return false;
    const ThreadTransition& t = edge(step);
    return t.source != t.target || !t.passive.empty() || t.kind != model::StepKind::Move;
  }

  void take(const answer::TraceStep& step, const base::Integer& times) {
    join(edge(step));
    path_.transitions[step.transition.value] += times;
    last_ = &edge(step);
  }

  /// From the last edge to the source of the next one.
  void join(const ThreadTransition& next) { go_to(next.source); }

  void go_to(ThreadState next) {
    if (!last_ || last_->target.shared != next.shared) return;
    const auto ends = ends_of(*last_);
    if (std::ranges::find(ends, next) == ends.end()) path_.expansions.emplace(ends.front(), next);
  }

  void arrive() {
    for (const model::Region& target : task_.question.targets)
      if (last_ && last_->target.shared == target.shared) {
        for (const model::CounterBound& bound : target.bounds)
          if (bound.lower > 0) go_to({target.shared, bound.counter});
        return;
      }
  }

  const model::CountingTask& task_;
  const model::ThreadSystem& system_;
  const ThreadTransition* last_ = nullptr;
  PathTaken path_;
};

}  // namespace

std::vector<ThreadState> ends_of(const ThreadTransition& t) {
  if (t.kind != model::StepKind::Spawn) return {t.target};
  return {t.target, {t.target.shared, t.source.local}};
}

std::set<ExpansionEdge> expansion_edges(const model::CountingTask& task,
                                        const DiagramParts& parts) {
  const auto& system = std::get<model::ThreadSystem>(task.model);
  std::map<model::SharedState, std::set<ThreadState>> starts;
  for (const std::uint32_t t : parts.live) {
    const ThreadState source = system.transitions[t].source;
    starts[source.shared].insert(source);
  }
  for (const model::Region& target : task.question.targets)
    for (const model::CounterBound& bound : target.bounds)
      if (bound.lower > 0) starts[target.shared].insert({target.shared, bound.counter});
  std::set<ExpansionEdge> edges;
  for (const std::uint32_t t : parts.live)
    for (const ThreadState end : ends_of(system.transitions[t]))
      for (const ThreadState start : starts[end.shared])
        if (start != end) edges.emplace(end, start);
  return edges;
}

base::Integer PathTaken::rounds_of(const LoopComponent& loop) const {
  base::Integer steps = 0;
  for (const std::uint32_t t : loop.transitions)
    if (const auto it = transitions.find(t); it != transitions.end()) steps += it->second;
  return steps / base::Integer(std::max<std::size_t>(loop.transitions.size(), 1));
}

PathTaken path_of(const model::CountingTask& task, const answer::Trace& trace) {
  return PathBuilder(task).run(trace);
}

}  // namespace heddle::output::picture
