#include "driver/evidence_question.hpp"

#include <algorithm>

#include "check/kinds.hpp"
#include "frontend/notation.hpp"
#include "model/counting.hpp"
#include "model/labels.hpp"
#include "output/words.hpp"

namespace heddle::driver {

namespace {

using answer::SafeUpTo;
using answer::StoredEvidence;
using frontend::Notation;
using model::AnyTask;

/// `a' or 'b`
std::string joined(const std::vector<std::string>& items, const std::string& separator) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : separator) + item;
  return out;
}

std::string quoted(const std::vector<std::string>& items) {
  return items.empty() ? "none" : "'" + joined(items, "' or '") + "'";
}

template <class Model>
std::vector<std::string> texts(const Model& model,
                               const std::vector<model::InitialOf<Model>>& initial) {
  std::vector<std::string> out;
  for (const auto& state : initial) out.push_back(initial_to_string(model, state));
  return out;
}

template <class Model>
std::vector<std::string> target_list(const Model& model,
                                     const std::vector<model::TargetOf<Model>>& targets) {
  std::vector<std::string> out;
  for (const auto& target : targets) out.push_back(target_to_string(model, target));
  return out;
}

/// `--target 'a; b'`; empty if no option says this.
template <class Model>
std::string target_option(const Model& model, const std::vector<model::TargetOf<Model>>& targets) {
  if (!Notation<Model>::kWritesTargets || targets.empty()) return {};
  return "--target '" + joined(target_list(model, targets), "; ") + "'";
}

/// `--initial 'a; b'`, for programs `--threads n`; empty if no option says this.
template <class Model>
std::string initial_option(const Model& model,
                           const std::vector<model::InitialOf<Model>>& initial) {
  if (initial.empty()) return {};
  constexpr std::string_view option = Notation<Model>::kInitialOption;
  if (option == "--threads")
    return "--threads " + Notation<Model>::print_initial(model, initial.front());
  return std::string(option) + " '" + joined(texts(model, initial), "; ") + "'";
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

std::string other_kind(const AnyTask& task, const model::AnyKind& kind) {
  return "the evidence is about a " + model::kind_name(kind) + ", the file holds a " +
         model::kind_name(task);
}

template <class Model>
std::string other_initial(const Model& model, const std::vector<model::InitialOf<Model>>& asked,
                          const std::vector<model::InitialOf<Model>>& answered) {
  return "the evidence is about other initial states: " + quoted(texts(model, answered)) +
         " instead of " + quoted(texts(model, asked)) +
         advice(initial_option(model, answered), "the evidence's were");
}

template <class Model>
std::string other_target(const Model& model, const std::vector<model::TargetOf<Model>>& asked,
                         const std::vector<model::TargetOf<Model>>& answered) {
  return "the evidence is about another target: " + quoted(target_list(model, answered)) +
         " instead of " + quoted(target_list(model, asked)) +
         advice(target_option(model, answered), "the evidence's was");
}

/// A bound below the one asked for leaves the question open.
std::optional<std::string> lower_bound(const std::optional<std::uint32_t>& asked,
                                       const answer::Verdict& verdict) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  const bool counts = bounded && bounded->bound.what == answer::BoundKind::Contexts;
  if (!counts || !asked || bounded->bound.value >= *asked) return std::nullopt;
  const base::Integer& proved = bounded->bound.value;
  return "the evidence is about at most " + base::counted(proved, "context") +
         " per thread instead of " + std::to_string(*asked) +
         advice(proved < 1 ? "" : "--contexts " + base::to_string(proved), "that bound was");
}

/// Where questions have labels: at which of them it fails.
template <class Question>
std::optional<std::string> other_labels(const Question& asked, const Question& answered) {
  if constexpr (model::HasLabels<Question>) {
    if (asked.labels == answered.labels) return std::nullopt;
    return "the evidence is about " + labels_text(answered.labels) + " instead of " +
           labels_text(asked.labels) +
           advice(label_options(answered.labels), "the evidence's were");
  } else {
    return std::nullopt;
  }
}

template <class Model>
std::optional<std::string> difference(const model::Task<Model>& task,
                                      const model::QuestionOf<Model>& answered) {
  const auto& asked = task.question;
  if (check::mismatch(task.model, answered))
    return "the evidence's question names states that the model does not have";
  if (auto other = other_labels(asked, answered)) return other;
  if (!same_set(asked.targets, answered.targets))
    return other_target(task.model, asked.targets, answered.targets);
  if (!same_set(asked.initial, answered.initial))
    return other_initial(task.model, asked.initial, answered.initial);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> other_question(const AnyTask& any, const StoredEvidence& evidence) {
  if (evidence.kind != model::kind_of(any)) return other_kind(any, evidence.kind);
  auto other = std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        return difference(task, std::get<model::QuestionOf<Model>>(evidence.question));
      },
      any);
  return other ? other : lower_bound(model::contexts_of(any), evidence.verdict);
}

std::string proves_more(const AnyTask& task, const answer::Verdict& verdict) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  const auto& asked = model::contexts_of(task);
  const bool counts = bounded && bounded->bound.what == answer::BoundKind::Contexts;
  if (!counts || !asked || bounded->bound.value <= *asked) return {};
  return "; this is more than the " + base::counted(*asked, "context") + " asked for";
}

base::Diagnostics missing_part_for(const Posed& posed, const StoredEvidence& evidence) {
  base::Diagnostics missing = missing_part(posed);
  if (missing.empty() || evidence.kind != model::kind_of(posed.task)) return missing;
  const std::string option = std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        const auto& answered = std::get<model::QuestionOf<Model>>(evidence.question);
        if (check::mismatch(task.model, answered)) return std::string();
        return lacks_target(posed.task) ? target_option(task.model, answered.targets)
                                        : initial_option(task.model, answered.initial);
      },
      posed.task);
  if (!option.empty()) missing.back().hint = "to ask the question of this evidence, give " + option;
  return missing;
}

}  // namespace heddle::driver
