#include "driver/cutoff.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "answer/json.hpp"
#include "check/cutoff.hpp"
#include "driver/check_process.hpp"
#include "driver/event_text.hpp"
#include "driver/evidence_question.hpp"
#include "driver/pose.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "output/picture/cutoff_picture.hpp"
#include "transform/monotone_relaxation.hpp"
#include "transform/net_to_threads.hpp"

namespace heddle::driver {

namespace {

using answer::Cutoff;
using answer::CutoffMessage;
using answer::CutoffReport;
using answer::EvidenceStatus;
using answer::Unknown;
using answer::UnknownReason;
using base::Parsed;
using std::chrono::steady_clock;

constexpr std::string_view kEngine = "cutoff";

/// Is the net to be seen as a thread system: because it is wanted, or because there is no other
/// way?
void see_as_threads(CutoffAnswered& posed, bool wanted) {
  if (!std::holds_alternative<model::PetriNet>(posed.task.model)) return;
  const auto refusal = engine::cutoff::accepts(posed.task).refusal;
  if (!wanted && !refusal) return;
  if (transform::needs_monotone_relaxation(posed.task)) return;
  auto translation = transform::net_to_threads(posed.task);
  if (!translation) return;
  posed.net = std::exchange(posed.task, std::move(translation->translated));
  if (refusal)
    posed.asked.warnings.push_back(
        {base::Severity::Warning,
         {posed.asked.file, 0, 0},
         *refusal + "; it is translated to a thread system, in which (0, p) is a "
                    "token in place p",
         {},
         {},
         "'heddle translate' shows the thread system"});
}

/// The question of `heddle cutoff`, not yet answered.
Parsed<CutoffAnswered> put(const Disk& disk, const std::string& file,
                           const QuestionOptions& options, bool as_threads) {
  auto posed = pose_whole(disk, file, options, Asking::Cutoff);
  if (!posed) return std::unexpected(std::move(posed.error()));
  CutoffAnswered answered;
  answered.task = std::move(posed->task);
  answered.asked = std::move(posed->asked);
  see_as_threads(answered, as_threads);
  return answered;
}

ChildProcess start_search(const model::Task& task, const CutoffRequest& request,
                          const base::Limits& limits) {
  const auto job = [&](const SendEvent& send) {
    base::RunContext context(limits, request.seed);
    if (request.on_event)
      context.listen([&](const base::Event& event) { send(write_event(event)); });
    auto found = engine::cutoff::find_cutoff(task, request.options, context);
    return answer::write_cutoff_message({std::move(found), context.statistics()});
  };
  return ChildProcess(job, hard_limits(limits));
}

ChildProcess start_cutoff_check(const CutoffAnswered& answered, const Cutoff& claim,
                                base::Limits limits) {
  limits.steps.reset();
  const auto job = [&](const SendEvent&) {
    base::RunContext context(limits);
    return answer::write_check(
        answered.net ? check::check_cutoff_of_net(*answered.net, answered.task, claim, context)
                     : check::check_cutoff(answered.task, claim, context));
  };
  return ChildProcess(job, hard_limits(limits));
}

/// Waits for the end of the child, hearing its events.
std::optional<int> attend(ChildProcess& child, const CutoffRequest& request,
                          const InterruptWatch& interrupts) {
  ChildProcess* const children[] = {&child};
  while (!child.ended()) {
    if (const auto signal = wait_for_activity(children, interrupts)) {
      child.stop();
      return signal;
    }
    for (const std::string& event : child.receive())
      if (request.on_event) request.on_event(kEngine, read_event(event));
  }
  return std::nullopt;
}

void run_check(CutoffAnswered& answered, const Cutoff& claim, const base::Limits& limits,
               const InterruptWatch& interrupts) {
  ChildProcess process = start_cutoff_check(answered, claim, limits);
  answered.interrupted_by = wait_for_end(process, interrupts);
  answered.report.check = check_result(process.outcome());
  answered.report.peak_memory_mb =
      std::max(answered.report.peak_memory_mb, process.outcome().peak_memory_mb);
}

/// What the check leaves of a claim.
void judge(CutoffAnswered& answered, Cutoff claim) {
  CutoffReport& report = answered.report;
  if (report.check.status == EvidenceStatus::Confirmed) {
    report.answer = std::move(claim);
    return;
  }
  report.has_claim = true;
  if (report.check.status == EvidenceStatus::Refuted) {
    report.answer = Unknown{UnknownReason::EngineFailed, "evidence refuted: " + report.check.why};
  } else {
    report.answer = Unknown{UnknownReason::Unconfirmed, report.check.why};
    answered.unconfirmed = std::move(claim);
  }
}

void search_and_check(CutoffAnswered& answered, const CutoffRequest& request,
                      const base::Limits& limits) {
  const InterruptWatch interrupts;
  CutoffReport& report = answered.report;
  ChildProcess process = start_search(answered.task, request, limits);
  answered.interrupted_by = attend(process, request, interrupts);
  report.peak_memory_mb = process.outcome().peak_memory_mb;
  CutoffMessage message = message_of(process.outcome(), answer::read_cutoff_message);
  report.statistics = std::move(message.statistics);
  if (auto* unknown = std::get_if<Unknown>(&message.answer)) {
    report.answer = std::move(*unknown);
    return;
  }
  Cutoff claim = std::get<Cutoff>(std::move(message.answer));
  if (!request.check) {
    report.check = {EvidenceStatus::NotChecked, "--no-check"};
    report.answer = std::move(claim);
    return;
  }
  run_check(answered, claim, limits, interrupts);
  judge(answered, std::move(claim));
}

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

}  // namespace

Parsed<CutoffAnswered> find_cutoff(const Disk& disk, const CutoffRequest& request) {
  const auto start = steady_clock::now();
  auto answered = put(disk, request.file, request.question, request.as_threads);
  if (!answered) return answered;
  if (const auto acceptance = engine::cutoff::accepts(answered->task); !acceptance.yes()) {
    answered->report.answer = Unknown{UnknownReason::Unsupported, *acceptance.refusal};
  } else {
    search_and_check(*answered, request, request.budget.from(start));
  }
  answered->report.seconds = seconds_since(start);
  return answered;
}

Parsed<CutoffAnswered> recheck_cutoff(const Disk& disk, const RecheckRequest& request) {
  const auto start = steady_clock::now();
  const auto text = disk.read(request.evidence);
  if (!text) return std::unexpected(complaint(request.evidence, "cannot be read: " + text.error()));
  auto evidence = answer::read_cutoff_evidence(*text);
  if (!evidence)
    return std::unexpected(complaint(request.evidence, "is not evidence: " + evidence.error(),
                                     "evidence is what 'heddle cutoff --evidence FILE' writes"));
  auto answered = put(disk, request.file, request.question, false);
  if (!answered) return answered;
  if (auto other = other_question(answered->task, *evidence)) {
    answered->report.check = {EvidenceStatus::Refuted, std::move(*other)};
  } else {
    const InterruptWatch interrupts;
    run_check(*answered, evidence->cutoff, request.budget.from(start), interrupts);
  }
  judge(*answered, std::move(evidence->cutoff));
  answered->report.seconds = seconds_since(start);
  return answered;
}

bool holds_cutoff(const Disk& disk, const std::string& path) {
  const auto text = disk.read(path);
  return text && answer::is_cutoff_evidence(*text);
}

int exit_code(const CutoffReport& report) {
  if (report.check.status == EvidenceStatus::Refuted) return 71;
  const auto* unknown = std::get_if<Unknown>(&report.answer);
  if (!unknown) return 0;
  return unknown->reason == UnknownReason::EngineFailed ? 70 : 20;
}

std::optional<std::string> evidence_text(const CutoffAnswered& answered) {
  const auto* found = std::get_if<Cutoff>(&answered.report.answer);
  if (!found && answered.unconfirmed) found = &*answered.unconfirmed;
  if (!found) return std::nullopt;
  return answer::write_cutoff_evidence({model::kind_name(answered.task.model), std::string(kEngine),
                                        answered.task.question.initial, *found});
}

Parsed<std::string> cutoff_picture(const CutoffAnswered& answered, PictureFormat format) {
  const auto* found = std::get_if<Cutoff>(&answered.report.answer);
  if (!found)
    return std::unexpected(complaint(answered.asked.file, "no cutoff was found, none is drawn"));
  const std::string name = std::filesystem::path(answered.asked.file).filename().string();
  return picture_from_svg(output::picture::cutoff_svg(answered.task, *found, name), format);
}

}  // namespace heddle::driver
