#include "output/verdict_sentence.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/printable.hpp"
#include "model/boolean_program/listed_threads.hpp"
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
  if (!task || task->question.targets.empty() || !is_about_ending(task->question.targets.front()))
    return std::nullopt;
  const bool is_fair = task->question.targets.front() == model::c::Property::FairTermination;
  if (std::holds_alternative<Safe>(verdict))
    return style.green("TERMINATES") + " under every " + (is_fair ? "weakly fair " : "") +
           "scheduler";
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (!unsafe) return std::nullopt;
  const bool is_lasso =
      std::get<model::c::Run>(unsafe->trace).violation.kind == model::c::Violation::Kind::Lasso;
  if (!is_lasso) return style.red("CAN BLOCK FOR EVER");
  return style.red("RUNS FOR EVER") + " under some " +
         (is_fair ? "weakly fair scheduler" : "scheduler (no fairness assumed)");
}

// ---- what is asked, for each kind of model ----

/// `0|1,1 or 1|1,1`
std::string named_targets(const AnyTask& task) {
  const std::vector<std::string> targets = target_texts(task);
  std::string out;
  for (std::size_t i = 0; i < std::min(targets.size(), kTargetsNamed); ++i)
    out += (i == 0 ? "" : " or ") + (targets[i].empty() ? "any marking" : targets[i]);
  if (targets.size() > kTargetsNamed)
    out += " or " + std::to_string(targets.size() - kTargetsNamed) + " more";
  return out;
}

/// What is found, and what is proved instead.
struct Finding {
  std::string can;
  std::string cannot;
};

template <class Model>
Finding finding(const model::Task<Model>& task) {
  if (task.question.targets.empty())
    return {"a target is reachable", "all reachable states were found"};
  const std::string target = "the target " + named_targets(task);
  return {target + " is reachable", target + " is unreachable"};
}

Finding finding(const model::ProgramTask& task) {
  if (task.question.labels.empty()) return {"an assertion can fail", "no assertion can fail"};
  std::string labels;
  for (const std::string& label : task.question.labels)
    labels += (labels.empty() ? "" : " or ") + label;
  return {"a thread can reach label " + labels, "no thread can reach label " + labels};
}

std::string what_can_happen(model::c::Violation::Kind kind, const std::string& error_function) {
  using enum model::c::Violation::Kind;
  switch (kind) {
    case Failure:
      return error_function.empty() ? "an assertion can fail" : error_function + " can be called";
    case InvalidAccess: return "an access to memory can be invalid";
    case InvalidFree: return "a call of free can be invalid";
    case DoubleFree: return "memory can be freed twice";
    case LostMemory: return "memory can leak";
    case UnfreedMemory: return "some memory may not be freed before the end";
    case Overflow: return "a signed operation can overflow";
    case DivisionByZero: return "a division by zero is possible";
    case Deadlock: return "threads can deadlock";
    case DataRace: return "a data race is possible";
    case Blocked: return "threads can wait for ever";
    case Lasso: return "the program can run for ever";
    case Unsupported: break;
  }
  return "the property can be violated";
}

std::string what_cannot_happen(model::c::Property property, const std::string& error_function) {
  using enum model::c::Property;
  switch (property) {
    case Reach:
      return error_function.empty() ? "no assertion can fail" : error_function + " is never called";
    case NoDataRace: return "no data race is possible";
    case NoDeadlock: return "threads never deadlock";
    case NoOverflow: return "no signed operation overflows";
    case Memory: return "every access to memory is valid";
    case MemorySafety: return "every access to memory is valid, and no memory leaks";
    case MemoryCleanup: return "all memory is freed before the end";
    case NoFault: return "every access to memory is valid, and no divisor is zero";
    case Termination: return "every run ends";
    case FairTermination: return "every weakly fair run ends";
  }
  return "the property holds";
}

Finding finding(const model::CTask& task) {
  const std::string& error = task.model.error_function;
  const auto property =
      task.question.targets.empty() ? model::c::Property::Reach : task.question.targets.front();
  return {"the property can be violated", what_cannot_happen(property, error)};
}

/// Of a C program the run says what happens, and where: ` (counter == 2, line 20)`.
std::string violation_text(const model::CTask& task, const answer::Verdict& verdict) {
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (!unsafe) return {};
  const auto& violation = std::get<model::c::Run>(unsafe->trace).violation;
  std::string detail =
      violation.what == to_string(violation.kind) ? "" : base::printable(violation.what);
  if (violation.position.line > 0) {
    const auto& files = task.model.files;
    const std::size_t file = violation.position.file;
    const std::string line = std::to_string(violation.position.line);
    detail += (detail.empty() ? "" : ", ") +
              (file == 0 || file >= files.size()
                   ? "line " + line
                   : std::filesystem::path(files[file]).filename().string() + ":" + line);
  }
  return what_can_happen(violation.kind, task.model.error_function) +
         (detail.empty() ? "" : " (" + detail + ")");
}

// ---- for which threads ----

/// Of the initial regions of a thread system.
std::string threads_text(const model::ThreadTask& task) {
  std::optional<base::Integer> number;
  for (const model::Region& region : task.question.initial) {
    base::Integer total = 0;
    for (const model::CounterBound& bound : region.bounds) {
      if (!bound.upper) return "for any number of threads";
      if (*bound.upper != bound.lower) return "for every initial number of threads";
      total += bound.lower;
    }
    if (number && *number != total) return "for every initial number of threads";
    number = total;
  }
  return number ? "for " + counted(*number, "thread") : "";
}

