#include "driver/verify.hpp"

#include <chrono>
#include <utility>

#include "answer/json.hpp"
#include "answer/thread_naming.hpp"
#include "driver/check_process.hpp"
#include "driver/cutoff.hpp"
#include "driver/fault.hpp"
#include "driver/pose.hpp"
#include "driver/projection.hpp"
#include "engine/backward/backward.hpp"
#include "model/counting.hpp"
#include "transform/monotone_relaxation.hpp"

namespace heddle::driver {

namespace {

using answer::UnknownReason;
using answer::Unsafe;
using answer::Verdict;
using base::Parsed;
using model::AnyTask;
using std::chrono::steady_clock;

/// Why there is no projection: of a model without statements, or of a question without target.
template <class Model>
std::optional<base::Diagnostics> no_projection(const std::string& file,
                                               const model::Task<Model>& task) {
  if constexpr (!base::kContains<Model, ProjectedKinds>)
    return complaint(file,
                     "a " + std::string(model::Kind<Model>::kName) +
                         " has no statements: --projection is for Boolean programs and pushdown "
                         "systems",
                     "leave out --projection");
  if (!task.question.targets.empty()) return std::nullopt;
  return complaint(file, "there is no target: --projection is about runs to one",
                   "give one with --target");
}

/// The question, not yet answered.
Parsed<Answered> put(const Disk& disk, const VerifyRequest& request) {
  auto posed = pose_whole(disk, request.file, request.question, request.asking);
  if (!posed) return std::unexpected(std::move(posed.error()));
  if (request.projection)
    if (auto why = std::visit([&](const auto& task) { return no_projection(request.file, task); },
                              posed->task))
      return std::unexpected(std::move(*why));
  Answered answered;
  answered.task = std::move(posed->task);
  answered.asked = std::move(posed->asked);
  see_as_threads(answered, request.as_threads);
  return answered;
}

/// Gives the steps of a thread system's trace thread ids, so that they are shown and checked too.
Verdict name_threads(const AnyTask& task, Verdict verdict) {
  const auto* threads = std::get_if<model::ThreadTask>(&task);
  if (auto* unsafe = std::get_if<Unsafe>(&verdict); unsafe && threads)
    unsafe->trace = answer::with_thread_names(threads->model,
                                              std::get<answer::Trace>(std::move(unsafe->trace)));
  return verdict;
}

PortfolioSettings settings_of(const VerifyRequest& request, const Answered& posed,
                              const base::Limits& limits) {
  PortfolioSettings settings;
  settings.limits = limits;
  settings.seed = request.seed;
  settings.jobs = request.jobs;
  settings.options = request.options;
  if (request.check) settings.check = checker_for(posed);
  settings.on_event = request.on_event;
  settings.all_engines =
      request.asking == Asking::Cutoff ? engine::cutoff_registry() : engine::registry();
  return settings;
}

PortfolioResult without_engines(UnknownReason reason, std::string why) {
  PortfolioResult result;
  result.report.verdict = answer::Unknown{reason, std::move(why)};
  return result;
}

/// The size of a translated model: its shared states, counters and transitions.
struct Size {
  std::size_t shared, counters, transitions;
};
Size size_of(const model::ThreadSystem& system) {
  return {system.shared_count, system.local_count, system.transitions.size()};
}
Size size_of(const model::PetriNet& net) { return {1, net.places.size(), net.transitions.size()}; }
/// No translation for an engine leads to other kinds.
template <class Model>
Size size_of(const Model&) {
  return {1, 1, 0};
}

void add_size(const AnyTask& any, base::Statistics& statistics) {
  const Size size = std::visit([](const auto& task) { return size_of(task.model); }, any);
  const auto set = [&](std::string_view name, std::size_t value) {
    statistics.set(name, static_cast<double>(value));
  };
  set("translated shared states", size.shared);
  set("translated counters", size.counters);
  set("translated transitions", size.transitions);
}

using Back = std::function<Verdict(Verdict)>;

/// Solves `task` on a model of kind `via`, which may be its own.
PortfolioResult ask_via(const std::optional<model::AnyKind>& via, const AnyTask& original,
                        const AnyTask& task, const Back& back, const PortfolioSettings& settings,
                        std::span<const engine::EngineRow> engines) {
  if (!via || model::kind_of(task) == *via) {
    Back finish;
    if (&original != &task)
      finish = [&](Verdict verdict) { return name_threads(original, std::move(verdict)); };
    return run_portfolio(engines, {original, task, back, std::move(finish)}, settings);
  }
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
  // Sums over a net's places cannot be taken back.
  translated.options.of<engine::backward::BackwardOptions>().learn_invariants = false;
  PortfolioResult result =
      run_portfolio(engines, {original, translation->translated, all_the_way}, translated);
  add_size(translation->translated, result.report.statistics);
  return result;
}

PortfolioResult ask(Answered& posed, const VerifyRequest& request,
                    const PortfolioSettings& settings, std::span<const engine::EngineRow> engines) {
  const AnyTask& task = posed.task;
  const auto counting = model::counting_task(task);
  // The cutoff of a relaxation is not one of the net.
  const bool may_relax = request.asking == Asking::Reachability;
  if (!may_relax || !counting || !transform::needs_monotone_relaxation(*counting)) {
    const auto name = [&](Verdict verdict) { return name_threads(task, std::move(verdict)); };
    return ask_via(request.via, task, task, name, settings, engines);
  }
  const transform::MonotoneRelaxation relaxation = transform::relax_to_monotone(*counting);
  posed.asked.relaxed = relaxation.dropped;
  const auto translate = [&](const Verdict& verdict) {
    return name_threads(task, transform::translate_back(*counting, relaxation, verdict));
  };
  return ask_via(request.via, task, relaxation.relaxed, translate, settings, engines);
}

void add_projection(const Disk& disk, const VerifyRequest& request, Answered& answered,
                    const PortfolioSettings& settings, std::span<const engine::EngineRow> engines) {
  const auto question = [&](const AnyTask& task) {
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
  const PortfolioSettings settings = settings_of(request, *answered, request.budget.from(start));
  PortfolioResult result = ask(*answered, request, settings, engines);
  answered->report = std::move(result.report);
  answered->unconfirmed = std::move(result.unconfirmed);
  answered->interrupted_by = result.interrupted_by;
  answered->turns = std::move(result.turns);
  answered->budget = request.budget;
  add_fault(*answered, settings, steady_clock::now() - start);
  take_warnings(answered->report.check, answered->asked.warnings);
  if (request.projection) add_projection(disk, request, *answered, settings, engines);
  answered->report.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return answered;
}

std::optional<std::string> evidence_text(const Answered& answered) {
  const Verdict& verdict = answered.unconfirmed ? *answered.unconfirmed : answered.report.verdict;
  if (answer::evidence_kind(verdict) == "none") return std::nullopt;
  return answer::write_evidence({model::kind_of(answered.task), answered.report.engine,
                                 model::question_of(answered.task), verdict});
}

}  // namespace heddle::driver
