#include "output/verdict_sentence.hpp"

#include <algorithm>
#include <optional>

#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::Safe;
using answer::SafeUpTo;
using answer::Unknown;
using answer::Unsafe;
using model::AnyTask;

constexpr std::size_t kTargetsNamed = 3;

/// Of termination, with what it assumes about the scheduler.
std::optional<std::string> termination_word(const AnyTask& any, const answer::Verdict& verdict,
                                            const Style& style) {
  const auto* task = std::get_if<model::CTask>(&any);
  if (!task || task->question.targets != std::vector{model::c::Property::Termination})
    return std::nullopt;
  if (std::holds_alternative<Safe>(verdict))
    return style.green("TERMINATES") + " under every scheduler";
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (!unsafe) return std::nullopt;
  const bool is_lasso =
      std::get<model::c::Run>(unsafe->trace).violation.kind == model::c::Violation::Kind::Lasso;
  return is_lasso ? style.red("RUNS FOR EVER") + " under some scheduler (no fairness assumed)"
                  : style.red("CAN BLOCK FOR EVER");
}

/// ` (an assertion fails)`
std::string named_targets(const AnyTask& task) {
  const std::vector<std::string> targets = target_texts(task);
  if (targets.empty()) return {};
  std::string out;
  for (std::size_t i = 0; i < std::min(targets.size(), kTargetsNamed); ++i)
    out += (i == 0 ? " (" : " or ") + (targets[i].empty() ? "any marking" : targets[i]);
  if (targets.size() > kTargetsNamed)
    out += " or " + std::to_string(targets.size() - kTargetsNamed) + " more";
  return out + ")";
}

}  // namespace

std::string run_size(const AnyTask& task, const answer::Verdict& verdict) {
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (!unsafe) return {};
  const std::string steps = counted(step_count(unsafe->trace), "step");
  const auto threads = thread_count(task, unsafe->trace);
  return threads ? counted(*threads, "thread") + ", " + steps : steps;
}

std::string verdict_word(const AnyTask& task, const answer::Verdict& verdict, const Style& style) {
  if (const auto word = termination_word(task, verdict, style)) return *word;
  if (std::holds_alternative<Safe>(verdict)) return style.green("SAFE");
  if (std::holds_alternative<Unsafe>(verdict)) return style.red("UNSAFE");
  if (const auto* bounded = std::get_if<SafeUpTo>(&verdict))
    return style.green("SAFE UP TO " + bound_text(bounded->bound));
  if (const auto* cutoff = std::get_if<answer::Cutoff>(&verdict))
    return style.green("CUTOFF " + std::to_string(cutoff->threads));
  return style.yellow("UNKNOWN");
}

std::string verdict_sentence(const AnyTask& task, const Asked& asked,
                             const answer::Report& report) {
  if (const auto* unknown = std::get_if<Unknown>(&report.verdict))
    return "Not decided: " + explain(unknown->reason).why +
           (unknown->detail.empty() ? "." : " (" + unknown->detail + ").");
  if (const auto* cutoff = std::get_if<answer::Cutoff>(&report.verdict))
    return "Found: " + counted(cutoff->threads, "thread") +
           (cutoff->threads == 1 ? " is" : " are") +
           " enough to reach every thread state that any number of threads reaches.";
  const std::string targets = asked.format.empty() ? "" : named_targets(task);
  if (std::holds_alternative<Unsafe>(report.verdict))
    return "Found: a run that reaches the target" + targets + ", " +
           run_size(task, report.verdict) + ".";
  if (const auto* bounded = std::get_if<SafeUpTo>(&report.verdict))
    return "Proved for up to " + bound_text(bounded->bound) + ": no run reaches the target" +
           targets + ". Beyond that nothing is known.";
  return "Proved: no run reaches the target" + targets + ".";
}

std::string check_sentence(const answer::Report& report) {
  const auto because = [&](std::string text) {
    return text + (report.check.why.empty() ? "." : ": " + report.check.why + ".");
  };
  switch (report.check.status) {
    case answer::EvidenceStatus::Confirmed: return because("The independent checker confirmed it");
    case answer::EvidenceStatus::Refuted: return because("The independent checker REFUTED it");
    case answer::EvidenceStatus::NotChecked: break;
  }
  if (std::holds_alternative<Unknown>(report.verdict)) return "There is no evidence to check.";
  return because("Nobody has checked it");
}

}  // namespace heddle::output
