#include "driver/recheck.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "driver/check_process.hpp"

namespace heddle::driver {

namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::StoredEvidence;
using answer::Unknown;
using answer::UnknownReason;
using base::Diagnostics;
using base::Parsed;
using model::Model;
using model::Region;
using std::chrono::steady_clock;

/// Where the text stops being JSON: the number of bytes before that; nothing if it is JSON.
std::optional<std::size_t> end_of_json(const std::string& text) {
  try {
    std::ignore = nlohmann::json::parse(text);
    return std::nullopt;
  } catch (const nlohmann::json::parse_error& error) {
    return std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
  }
}

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
  if (const auto offset = end_of_json(text))
    diagnostics.front().location = location_of(path, text, *offset);
  return diagnostics;
}

/// Could these regions be ones of this model at all?
bool fits(const Model& model, const std::vector<Region>& regions) {
  return std::ranges::all_of(regions, [&](const Region& region) {
    return region.shared.index() < model::shared_count(model) &&
           std::ranges::all_of(
               region.bounds,
               [&](const model::CounterBound& bound) {
                 return bound.counter.index() < model::counter_count(model);
               });
  });
}

/// The evidence's own regions; none if they cannot be ones of this model.
SourcedRegions own(const Model& model, const StoredEvidence& evidence,
                   const std::vector<Region>& regions) {
  const bool usable = evidence.model_kind == model::kind_name(model) && fits(model, regions);
  return {usable ? regions : std::vector<Region>{}, "the evidence"};
}

std::string quoted(const Model& model, const std::vector<Region>& regions,
                   std::string (*show)(const Model&, const Region&)) {
  std::string out;
  for (const Region& region : regions)
    out += (out.empty() ? "'" : " or '") + show(model, region) + "'";
  return out.empty() ? "nothing" : out;
}

CheckResult refuted(std::string why) { return {EvidenceStatus::Refuted, std::move(why)}; }

std::string contexts_text(const std::optional<std::uint32_t>& contexts) {
  return contexts ? "at most " + std::to_string(*contexts) + " contexts per thread"
                  : "any number of contexts";
}

std::string labels_text(const std::vector<std::string>& labels) {
  std::string out;
  for (const std::string& label : labels) out += (out.empty() ? "--label " : " --label ") + label;
  return out.empty() ? "the failures of the program" : out;
}

/// Why the evidence cannot be about this task, or nothing.
std::optional<CheckResult> mismatch(const model::Task& task, const StoredEvidence& evidence) {
  const model::Question& asked = task.question;
  const model::Question& answered = evidence.question;
  if (evidence.model_kind != model::kind_name(task.model))
    return refuted("the evidence is about a " + evidence.model_kind + ", the file holds a " +
                   model::kind_name(task.model));
  if (!fits(task.model, answered.targets) || !fits(task.model, answered.initial))
    return refuted("the evidence's question names states that the model does not have");
  if (asked.labels != answered.labels)
    return refuted("the evidence is about " + labels_text(answered.labels) + " instead of " +
                   labels_text(asked.labels));
  if (!same_set(asked.targets, answered.targets)) {
    const std::string theirs = quoted(task.model, answered.targets, model::target_to_string);
    return refuted("the evidence is about another target: " + theirs + " instead of " +
                   quoted(task.model, asked.targets, model::target_to_string) +
                   " (if the evidence's was meant, pass --target " + theirs + ")");
  }
  if (!same_set(asked.initial, answered.initial)) {
    const std::string theirs = quoted(task.model, answered.initial, model::initial_to_string);
    return refuted("the evidence is about other initial states: " + theirs + " instead of " +
                   quoted(task.model, asked.initial, model::initial_to_string) +
                   " (if the evidence's were meant, pass --initial " + theirs + ")");
  }
  if (asked.contexts != answered.contexts)
    return refuted("the evidence is about " + contexts_text(answered.contexts) + " instead of " +
                   contexts_text(asked.contexts));
  return std::nullopt;
}