std::string threads_text(const model::NetTask& task) {
  const bool is_one =
      task.question.initial.size() == 1 &&
      std::ranges::all_of(task.question.initial.front().bounds, [](const auto& bound) {
        return bound.upper && *bound.upper == bound.lower;
      });
  return is_one ? "from the initial marking" : "from every initial marking";
}

std::string threads_text(const model::ProgramTask& task) {
  if (model::boolean::lists_threads(task.model)) return "for the threads that the program lists";
  std::string out;
  for (const std::string& initial : initial_texts(task))
    out += (out.empty() ? "starting with " : " or ") + initial;
  return out;
}

std::string threads_text(const model::PushdownTask& task) {
  return "for its " + counted(task.model.threads.size(), "thread");
}

std::string threads_text(const model::CTask&) { return "in any interleaving of the threads"; }

/// `no assertion can fail, in any interleaving of the threads`
std::string proved_text(const AnyTask& any, const Asked& question,
                        const std::optional<answer::Bound>& bound) {
  return std::visit(
      [&](const auto& task) {
        std::string out = question.asks_for_dead_states
                              ? "in every reachable state some transition is enabled"
                              : finding(task).cannot;
        const auto& asked = model::contexts_of(any);
        if (bound)
          out += " within " + bound_text(*bound) +
                 (bound->what == answer::BoundKind::Contexts ? " per thread" : "");
        else if (asked)
          out += " within " + counted(*asked, "context") + " per thread";
        const std::string threads = threads_text(task);
        return out + (threads.empty() ? "" : ", " + threads);
      },
      any);
}

/// `an assertion can fail (counter == 2, line 20) with 3 threads, in 24 instructions`
std::string found_text(const AnyTask& any, const Asked& asked, const answer::Verdict& verdict) {
  const auto* c = std::get_if<model::CTask>(&any);
  std::string out = asked.asks_for_dead_states
                        ? "a state in which no transition is enabled is reachable"
                    : c ? violation_text(*c, verdict)
                        : std::visit([](const auto& task) { return finding(task).can; }, any);
  const auto& run = std::get<Unsafe>(verdict).trace;
  if (const auto threads = thread_count(any, run))
    out += " with " + counted(*threads, "thread") + ",";
  // The listing of a C program has lines of the source, each of several instructions.
  return out + " in " + counted(step_count(run), c ? "instruction" : "step");
}

/// Without its target nothing can be said about what was asked.
bool is_read(const Asked& asked) { return !asked.format.empty(); }

}  // namespace

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

std::string statement(const AnyTask& task, const Asked& asked, const answer::Report& report) {
  if (const auto* unknown = std::get_if<Unknown>(&report.verdict))
    return explain(unknown->reason).why;
  if (const auto* cutoff = std::get_if<answer::Cutoff>(&report.verdict))
    return counted(cutoff->threads, "thread") + (cutoff->threads == 1 ? " reaches" : " reach") +
           " every thread state that any number of threads reaches";
  if (!is_read(asked)) return std::string(answer::verdict_name(report.verdict));
  if (std::holds_alternative<Unsafe>(report.verdict))
    return found_text(task, asked, report.verdict);
  const auto* bounded = std::get_if<SafeUpTo>(&report.verdict);
  return (asked.vacuous.empty() ? "" : "there is nothing to violate (" + asked.vacuous + "): ") +
         proved_text(task, asked, bounded ? std::optional(bounded->bound) : std::nullopt);
}

std::string headline(const AnyTask& task, const Asked& asked, const answer::Report& report,
                     const Style& style) {
  std::string out =
      verdict_word(task, report.verdict, style) + ": " + statement(task, asked, report);
  if (std::holds_alternative<Unknown>(report.verdict)) return out;
  return out + (report.check.status == answer::EvidenceStatus::Confirmed
                    ? "; confirmed by an independent check"
                    : "; " + style.yellow("not checked"));
}

std::string verdict_sentence(const AnyTask& task, const Asked& asked,
                             const answer::Report& report) {
  const std::string text = statement(task, asked, report);
  if (const auto* unknown = std::get_if<Unknown>(&report.verdict))
    return "Not decided: " + text + (unknown->detail.empty() ? "." : " (" + unknown->detail + ").");
  if (std::holds_alternative<SafeUpTo>(report.verdict))
    return "Proved: " + text + ". Beyond that bound nothing is known.";
  return (std::holds_alternative<Safe>(report.verdict) ? "Proved: " : "Found: ") + text + ".";
}

std::string check_sentence(const answer::Report& report) {
  const auto because = [&](std::string text) {
    return text + (report.check.why.empty() ? "." : ": " + report.check.why + ".");
  };
  switch (report.check.status) {
    case answer::EvidenceStatus::Confirmed: return because("The independent checker confirmed it");
    case answer::EvidenceStatus::Refuted: return because("The independent checker REFUTED it");
    case answer::EvidenceStatus::NotChecked:
    case answer::EvidenceStatus::OtherQuestion: break;
  }
  if (std::holds_alternative<Unknown>(report.verdict)) return "There is no evidence to check.";
  return because("It has not been checked");
}

}  // namespace heddle::output
