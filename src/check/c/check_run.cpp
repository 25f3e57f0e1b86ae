#include "check/c/check.hpp"
#include "check/c/fair_steps.hpp"
#include "check/proof.hpp"
#include "model/c/run_end.hpp"
#include "model/c/run_rounds.hpp"

namespace heddle::check::c {

using namespace model::c;

namespace {

std::string executed(const Run& run) {
  std::size_t instructions = 0;
  for (const RunStep& step : run.steps) instructions += step.instructions;
  return "executed " + base::counted(instructions, "instruction") + " in " +
         base::counted(run.steps.size(), "turn");
}

}  // namespace

answer::CheckResult check_run(const model::CTask& task, const Run& run) {
  if (task.question.targets.size() != 1) return *refuted("the evidence is about one property");
  if (task.question.contexts && rounds_of(run) > *task.question.contexts)
    return *refuted("the run needs " + base::counted(rounds_of(run), "context") + " per thread");
  return check_run(task.model, task.question.targets.front(), run);
}

answer::CheckResult check_run(const Program& program, Property property, const Run& run) {
  if (!violates(property, run.violation.kind)) {
    return *refuted("the run ends in a " + std::string(to_string(run.violation.kind)) +
                    ", which does not violate " + std::string(to_string(property)));
  }
  if (tracks_memory(property) && !program.keeps_pointers)
    return *refuted("the program was read for a property that is not about lost memory");
  if (run.violation.thread.value > 0 && run.steps.empty()) {
    return *refuted("the run is empty");
  }
  const Interpreter interpreter(program);
  if (const std::optional<std::string> reason = refute(interpreter, run)) {
    return *refuted(*reason);
  }
  const bool is_fair_lasso =
      property == Property::FairTermination && run.violation.kind == Violation::Kind::Lasso;
  if (is_fair_lasso && run.violation.what != kLassoPhrase)
    return *refuted("whether a loop is fair is shown only if it returns to the same state");
  if (is_fair_lasso)
    if (auto problem = check_fairness(interpreter, run)) return std::move(*problem);
  return {answer::EvidenceStatus::Confirmed, executed(run)};
}

}  // namespace heddle::check::c