Parsed<SourcedRegions> resolve_initial(const LoadedModel& loaded, const QuestionOptions& options,
                                       const StoredEvidence& evidence) {
  auto initial = find_initial(loaded, options);
  if (!initial) return initial;
  if (initial->regions.empty() && options.threads) initial = assumed_initial(loaded.file.model);
  if (initial->regions.empty()) return own(loaded.file.model, evidence, evidence.question.initial);
  if (!options.threads) return initial;
  auto fixed = fix_thread_count(loaded.file.model, *options.threads, initial->regions);
  if (!fixed) return std::unexpected(std::move(fixed.error()));
  return initial;
}

/// The evidence's own labels if the command line names none. If the file lacks one of them, the
/// evidence is about another program.
Parsed<void> resolve_labels(const RecheckRequest& request, const StoredEvidence& evidence,
                            LoadedModel& loaded) {
  if (!request.question.labels.empty())
    return choose_labels(request.file, request.question.labels, loaded);
  std::ignore = choose_labels(request.file, evidence.question.labels, loaded);
  return {};
}

Parsed<Answered> pose(const Disk& disk, const RecheckRequest& request,
                      const StoredEvidence& evidence) {
  auto loaded = load_model(disk, request.file, request.question.format);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  if (auto chosen = resolve_labels(request, evidence, *loaded); !chosen)
    return std::unexpected(std::move(chosen.error()));
  auto targets = find_targets(disk, request.file, *loaded, request.question);
  if (!targets) return std::unexpected(std::move(targets.error()));
  if (request.question.labels.empty() && !loaded->labels.empty()) targets->from = "the evidence";
  if (targets->regions.empty())
    targets = own(loaded->file.model, evidence, evidence.question.targets);
  auto initial = resolve_initial(*loaded, request.question, evidence);
  if (!initial) return std::unexpected(std::move(initial.error()));

  Answered posed;
  posed.asked = {request.file, loaded->format, targets->from, initial->from, {}};
  posed.warnings = std::move(loaded->file.warnings);
  posed.task = {std::move(loaded->file.model),
                {std::move(initial->regions), std::move(targets->regions),
                 request.question.contexts ? request.question.contexts : evidence.question.contexts,
                 std::move(loaded->labels)}};
  return posed;
}

/// The check, in a child process with the limits of the budget.
void run_check(Answered& answered, const StoredEvidence& evidence, const base::Limits& limits) {
  const InterruptWatch interrupts;
  ChildProcess process = start_check(&check::check, answered.task, evidence.verdict, limits);
  answered.interrupted_by = wait_for_end(process, interrupts);
  answered.report.check = check_result(process.outcome());
  answered.report.peak_memory_mb = process.outcome().peak_memory_mb;
}

/// The verdict that the check leaves of the stored one.
answer::Verdict judged(const CheckResult& check, const answer::Verdict& stored) {
  if (!answer::is_definite(stored)) return stored;
  switch (check.status) {
    case EvidenceStatus::Confirmed: return stored;
    case EvidenceStatus::Refuted:
      return Unknown{UnknownReason::EngineFailed, "evidence refuted: " + check.why};
    case EvidenceStatus::NotChecked: break;
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
  auto answered = pose(disk, request, evidence);
  if (!answered) return answered;

  answer::Report& report = answered->report;
  report.engine = evidence.engine;
  if (auto other = mismatch(answered->task, evidence)) {
    report.check = std::move(*other);
  } else {
    run_check(*answered, evidence, request.budget.from(start));
  }
  report.verdict = judged(report.check, evidence.verdict);
  if (!answer::is_definite(report.verdict)) report.claim = answer::verdict_name(evidence.verdict);
  report.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return answered;
}

Parsed<Answered> recheck(const Disk& disk, const RecheckRequest& request) {
  const auto evidence = load_evidence(disk, request.evidence);
  if (!evidence) return std::unexpected(evidence.error());
  return recheck(disk, request, *evidence);
}

}  // namespace heddle::driver
