#include "driver/evidence_question.hpp"

#include <algorithm>

#include "check/well_formed.hpp"
#include "output/words.hpp"

namespace heddle::driver {

namespace {

using answer::SafeUpTo;
using answer::StoredEvidence;
using model::Model;
using model::Question;
using model::Region;

using ShowRegion = std::string (*)(const Model&, const Region&);

std::string listed(const Model& model, const std::vector<Region>& regions, ShowRegion show,
                   const std::string& separator) {
  std::string out;
  for (const Region& region : regions) out += (out.empty() ? "" : separator) + show(model, region);
  return out;
}

std::string quoted(const Model& model, const std::vector<Region>& regions, ShowRegion show) {
  return regions.empty() ? "none" : "'" + listed(model, regions, show, "' or '") + "'";
}

/// `--target 'a; b'`; empty if no option says this.
std::string target_option(const Model& model, const std::vector<Region>& targets) {
  if (model::is_program(model) || targets.empty()) return {};
  return "--target '" + listed(model, targets, model::target_to_string, "; ") + "'";
}

/// `--initial 'a; b'`, for programs `--threads n`; empty if no option says this.
std::string initial_option(const Model& model, const std::vector<Region>& initial) {
  if (initial.empty()) return {};
  if (!model::is_program(model))
    return "--initial '" + listed(model, initial, model::initial_to_string, "; ") + "'";
  const model::CounterBound* bound = initial.front().find(model::Counter(0U));
  if (!bound || bound->lower < 1) return {};
  return "--threads " + (bound->upper ? base::to_string(*bound->upper) : "any");
}

std::string label_options(const std::vector<std::string>& labels) {
  std::string out;
  for (const std::string& label : labels) out += (out.empty() ? "--label " : " --label ") + label;
  return out;
}

/// ` (if the evidence's was meant, pass --target 'x')`
std::string advice(const std::string& option, const std::string& what) {
  return option.empty() ? "" : " (if " + what + " meant, pass " + option + ")";
}

std::string labels_text(const std::vector<std::string>& labels) {
  return labels.empty() ? "the failures of the program" : label_options(labels);
}

std::string other_kind(const Model& model, const std::string& kind) {
  return "the evidence is about a " + kind + ", the file holds a " + model::kind_name(model);
}

std::string other_initial(const Model& model, const std::vector<Region>& asked,
                          const std::vector<Region>& answered) {
  return "the evidence is about other initial states: " +
         quoted(model, answered, model::initial_to_string) + " instead of " +
         quoted(model, asked, model::initial_to_string) +
         advice(initial_option(model, answered), "the evidence's were");
}

std::string other_target(const Model& model, const std::vector<Region>& asked,
                         const std::vector<Region>& answered) {
  return "the evidence is about another target: " +
         quoted(model, answered, model::target_to_string) + " instead of " +
         quoted(model, asked, model::target_to_string) +
         advice(target_option(model, answered), "the evidence's was");
}

/// A bound below the one asked for leaves the question open.
std::optional<std::string> lower_bound(const Question& asked, const answer::Verdict& verdict) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  if (!bounded || !asked.contexts || bounded->bound.value >= *asked.contexts) return std::nullopt;
  const base::Integer& proved = bounded->bound.value;
  return "the evidence is about at most " + output::counted(proved, "context") +
         " per thread instead of " + std::to_string(*asked.contexts) +
         advice(proved < 1 ? "" : "--contexts " + base::to_string(proved), "that bound was");
}

bool fits(const Model& model, const Question& question) { return !check::misfit(model, question); }

}  // namespace

std::optional<std::string> other_question(const model::Task& task, const StoredEvidence& evidence) {
  const Question& asked = task.question;
  const Question& answered = evidence.question;
  if (evidence.model_kind != model::kind_name(task.model))
    return other_kind(task.model, evidence.model_kind);
  if (!fits(task.model, answered))
    return "the evidence's question names states that the model does not have";
  if (asked.labels != answered.labels)
    return "the evidence is about " + labels_text(answered.labels) + " instead of " +
           labels_text(asked.labels) +
           advice(label_options(answered.labels), "the evidence's were");
  if (!same_set(asked.targets, answered.targets))
    return other_target(task.model, asked.targets, answered.targets);
  if (!same_set(asked.initial, answered.initial))
    return other_initial(task.model, asked.initial, answered.initial);
  return lower_bound(asked, evidence.verdict);
}

std::optional<std::string> other_question(const model::Task& task,
                                          const answer::StoredCutoff& evidence) {
  if (evidence.model_kind != model::kind_name(task.model))
    return other_kind(task.model, evidence.model_kind);
  if (!fits(task.model, {evidence.initial, {}}))
    return "the evidence's initial states are none that the model has";
  if (!same_set(task.question.initial, evidence.initial))
    return other_initial(task.model, task.question.initial, evidence.initial);
  return std::nullopt;
}

std::string proves_more(const model::Task& task, const answer::Verdict& verdict) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  const auto& asked = task.question.contexts;
  if (!bounded || !asked || bounded->bound.value <= *asked) return {};
  return "; this is more than the " + output::counted(*asked, "context") + " asked for";
}

base::Diagnostics missing_part_for(const Posed& posed, const StoredEvidence& evidence) {
  base::Diagnostics missing = missing_part(posed);
  const Model& model = posed.task.model;
  if (missing.empty() || evidence.model_kind != model::kind_name(model) ||
      !fits(model, evidence.question))
    return missing;
  const bool target = posed.task.question.targets.empty() && !model::is_pushdown(model);
  const std::string option = target ? target_option(model, evidence.question.targets)
                                    : initial_option(model, evidence.question.initial);
  if (!option.empty()) missing.back().hint = "the question of this evidence is put by " + option;
  return missing;
}

}  // namespace heddle::driver
