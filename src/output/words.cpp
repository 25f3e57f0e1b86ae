#include "output/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/invariant.hpp"

namespace heddle::output {

namespace {

using answer::UnknownReason;
using base::Integer;

}  // namespace

std::string counted(const Integer& count, std::string_view singular) {
  return base::to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  const double minutes = std::floor(seconds / 60);
  return fmt::format("{:.0f} min {:.0f} s", minutes, std::floor(seconds - 60 * minutes));
}

Integer step_count(const answer::Trace& trace) {
  if (trace.run) return Integer(trace.run->steps.size());
  Integer steps = 0;
  for (const answer::TraceBlock& block : trace.blocks)
    steps += block.repetitions * block.body.size();
  return steps;
}

std::optional<Integer> thread_count(const model::Model& model, const answer::Trace& trace) {
  if (const auto* system = std::get_if<model::ThreadSystem>(&model))
    return thread_count(*system, trace);
  if (const auto* pushdown = std::get_if<model::PushdownSystem>(&model))
    return Integer(pushdown->threads.size());
  const auto* program = std::get_if<model::BooleanProgram>(&model);
  if (!program || !trace.run) return std::nullopt;
  if (trace.run->keeps_calls) return Integer(trace.run->initial.threads.size());
  const auto flow = model::boolean::unfold(*program);
  const auto spawns = [&](const model::boolean::Step& step) {
    return flow && step.edge.index() < flow->edges.size() &&
           flow->edges[step.edge.index()].kind == model::boolean::EdgeKind::Spawn;
  };
  return Integer(trace.run->initial.threads.size()) +
         Integer(static_cast<unsigned long>(std::ranges::count_if(trace.run->steps, spawns)));
}

Integer thread_count(const model::ThreadSystem& system, const answer::Trace& trace) {
  const auto spawns = [&](const answer::TraceStep& step) {
    return step.transition.index() < system.transitions.size() &&
           system.transitions[step.transition.index()].kind == model::StepKind::Spawn;
  };
  Integer threads = trace.initial.counts.total();
  for (const answer::TraceBlock& block : trace.blocks)
    threads += block.repetitions * std::ranges::count_if(block.body, spawns);
  return threads;
}

Explanation explain(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::TimeLimit:
      return {"the time limit was reached", "a larger --timeout, or another --engine or --order"};
    case UnknownReason::MemoryLimit:
      return {"the memory limit was reached",
              "a larger --memory, fewer --jobs, or another --engine or --order"};
    case UnknownReason::StepLimit: return {"the step limit was reached", "a larger --steps"};
    case UnknownReason::Cancelled: return {"the run was stopped", {}};
    case UnknownReason::CounterOverflow:
      return {"a count outgrew the engine's machine counters", "another --engine"};
    case UnknownReason::NotMonotone:
      return {"the answer for the monotone relaxation does not carry over",
              "a model without upper bounds in guards ('=', 'in') and targets"};
    case UnknownReason::Unsupported:
      return {"no engine accepts the task", "'heddle engines' for what there is"};
    case UnknownReason::Unconfirmed:
      return {"the check of the claim did not finish",
              "a larger --timeout or --memory, or --evidence FILE and later 'heddle check'"};
    case UnknownReason::EngineFailed:
      return {"an error inside Heddle", "another --engine; please report this with the input file"};
  }
  base::fail_invariant("reason", "UnknownReason should be one of its enumerators", __FILE__,
                       __LINE__);
}

std::vector<std::string> target_texts(const model::Task& task) {
  std::vector<std::string> out;
  for (const std::string& label : task.question.labels)
    out.push_back("a thread gets to label " + label);
  if (!out.empty()) return out;
  for (const model::Region& region : task.question.targets)
    out.push_back(model::target_to_string(task.model, region));
  return out;
}

}  // namespace heddle::output
