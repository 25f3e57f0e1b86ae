#include "output/cutoff_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "output/cutoff_rounds.hpp"
#include "output/program_states.hpp"
#include "output/report_lines.hpp"
#include "output/verdict_sentence.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::Cutoff;
using answer::Report;
using answer::Unknown;
using model::CountingTask;

constexpr std::size_t kRowsShown = 24;
constexpr std::size_t kCandidatesShown = 10;
constexpr std::size_t kCubesShown = 3;

/// The program's graph. Precondition: a cutoff of it was found.
model::boolean::Flow program_graph(const model::AnyTask& any) {
  return model::boolean::unfold(std::get<model::ProgramTask>(any).model).value();
}

std::string size_text(const model::AnyTask& any, const Cutoff& cutoff) {
  if (!cutoff.program)
    return counted(cutoff.reachable.size(), "thread state") + ", " +
           counted(cutoff.candidates.size(), "candidate");
  const auto places = reached_places(program_graph(any), *cutoff.program, 0);
  const base::Integer states = state_count(places);
  return base::to_string(states) + (states == 1 ? " thread state at " : " thread states at ") +
         counted(places.size(), "place");
}

std::string cutoff_headline(const model::AnyTask& any, const Asked& asked, const Report& report,
                            const TextOptions& options) {
  const auto* cutoff = std::get_if<Cutoff>(&report.verdict);
  return headline(any, asked, report, options.style) + "  " +
         options.style.dim("(" + (cutoff ? size_text(any, *cutoff) + ", " : "") +
                           duration_text(report.seconds) + ")") +
         "\n";
}

std::string rounds_text(const Cutoff& cutoff) {
  std::string out = "  threads   reached    new\n";
  for (const CutoffRound& round : cutoff_rounds(cutoff)) {
    const std::string threads = std::to_string(round.first) +
                                (round.first == round.last ? "" : "-" + std::to_string(round.last));
    out += fmt::format("  {:>7}   {:>7}   {:>4}", threads, round.reached, round.added);
    if (round.added == 0) out += fmt::format("   plateau, broken at {}", round.last + 1);
    out += "\n";
  }
  return out + fmt::format("  more than {} reach nothing new\n", counted(cutoff.threads, "thread"));
}

/// Does every local state have a name of one word, as places have?
bool has_short_names(const model::ThreadSystem& system) {
  return system.local_names.size() == system.local_count &&
         std::ranges::all_of(system.local_names, [](const std::string& name) {
           return !name.empty() && name.find_first_of(" \t:|") == std::string::npos;
         });
}

std::string local_label(const model::PetriNet& net, model::LocalState local) {
  return model::counter_name(net, local);
}

std::string local_label(const model::ThreadSystem& system, model::LocalState local) {
  return has_short_names(system) ? system.local_names[local.index()] : std::to_string(local.value);
}

/// How the lines of `states_text` look.
struct StatesStyle {
  std::string_view heading;
  bool shows_shared = true;
};

StatesStyle states_style(const model::PetriNet&) {
  return {"  places that can be marked, each with the fewest threads that mark it\n", false};
}

StatesStyle states_style(const model::ThreadSystem&) {
  return {"  reachable thread states: shared | local:fewest threads\n", true};
}

/// One line for each shared state: `3 | 0:1 5:2`, local states with the threads they need.
std::string states_text(const CountingTask& task, const Cutoff& cutoff,
                        const TextOptions& options) {
  const StatesStyle style =
      std::visit([](const auto& model) { return states_style(model); }, task.model);
  const auto label = [&](model::LocalState local) {
    return std::visit([&](const auto& model) { return local_label(model, local); }, task.model);
  };
  std::map<model::SharedState, std::string> rows;
  for (const answer::ReachedState& r : cutoff.reachable) {
    rows[r.state.shared] += fmt::format(" {}:{}", label(r.state.local), r.threads);
  }
  std::string out(style.heading);
  std::size_t shown = 0;
  for (const auto& [shared, row] : rows) {
    if (!options.verbose && shown++ == kRowsShown) {
      out += fmt::format("    … {} more shared states (--verbose shows all)\n",
                         rows.size() - kRowsShown);
      break;
    }
    out += style.shows_shared ? fmt::format("    {} |{}\n", shared.value, row) : "   " + row + "\n";
  }
  return out;
}

std::string reason_text(const CountingTask& task, const Cutoff& cutoff,
                        const answer::UnrealizableCandidate& candidate) {
  if (!candidate.excluded_by) return "an invariant excludes it";
  return "no reachable state covers " +
         model::to_string(task.model, cutoff.uncoverable.minimal[*candidate.excluded_by]);
}

std::string candidates_text(const CountingTask& task, const Cutoff& cutoff,
                            const TextOptions& options) {
  if (cutoff.candidates.empty())
    return "  no candidates: every step from these thread states leads to one of them\n";
  std::string out = "  unreachable candidates:\n";
  const std::size_t shown = options.verbose ? cutoff.candidates.size()
                                            : std::min(cutoff.candidates.size(), kCandidatesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const answer::UnrealizableCandidate& candidate = cutoff.candidates[i];
    out += fmt::format("    {} by transition {} would reach {}: {}\n",
                       model::to_string(task.model, candidate_demand(task.model, candidate)),
                       candidate.transition.value, thread_state_name(task.model, candidate.missing),
                       reason_text(task, cutoff, candidate));
  }
  if (shown < cutoff.candidates.size())
    out += fmt::format("    … {} more (--verbose shows all)\n", cutoff.candidates.size() - shown);
  return out;
}

