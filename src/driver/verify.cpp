#include "driver/verify.hpp"

#include <chrono>
#include <utility>

#include "answer/json.hpp"
#include "answer/thread_naming.hpp"
#include "check/check.hpp"
#include "driver/pose.hpp"
#include "driver/projection.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::driver {

namespace {

using answer::UnknownReason;
using answer::Unsafe;
using answer::Verdict;
using base::Parsed;
using std::chrono::steady_clock;

base::Diagnostics no_projection(const std::string& file, const model::Model& model) {
  if (!model::is_counting(model))
    return complaint(file, "there is no target: --projection is about runs to one",
                     "give one with --target");
  return complaint(file,
                   "a " + model::kind_name(model) +
                       " has no statements: --projection is for Boolean programs and pushdown "
                       "systems",
                   "leave out --projection");
}

/// The question of `heddle verify`, not yet answered.
Parsed<Answered> put(const Disk& disk, const VerifyRequest& request) {
  auto posed = pose_whole(disk, request.file, request.question);
  if (!posed) return std::unexpected(std::move(posed.error()));
  const model::Task& task = posed->task;
  if (request.projection && (model::is_counting(task.model) || task.question.targets.empty()))
    return std::unexpected(no_projection(request.file, task.model));
  Answered answered;
  answered.task = std::move(posed->task);
  answered.asked = std::move(posed->asked);
  return answered;
}

/// Gives the steps of a trace thread ids, so that they are shown and checked as well.
Verdict name_threads(const model::Task& task, Verdict verdict) {
  const auto* system = std::get_if<model::ThreadSystem>(&task.model);
  auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (system && unsafe)
    unsafe->trace = answer::with_thread_names(*system, std::move(unsafe->trace));
  return verdict;
}

PortfolioSettings settings_of(const VerifyRequest& request, const base::Limits& limits) {
  PortfolioSettings settings;
  settings.limits = limits;
  settings.seed = request.seed;
  settings.jobs = request.jobs;
  settings.options = request.options;
  settings.check = request.check ? &check::check : nullptr;
  settings.on_event = request.on_event;
  return settings;
}

PortfolioResult without_engines(UnknownReason reason, std::string why) {
  PortfolioResult result;
  result.report.verdict = answer::Unknown{reason, std::move(why)};
  return result;
}

void add_size(const model::Model& model, base::Statistics& statistics) {
  const auto set = [&](std::string_view name, std::size_t value) {
    statistics.set(name, static_cast<double>(value));
  };
  set("translated shared states", model::shared_count(model));
  set("translated counters", model::counter_count(model));
  set("translated transitions", model::transition_count(model));
}

using Back = std::function<Verdict(Verdict)>;

/// Solves `task` on a model of kind `via`, which may be its own.
PortfolioResult ask_via(const std::optional<transform::ModelKind>& via, const model::Task& original,
                        const model::Task& task, const Back& back,
                        const PortfolioSettings& settings,
                        std::span<const engine::EngineRow> engines) {
  if (!via || transform::kind_of(task.model) == *via)
    return run_portfolio(engines, {original, task, back}, settings);
  base::RunContext context(settings.limits);
  const auto stopped = [&] {
    context.add_steps(1);
    return context.stopped().has_value();
  };
  const auto translation = transform::translate(task, *via, stopped);
  if (const auto reason = context.stopped(); !translation && reason)
    return without_engines(*reason == base::StopReason::StepLimit ? UnknownReason::StepLimit
                                                                  : UnknownReason::TimeLimit,
                           "the translation did not finish");
  if (!translation)
    return without_engines(UnknownReason::Unsupported,
                           "the model has no counterpart: " + translation.error());
  const auto all_the_way = [&](const Verdict& verdict) { return back(translation->back(verdict)); };
  PortfolioSettings translated = settings;
  translated.options.learn_invariants = false;  // sums over a net's places cannot be taken back
  PortfolioResult result =
      run_portfolio(engines, {original, translation->translated, all_the_way}, translated);
  add_size(translation->translated.model, result.report.statistics);
  return result;
}

PortfolioResult ask(Answered& posed, const VerifyRequest& request,
                    const PortfolioSettings& settings, std::span<const engine::EngineRow> engines) {
  const model::Task& task = posed.task;
  if (!transform::needs_monotone_relaxation(task)) {
    const auto name = [&](Verdict verdict) { return name_threads(task, std::move(verdict)); };
    return ask_via(request.via, task, task, name, settings, engines);
  }
  const transform::MonotoneRelaxation relaxation = transform::relax_to_monotone(task);
  posed.asked.relaxed = relaxation.dropped;
  const auto translate = [&](const Verdict& verdict) {
    return name_threads(task, transform::translate_back(task, relaxation, verdict));
  };
  return ask_via(request.via, task, relaxation.relaxed, translate, settings, engines);
}

void add_projection(const Disk& disk, const VerifyRequest& request, Answered& answered,
                    const PortfolioSettings& settings, std::span<const engine::EngineRow> engines) {
  const auto question = [&](const model::Task& task) {
    Answered posed;
    posed.task = task;
    PortfolioResult result = ask(posed, request, settings, engines);
    if (result.interrupted_by) answered.interrupted_by = result.interrupted_by;
    return std::move(result.report.verdict);
  };
  answered.asked.source = disk.read(request.file).value_or("");
  answered.report.projection = project(answered.task, answered.report.verdict, question);
}

}  // namespace

Parsed<Answered> verify(const Disk& disk, const VerifyRequest& request,
                        std::span<const engine::EngineRow> engines) {
  const auto start = steady_clock::now();
  auto answered = put(disk, request);
  if (!answered) return answered;
  const PortfolioSettings settings = settings_of(request, request.budget.from(start));
  PortfolioResult result = ask(*answered, request, settings, engines);
  answered->report = std::move(result.report);
  answered->unconfirmed = std::move(result.unconfirmed);
  answered->interrupted_by = result.interrupted_by;
  if (request.projection) add_projection(disk, request, *answered, settings, engines);
  answered->report.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return answered;
}

int exit_code(const answer::Report& report) {
  if (report.check.status == answer::EvidenceStatus::Refuted) return 71;
  if (std::holds_alternative<answer::Safe>(report.verdict)) return 0;
  if (std::holds_alternative<answer::Unsafe>(report.verdict)) return 10;
  if (std::holds_alternative<answer::SafeUpTo>(report.verdict)) return 21;
  const auto reason = std::get<answer::Unknown>(report.verdict).reason;
  return reason == answer::UnknownReason::EngineFailed ? 70 : 20;
}

std::optional<std::string> evidence_text(const Answered& answered) {
  const Verdict& verdict = answered.unconfirmed ? *answered.unconfirmed : answered.report.verdict;
  if (answer::evidence_kind(verdict) == "none") return std::nullopt;
  return answer::write_evidence({model::kind_name(answered.task.model), answered.report.engine,
                                 answered.task.question, verdict});
}

}  // namespace heddle::driver
