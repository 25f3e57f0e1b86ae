#include "driver/check_process.hpp"

#include <algorithm>
#include <iterator>

#include "answer/json.hpp"
#include "driver/supervisor.hpp"

namespace heddle::driver {

using answer::CheckResult;
using answer::EvidenceStatus;

ChildLimits hard_limits(const base::Limits& limits) {
  ChildLimits hard;
  if (limits.deadline) hard.kill_at = *limits.deadline + kGrace;
  hard.memory_mb = limits.memory_mb;
  return hard;
}

CheckResult check_here(const CheckFunction& check, const model::AnyTask& task,
                       const answer::Verdict& verdict, const base::Limits& limits) {
  base::Limits without_steps = limits;
  without_steps.steps.reset();
  base::RunContext context(without_steps);
  return check(task, verdict, context);
}

ChildProcess start_check(const CheckFunction& check, const model::AnyTask& task,
                         const answer::Verdict& verdict, const base::Limits& limits) {
  const auto job = [&](const SendEvent&) {
    return answer::write_check(check_here(check, task, verdict, limits));
  };
  return ChildProcess(job, hard_limits(limits));
}

CheckResult check_result(const ChildOutcome& outcome) {
  const auto not_checked = [](std::string why) {
    return CheckResult{EvidenceStatus::NotChecked, std::move(why)};
  };
  switch (outcome.end) {
    case ChildEnd::Result: break;
    case ChildEnd::OutOfMemory: return not_checked("the check ran out of memory");
    case ChildEnd::Overdue: return not_checked("the check ran out of time");
    case ChildEnd::Stopped: return not_checked("the check was stopped");
    case ChildEnd::Exception:
    case ChildEnd::Crash: return not_checked("the checker failed: " + outcome.text);
  }
  auto result = answer::read_check(outcome.text);
  if (!result) return not_checked("the checker's answer cannot be read: " + result.error());
  return std::move(*result);
}

void take_warnings(CheckResult& check, base::Diagnostics& warnings) {
  std::ranges::move(check.warnings, std::back_inserter(warnings));
  check.warnings.clear();
}

std::optional<answer::Unknown> failure(const ChildOutcome& outcome) {
  using enum answer::UnknownReason;
  switch (outcome.end) {
    case ChildEnd::Result: return std::nullopt;
    case ChildEnd::OutOfMemory: return answer::Unknown{MemoryLimit, outcome.text};
    case ChildEnd::Overdue: return answer::Unknown{TimeLimit, outcome.text};
    case ChildEnd::Stopped: return answer::Unknown{Cancelled, outcome.text};
    case ChildEnd::Exception:
    case ChildEnd::Crash: break;
  }
  return answer::Unknown{EngineFailed, outcome.text};
}

answer::Unknown unreadable_answer(const std::string& why) {
  return {answer::UnknownReason::EngineFailed, "unreadable answer: " + why};
}

}  // namespace heddle::driver
