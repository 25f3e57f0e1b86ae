#include "engine/cutoff/cutoff.hpp"

#include "base/invariant.hpp"
#include "engine/counters.hpp"
#include "engine/cutoff/detection.hpp"
#include "engine/cutoff/evidence.hpp"
#include "engine/cutoff/unreachable_basis.hpp"
#include "engine/cutoff/witness.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::engine::cutoff {

namespace {

using answer::Unknown;
using answer::Verdict;

Acceptance accepts_question(const model::CountingTask& task) {
  if (task.question.targets.empty()) return {"there is no target"};
  return accepts(task);
}

Verdict run(const model::CountingTask& task, const CutoffOptions& options,
            base::RunContext& context) {
  const auto family = coverability::thread_family(task);
  if (!family) return Unknown{answer::UnknownReason::CounterOverflow, family.error()};
  Detection detection(task, *family, family->targets, options, Goal::Target);
  DetectionResult outcome = detection.run(context);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&outcome)) return unknown(*stopped);
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&outcome))
    return unknown(*overflow);
  if (auto* reached = std::get_if<TargetReached>(&outcome)) {
    if (reached->trace) return answer::Unsafe{std::move(*reached->trace)};
    return answer::Unsafe{
        forward_trace(task, *family, detection.forward(), *detection.forward().target())};
  }
  return answer::Safe{
      unreachable_basis(*family, detection.known(), detection.uncoverable(), family->targets)};
}

const Refusal& refusal() {
  static const Refusal all = counters_only(
      "a Boolean program is translated to a thread system first (heddle translate --to tts)");
  return all;
}

}  // namespace

Acceptance accepts(const model::CountingTask& task) {
  if (transform::needs_monotone_relaxation(task))
    return {"a guard or target with an upper bound is not monotone"};
  if (auto why = coverability::why_no_family(task.model)) return {std::move(why)};
  return {};
}

Verdict find_cutoff(const model::CountingTask& task, const CutoffOptions& options,
                    base::RunContext& context) {
  const auto family = coverability::thread_family(task);
  if (!family) return Unknown{answer::UnknownReason::CounterOverflow, family.error()};
  Detection detection(task, *family, {}, options, Goal::Cutoff);
  const DetectionResult outcome = detection.run(context);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&outcome)) return unknown(*stopped);
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&outcome))
    return unknown(*overflow);
  auto evidence = cutoff_evidence(task, *family, detection, options, context);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&evidence)) return unknown(*stopped);
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&evidence))
    return unknown(*overflow);
  return std::get<answer::Cutoff>(std::move(evidence));
}

EngineRow row() {
  return row_for({.name = "cutoff",
                  .summary = "thread states of 1, 2, … threads until no further thread adds one",
                  .models = "thread systems, Petri nets without resets and transfers",
                  .proves = true,
                  .refutes = true,
                  .complete = true,
                  .evidence = {"trace", "backward_basis"},
                  .options = {order_option(&CutoffOptions::order),
                              invariants_option(&CutoffOptions::use_invariants)}},
                 accepts_question, run, refusal());
}

EngineRow cutoff_row() {
  EngineRow all = row();
  all.evidence = {"cutoff"};
  return row_for(std::move(all), accepts, find_cutoff, refusal());
}

}  // namespace heddle::engine::cutoff
