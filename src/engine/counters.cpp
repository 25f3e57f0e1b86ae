#include "engine/counters.hpp"

#include "transform/monotone_relaxation.hpp"

namespace heddle::engine {

Refusal counters_only(std::string_view programs) {
  return {"only thread systems and Petri nets are supported",
          {{model::Tag<model::BooleanProgram>(), programs},
           {model::Tag<model::PushdownSystem>(), "pushdown systems are not supported"}}};
}

Acceptance accepts_upward_closed(const model::CountingTask& task) {
  if (transform::needs_monotone_relaxation(task))
    return {"a guard or target with an upper bound or a condition is not monotone"};
  if (task.question.targets.empty()) return {"there is no target"};
  return {};
}

namespace {

struct ForwardVerdict {
  const model::CountingTask& task;
  const coverability::CounterSystem& system;
  std::string_view why_endless;

  answer::Verdict operator()(const coverability::OmegaPath& path) const {
    return answer::Unsafe{coverability::unfold(task, system, path)};
  }
  answer::Verdict operator()(Covered& covered) const {
    return answer::Safe{std::move(covered.cover)};
  }
  answer::Verdict operator()(Endless) const {
    return answer::Unknown{answer::UnknownReason::Incomplete, std::string(why_endless)};
  }
  answer::Verdict operator()(const coverability::Stopped& stopped) const {
    return unknown(stopped);
  }
  answer::Verdict operator()(const coverability::Overflowed& overflow) const {
    return unknown(overflow);
  }
};

}  // namespace

answer::Verdict to_verdict(const model::CountingTask& task,
                           const coverability::CounterSystem& system, ForwardOutcome outcome,
                           std::string_view why_endless) {
  return std::visit(ForwardVerdict{task, system, why_endless}, outcome);
}

}  // namespace heddle::engine