std::string fewer_text(const CountingTask& task, const Cutoff& cutoff) {
  if (cutoff.threads == 0) return "  nothing is reachable\n";
  if (cutoff.too_few.empty())
    return fmt::format("  no initial configuration has fewer than {}\n",
                       counted(cutoff.threads, "thread"));
  const answer::TooFewThreads& proof = cutoff.too_few.back();
  std::string out = fmt::format(
      "  fewer than {} cannot reach {}: {} can reach it, none of them initial\n",
      counted(proof.threads, "thread"), thread_state_name(task.model, proof.states.front()),
      counted(proof.minimal.size(), "minimal state") + " of fewer threads");
  const auto least = static_cast<std::size_t>(std::ranges::count(proved_least(task, cutoff), true));
  return out + (least == cutoff.reachable.size()
                    ? "  all these thread counts are minimal\n"
                    : fmt::format("  {} of these {} thread counts are proved minimal\n", least,
                                  cutoff.reachable.size()));
}

/// One line for each place.
std::string program_text(const model::AnyTask& any, const Cutoff& cutoff,
                         const TextOptions& options) {
  const model::boolean::Flow flow = program_graph(any);
  const answer::ProgramThreadStates& states = *cutoff.program;
  const auto places = reached_places(flow, states, options.verbose ? kRowsShown : kCubesShown);
  std::string out = "  reachable thread states: place, how many, shared | local values\n";
  std::size_t shown = 0;
  for (const ReachedPlace& place : places) {
    if (!options.verbose && shown++ == kRowsShown) {
      out +=
          fmt::format("    … {} more places (--verbose shows all)\n", places.size() - kRowsShown);
      break;
    }
    out += fmt::format("    {:<12} {:>6}   {}{}\n", place.name, base::to_string(place.states),
                       fmt::join(place.cubes, "; "), place.is_complete ? "" : "; …");
  }
  if (!states.last)
    return out +
           fmt::format("  no initial state has fewer than {}\n", counted(cutoff.threads, "thread"));
  const std::string shared = model::values_text(shared_values(flow, states.last->shared));
  const std::string local =
      model::values_text(local_values(flow, states.last->node, states.last->local));
  return out + fmt::format("  fewer than {} cannot reach {}{}{}{}{}\n",
                           counted(cutoff.threads, "thread"), node_text(flow, states.last->node),
                           shared.empty() && local.empty() ? "" : " with ", shared,
                           shared.empty() || local.empty() ? "" : " | ", local);
}

/// Of the options of `verify`, `cutoff` has neither --engine nor --order nor --jobs.
std::string advice_for(answer::UnknownReason reason) {
  using enum answer::UnknownReason;
  switch (reason) {
    case TimeLimit: return "a larger --timeout";
    case MemoryLimit: return "a larger --memory";
    case EngineFailed: return "please report this with the input file";
    case CounterOverflow:
    case Incomplete: return {};
    default: return explain(reason).what_to_try;
  }
}

std::string body(const model::AnyTask& any, const Report& report, const TextOptions& options) {
  if (const auto* unknown = std::get_if<Unknown>(&report.verdict)) {
    std::string out;
    if (!unknown->detail.empty()) out += "  reason   " + unknown->detail + "\n";
    const std::string advice = advice_for(unknown->reason);
    return advice.empty() ? out : out + "  try      " + advice + "\n";
  }
  return "\n" + cutoff_proof_text(any, std::get<Cutoff>(report.verdict), options) + "\n" +
         evidence_line(report.check, options.style);
}

std::string statistics_text(const Report& report) {
  std::string out;
  for (const auto& [name, value] : report.statistics.entries())
    out += fmt::format("  {}: {}\n", name, value);
  return out;
}

}  // namespace

std::string cutoff_proof_text(const model::AnyTask& any, const Cutoff& cutoff,
                              const TextOptions& options) {
  if (cutoff.program) return program_text(any, cutoff, options);
  const CountingTask task = model::counting_task(any).value();
  return rounds_text(cutoff) + "\n" + states_text(task, cutoff, options) + "\n" +
         candidates_text(task, cutoff, options) + fewer_text(task, cutoff);
}

std::string cutoff_text(const model::AnyTask& task, const Asked& asked, const Report& report,
                        const TextOptions& options) {
  std::string out = cutoff_headline(task, asked, report, options);
  if (options.quiet) return out;
  out += initial_line(task, asked, options) + body(task, report, options);
  return options.verbose ? out + statistics_text(report) : out;
}

std::string cutoff_recheck_text(const model::AnyTask& task, const Asked& asked,
                                const Report& report, const TextOptions& options) {
  const auto* cutoff = std::get_if<Cutoff>(&report.verdict);
  const std::string word = check_word(report.check, options.style);
  std::string out = word + "  CUTOFF" + (cutoff ? " " + std::to_string(cutoff->threads) : "") +
                    "  " + options.style.dim("(" + duration_text(report.seconds) + ")") + "\n";
  if (!report.check.why.empty() && !(cutoff && options.quiet))
    out += "  " + report.check.why + "\n";
  out += initial_line(task, asked, options);  // a confirmation is one of a question
  return options.verbose ? out + body(task, report, options) : out;
}

}  // namespace heddle::output
