#include "engine/onthefly/onthefly.hpp"

#include "engine/onthefly/localised.hpp"
#include "engine/search_verdict.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::engine::onthefly {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

Acceptance accepts(const model::ProgramTask& task) {
  const auto flow = model::boolean::unfold(task.model);
  if (!flow) return {flow.error()};
  return {};
}

struct ToVerdict {
  Verdict operator()(answer::ProgramRun& run) const { return answer::Unsafe{std::move(run)}; }
  Verdict operator()(answer::ProgramBasis& basis) const { return answer::Safe{std::move(basis)}; }
  Verdict operator()(const base::StopReason& reason) const {
    return Unknown{unknown_reason(reason), "backward search stopped"};
  }
};

Verdict run(const model::ProgramTask& task, const OntheflyOptions& options,
            base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  const auto flow = model::boolean::unfold(task.model);
  if (!flow) return Unknown{UnknownReason::Unsupported, flow.error()};
  auto result = search_localised(*flow, task.question.initial,
                                 {options.use_invariants, options.order}, context);
  return std::visit(ToVerdict{}, result);
}

}  // namespace

EngineRow row() {
  return row_for(
      {.name = "onthefly",
       .summary = "backward coverability search on the Boolean program itself, without its "
                  "thread system",
       .models = "Boolean programs without recursion",
       .proves = true,
       .refutes = true,
       .complete = true,
       .evidence = {"trace", "program_basis"},
       .options = {order_option(&OntheflyOptions::order),
                   invariants_option(&OntheflyOptions::use_invariants)}},
      accepts, run, {"only Boolean programs are supported"});
}

}  // namespace heddle::engine::onthefly
