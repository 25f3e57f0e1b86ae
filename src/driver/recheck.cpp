#include "driver/recheck.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <tuple>
#include <utility>

#include "answer/json.hpp"
#include "driver/check_process.hpp"
#include "driver/cutoff.hpp"
#include "driver/evidence_question.hpp"
#include "driver/pose.hpp"

namespace heddle::driver {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::StoredEvidence;
using answer::Unknown;
using answer::UnknownReason;
using base::Diagnostics;
using base::Parsed;
using std::chrono::steady_clock;

base::SourceLocation location_of(const std::string& path, const std::string& text,
                                 std::size_t offset) {
  const std::string_view before = std::string_view(text).substr(0, offset);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column =
      last_break == std::string_view::npos ? offset + 1 : offset - last_break;
  return {path, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

Diagnostics unreadable(const std::string& path, const std::string& text, const std::string& why) {
  Diagnostics diagnostics = complaint(path, "is not evidence: " + why,
                                      "evidence is what 'heddle verify --evidence FILE' writes");
  if (const auto offset = answer::end_of_json(text))
    diagnostics.front().location = location_of(path, text, *offset);
  return diagnostics;
}

/// The question of the command line, not yet compared with the evidence.
Parsed<Answered> put(const Disk& disk, const RecheckRequest& request,
                     const StoredEvidence& evidence) {
  const bool of_cutoff = std::holds_alternative<answer::Cutoff>(evidence.verdict);
  auto posed =
      pose(disk, request.file, request.question, of_cutoff ? Asking::Cutoff : Asking::Reachability);
  if (!posed) return std::unexpected(std::move(posed.error()));
  if (auto missing = missing_part_for(*posed, evidence); !missing.empty())
    return std::unexpected(std::move(missing));
  Answered answered;
  answered.task = std::move(posed->task);
  answered.asked = std::move(posed->asked);
  see_as_threads(answered, false);
  return answered;
}

/// The check, in a child process with the limits of the budget.
void run_check(Answered& answered, const StoredEvidence& evidence, const base::Limits& limits) {
  const InterruptWatch interrupts;
  ChildProcess process =
      start_check(checker_for(answered), answered.task, evidence.verdict, limits);
  answered.interrupted_by = wait_for_end(process, interrupts);
  answered.report.check = check_result(process.outcome());
  take_warnings(answered.report.check, answered.asked.warnings);
  if (answered.report.check.status == EvidenceStatus::Confirmed)
    answered.report.check.why += proves_more(answered.task, evidence.verdict);
  answered.report.peak_memory_mb = process.outcome().peak_memory_mb;
}

/// The verdict that the check leaves of the stored one.
answer::Verdict judged(const CheckResult& check, const answer::Verdict& stored) {
  if (!answer::is_definite(stored)) return stored;
  switch (check.status) {
    case EvidenceStatus::Confirmed: return stored;
    case EvidenceStatus::Refuted:
      return Unknown{UnknownReason::EngineFailed, "evidence refuted: " + check.why};
    case EvidenceStatus::NotChecked:
    case EvidenceStatus::OtherQuestion: break;
  }
  return Unknown{UnknownReason::Unconfirmed, check.why};
}

}  // namespace

Parsed<StoredEvidence> load_evidence(const Disk& disk, const std::string& path) {
  const auto text = disk.read(path);
  if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
  auto evidence = answer::read_evidence(*text);
  if (!evidence) return std::unexpected(unreadable(path, *text, evidence.error()));
  return std::move(*evidence);
}

Parsed<Answered> recheck(const Disk& disk, const RecheckRequest& request,
                         const StoredEvidence& evidence) {
  const auto start = steady_clock::now();
  auto answered = put(disk, request, evidence);
  if (!answered) return answered;

  answer::Report& report = answered->report;
  report.engine = evidence.engine;
  if (auto other = other_question(answered->task, evidence)) {
    report.check = {EvidenceStatus::OtherQuestion, *other};
  } else {
    run_check(*answered, evidence, request.budget.from(start));
  }
  report.verdict = judged(report.check, evidence.verdict);
  if (!answer::is_definite(report.verdict)) report.set_claim(evidence.verdict);
  report.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return answered;
}

Parsed<Answered> recheck(const Disk& disk, const RecheckRequest& request) {
  const auto evidence = load_evidence(disk, request.evidence);
  if (!evidence) return std::unexpected(evidence.error());
  return recheck(disk, request, *evidence);
}

Parsed<StoredVerdict> load_stored(const Disk& disk, const RecheckRequest& request) {
  auto evidence = load_evidence(disk, request.evidence);
  if (!evidence) return std::unexpected(std::move(evidence.error()));
  auto answered = recheck(disk, request, *evidence);
  if (!answered) return std::unexpected(std::move(answered.error()));
  const bool same_kind = evidence->kind == model::kind_of(answered->task);
  return StoredVerdict{std::move(*answered), std::move(evidence->verdict), same_kind};
}

}  // namespace heddle::driver
