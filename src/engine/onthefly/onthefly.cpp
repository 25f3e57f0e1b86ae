#include "engine/onthefly/onthefly.hpp"

#include "engine/onthefly/search.hpp"
#include "engine/search_verdict.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

Acceptance accepts(const model::Task& task) {
  const auto* program = std::get_if<model::BooleanProgram>(&task.model);
  if (!program) return {"it runs on Boolean programs only"};
  const auto flow = model::boolean::unfold(*program);
  if (!flow) return {flow.error()};
  return {};
}

struct ToVerdict {
  Verdict operator()(answer::ProgramRun& run) const {
    answer::Trace trace;
    trace.run = std::move(run);
    return answer::Unsafe{std::move(trace)};
  }
  Verdict operator()(answer::ProgramBasis& basis) const { return answer::Safe{std::move(basis)}; }
  Verdict operator()(const base::StopReason& reason) const {
    return Unknown{unknown_reason(reason), "backward search stopped"};
  }
};

Verdict run(const model::Task& task, const Options& options, base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  const auto flow = model::boolean::unfold(std::get<model::BooleanProgram>(task.model));
  if (!flow) return Unknown{UnknownReason::Unsupported, flow.error()};
  auto result =
      search(*flow, task.question.initial, {options.use_invariants, options.order}, context);
  return std::visit(ToVerdict{}, result);
}

}  // namespace

EngineRow row() {
  return {.name = "onthefly",
          .summary =
              "backward coverability search on the Boolean program itself, without its "
              "thread system",
          .models = "Boolean programs without recursion",
          .proves = true,
          .refutes = true,
          .complete = true,
          .evidence = {"trace", "program_basis"},
          .options = {"order", "invariants"},
          .accepts = accepts,
          .run = run};
}

}  // namespace heddle::engine::onthefly
