#include "output/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/invariant.hpp"
#include "model/labels.hpp"
#include "output/kinds.hpp"

namespace heddle::output {

namespace {

using answer::UnknownReason;
using base::Integer;

}  // namespace

std::string bound_text(const answer::Bound& bound) {
  std::string_view what = to_string(bound.what);
  if (what.ends_with('s')) what.remove_suffix(1);
  return counted(bound.value, what);
}

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  const double minutes = std::floor(seconds / 60);
  return fmt::format("{:.0f} min {:.0f} s", minutes, std::floor(seconds - 60 * minutes));
}

Integer step_count(const answer::Trace& trace) {
  Integer steps = 0;
  for (const answer::TraceBlock& block : trace.blocks)
    steps += block.repetitions * block.body.size();
  return steps;
}

Integer step_count(const answer::ProgramRun& run) { return Integer(run.steps.size()); }
Integer step_count(const answer::PushdownRun& run) { return Integer(run.steps.size()); }
Integer step_count(const model::c::Run& run) {
  Integer steps = 0;
  for (const model::c::RunStep& step : run.steps) steps += step.instructions;
  return steps;
}

Integer step_count(const answer::AnyRun& run) {
  return std::visit([](const auto& which) { return step_count(which); }, run);
}

namespace {

using Threads = std::optional<Integer>;

}  // namespace

Threads threads_of(const model::ThreadSystem& system, const answer::Trace& trace) {
  const auto spawns = [&](const answer::TraceStep& step) {
    return step.transition.index() < system.transitions.size() &&
           system.transitions[step.transition.index()].kind == model::StepKind::Spawn;
  };
  Integer threads = trace.initial.counts.total();
  for (const answer::TraceBlock& block : trace.blocks)
    threads += block.repetitions * std::ranges::count_if(block.body, spawns);
  return threads;
}

Threads threads_of(const model::PetriNet&, const answer::Trace&) { return std::nullopt; }

Threads threads_of(const model::PushdownSystem& system, const answer::PushdownRun&) {
  return Integer(system.threads.size());
}

/// Those that make a step.
Threads threads_of(const model::CProgram&, const model::c::Run& run) {
  std::set<std::uint32_t> threads;
  for (const model::c::RunStep& step : run.steps) threads.insert(step.thread.value);
  return Integer(threads.size());
}

Threads threads_of(const model::BooleanProgram& program, const answer::ProgramRun& run) {
  if (run.keeps_calls) return Integer(run.initial.threads.size());
  const auto flow = model::boolean::unfold(program);
  const auto spawns = [&](const model::boolean::Step& step) {
    return flow && step.edge.index() < flow->edges.size() &&
           flow->edges[step.edge.index()].kind == model::boolean::EdgeKind::Spawn;
  };
  return Integer(run.initial.threads.size()) +
         Integer(static_cast<unsigned long>(std::ranges::count_if(run.steps, spawns)));
}

Threads thread_count(const model::AnyTask& any, const answer::AnyRun& run) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) -> Threads {
        const auto* own = std::get_if<answer::RunOf<Model>>(&run);
        return own ? threads_of(task.model, *own) : std::nullopt;
      },
      any);
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
      return {"no engine accepts the task", "--verbose for what each engine says"};
    case UnknownReason::Incomplete:
      return {"the engine's method does not cover the whole program", "another --engine"};
    case UnknownReason::Unconfirmed:
      return {"an engine made a claim that the check could not decide",
              "another --engine, or a larger --timeout or --memory"};
    case UnknownReason::EngineFailed:
      return {"an error inside Heddle", "another --engine; please report this with the input file"};
  }
  base::fail_invariant("reason", "UnknownReason should be one of its enumerators", __FILE__,
                       __LINE__);
}

namespace {

template <class Question>
std::vector<std::string> label_texts(const Question& question) {
  std::vector<std::string> out;
  if constexpr (model::HasLabels<Question>)
    for (const std::string& label : question.labels)
      out.push_back("a thread reaches label " + label);
  return out;
}

}  // namespace

std::vector<std::string> target_texts(const model::AnyTask& any) {
  return std::visit(
      []<class Model>(const model::Task<Model>& task) {
        std::vector<std::string> out = label_texts(task.question);
        if (!out.empty()) return out;
        for (const auto& target : task.question.targets)
          out.push_back(target_to_string(task.model, target));
        return out;
      },
      any);
}

std::vector<std::string> initial_texts(const model::AnyTask& any) {
  return std::visit(
      []<class Model>(const model::Task<Model>& task) {
        std::vector<std::string> out;
        for (const auto& initial : task.question.initial)
          out.push_back(initial_to_string(task.model, initial));
        return out;
      },
      any);
}

}  // namespace heddle::output
