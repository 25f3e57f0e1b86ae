#include "driver/fault.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check.hpp"
#include "model/c/faults.hpp"
#include "output/verdict_sentence.hpp"

namespace heddle::driver {

namespace {

constexpr std::chrono::duration<double> kLeastFaultTime(0.1), kMostFaultTime(1);
constexpr std::array<std::string_view, 2> kFaultEngines = {"explore", "bounded"};

/// Whether the check has looked at all executions: its warnings are then all that there is to say.
bool has_seen_all(const answer::Report& report) {
  return report.check.status == answer::EvidenceStatus::Confirmed &&
         answer::evidence_kind(report.verdict) == answer::Exploration::kName;
}

bool claims_safety(const answer::Verdict& verdict) {
  return std::holds_alternative<answer::Safe>(verdict) ||
         std::holds_alternative<answer::SafeUpTo>(verdict);
}

/// A run to a fault, confirmed.
std::optional<answer::Unsafe> search_for_fault(const model::CTask& task, PortfolioSettings settings,
                                               std::optional<int>& interrupted_by) {
  model::CTask question = task;
  question.question.targets = {model::c::Property::NoFault};
  question.question.contexts.reset();
  const model::AnyTask any = std::move(question);
  std::vector<engine::EngineRow> engines;
  for (const engine::EngineRow& row : engine::registry())
    if (std::ranges::find(kFaultEngines, row.name) != kFaultEngines.end()) engines.push_back(row);
  settings.check = &check::check;
  settings.on_event = {};
  PortfolioResult result =
      run_portfolio(engines, {any, any, [](answer::Verdict verdict) { return verdict; }}, settings);
  interrupted_by = result.interrupted_by;
  if (auto* unsafe = std::get_if<answer::Unsafe>(&result.report.verdict)) return std::move(*unsafe);
  return std::nullopt;
}

/// In place of the check's warning about the same line, if there is one.
void warn_of_fault(Answered& answered, const model::c::Violation& violation) {
  const auto& files = std::get<model::CTask>(answered.task).model.files;
  const std::string& file =
      violation.position.file < files.size() ? files[violation.position.file] : answered.asked.file;
  base::Diagnostic warning;
  warning.severity = base::Severity::Warning;
  warning.location = {file, violation.position.line, violation.position.column};
  warning.message = "an execution ends here, in what C does not define (" + violation.what +
                    "); the answer is about what comes before";
  base::Diagnostics& warnings = answered.report.check.warnings;
  const auto same = std::ranges::find_if(warnings, [&](const base::Diagnostic& known) {
    return known.location.file == file && known.location.line == violation.position.line;
  });
  if (same == warnings.end())
    warnings.push_back(std::move(warning));
  else
    *same = std::move(warning);
}

}  // namespace

void add_fault(Answered& answered, const PortfolioSettings& settings,
               std::chrono::duration<double> taken) {
  const auto* task = std::get_if<model::CTask>(&answered.task);
  if (!task || answered.interrupted_by || task->question.targets.size() != 1 ||
      !claims_safety(answered.report.verdict))
    return;
  if (violates(task->question.targets.front(), model::c::Violation::Kind::InvalidAccess)) return;
  if (has_seen_all(answered.report) ? answered.report.check.warnings.empty()
                                    : !model::c::may_fault(task->model))
    return;
  PortfolioSettings limited = settings;
  const auto enough = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::clamp(taken / 2, kLeastFaultTime, kMostFaultTime));
  limited.limits.deadline =
      limited.limits.deadline ? std::min(*limited.limits.deadline, enough) : enough;
  auto run = search_for_fault(*task, std::move(limited), answered.interrupted_by);
  if (!run) return;
  warn_of_fault(answered, std::get<model::c::Run>(run->trace).violation);
  answered.report.fault = std::move(*run);
}

}  // namespace heddle::driver
