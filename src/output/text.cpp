#include "output/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"
#include "output/certificate_text.hpp"
#include "output/kinds.hpp"
#include "output/projection_text.hpp"
#include "output/report_lines.hpp"
#include "output/verdict_sentence.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::EvidenceStatus;
using answer::Report;
using answer::Safe;
using answer::SafeUpTo;
using answer::Unknown;
using answer::Unsafe;
using model::AnyTask;

constexpr std::size_t kRegionsShown = 5;

std::string first_line(const AnyTask& task, const Asked& asked, const Report& report,
                       const TextOptions& options) {
  const std::string engine = report.engine.empty() ? "" : report.engine + ", ";
  return headline(task, asked, report, options.style) + "  " +
         options.style.dim("(" + engine + duration_text(report.seconds) + ")") + "\n";
}

/// `nothing` is what a region of a net without bounds means.
std::string regions_text(const std::vector<std::string>& regions, const TextOptions& options,
                         const std::string& nothing) {
  if (regions.empty()) return "none";
  std::string out;
  const std::size_t shown =
      options.verbose ? regions.size() : std::min(regions.size(), kRegionsShown);
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : "  or  ") + (regions[i].empty() ? nothing : regions[i]);
  if (shown < regions.size()) out += fmt::format("  or {} more", regions.size() - shown);
  return out;
}

std::string run_text(const AnyTask& any, const answer::AnyRun& run, const TextOptions& options) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) {
        return trace_text(task, std::get<answer::RunOf<Model>>(run), options);
      },
      any);
}

std::string evidence_body(const AnyTask& task, const Asked& asked, const Report& report,
                          TextOptions options) {
  options.sources = asked.sources;
  if (const auto* unsafe = std::get_if<Unsafe>(&report.verdict))
    return "\n" + run_text(task, unsafe->trace, options) + "\n";
  if (const auto* safe = std::get_if<Safe>(&report.verdict))
    return "\n" + certificate_text(task, safe->certificate, options) + "\n";
  if (const auto* bounded = std::get_if<SafeUpTo>(&report.verdict))
    return "\n" + certificate_text(task, bounded->certificate, options) + "\n";
  return {};
}

/// Words that may quote evidence or a model.
std::string because(const std::string& why) {
  return why.empty() ? "" : ": " + base::printable(why);
}

}  // namespace

std::string evidence_line(const answer::CheckResult& check, const Style& style) {
  switch (check.status) {
    case EvidenceStatus::Confirmed:
      return style.green("evidence confirmed") + because(check.why) + "\n";
    case EvidenceStatus::Refuted: return style.red("evidence refuted") + because(check.why) + "\n";
    case EvidenceStatus::NotChecked:
    case EvidenceStatus::OtherQuestion: break;
  }
  return style.yellow("evidence not checked") + because(check.why) + "\n";
}

std::string check_word(const answer::CheckResult& check, const Style& style) {
  switch (check.status) {
    case EvidenceStatus::Confirmed: return style.green("CONFIRMED");
    case EvidenceStatus::Refuted: return style.red("REFUTED");
    case EvidenceStatus::OtherQuestion: return style.yellow("ANOTHER QUESTION");
    case EvidenceStatus::NotChecked: break;
  }
  return style.yellow("NOT CHECKED");
}

std::string initial_line(const AnyTask& task, const Asked& asked, const TextOptions& options) {
  if (asked.format.empty()) return {};
  const std::string initial = regions_text(initial_texts(task), options, "no tokens");
  return "  initial  " + initial + "  " + options.style.dim("(" + asked.initial_from + ")") + "\n";
}

namespace {

std::string question_text(const AnyTask& task, const Asked& asked, const TextOptions& options) {
  if (asked.format.empty()) return {};
  const std::string targets = regions_text(target_texts(task), options, "any marking");
  std::string out = "  target   " + targets + "  " +
                    options.style.dim("(" + asked.targets_from + ")") + "\n" +
                    initial_line(task, asked, options);
  if (const auto& contexts = model::contexts_of(task))
    out += fmt::format("  within   {} per thread\n", counted(*contexts, "context"));
  if (asked.relaxed.empty()) return out;
  out += fmt::format("  relaxed  {} weakened to make the model monotone:\n",
                     counted(asked.relaxed.size(), "upper bound"));
  const std::size_t shown =
      options.verbose ? asked.relaxed.size() : std::min(asked.relaxed.size(), kRegionsShown);
  for (std::size_t i = 0; i < shown; ++i) out += "           " + asked.relaxed[i] + "\n";
  if (shown < asked.relaxed.size())
    out += fmt::format("           … {} more\n", asked.relaxed.size() - shown);
  return out;
}

std::string upper(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += c == '_' ? ' ' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

/// `SAFE UP TO 3 contexts`.
std::string claim_text(const Report& report) {
  return upper(report.claim) +
         (report.claimed_bound ? " " + bound_text(*report.claimed_bound) : std::string());
}

/// The reason in its own words, the claim behind it, and what to try.
std::string unknown_text(const Report& report, const Unknown& unknown) {
  std::string out;
  if (!unknown.detail.empty()) out += "  reason   " + base::printable(unknown.detail) + "\n";
  if (!report.claim.empty())
    out += "  claim    " + claim_text(report) + ", by engine " + report.engine + "\n";
  const std::string advice = explain(unknown.reason).what_to_try;
  if (!advice.empty()) out += "  try      " + advice + "\n";
  return out;
}

/// Engines that failed are always worth a line; the others if asked for.
std::string runs_text(const Report& report, const TextOptions& options) {
  std::string out;
  for (const answer::EngineRun& run : report.runs) {
    const bool failed = run.outcome == "crashed" || run.outcome == "refuted";
    const bool told = run.engine == report.engine && !answer::is_definite(report.verdict);
    if ((!failed || told) && !options.verbose) continue;
    out += fmt::format("  engine {}: {}{}  ({}, {:.0f} MB)\n", run.engine, run.outcome,
                       because(run.detail), duration_text(run.seconds), run.peak_memory_mb);
  }
  return out;
}

std::string statistics_text(const Report& report, const TextOptions& options) {
  std::string out;
  if (!options.verbose) return out;
  for (const auto& [name, value] : report.statistics.entries())
    out += fmt::format("  {}: {}\n", name, value);
  return out;
}

/// An execution that ends before what was asked about.
std::string fault_text(const AnyTask& task, const Asked& asked, const answer::Unsafe& fault,
                       TextOptions options) {
  options.sources = asked.sources;
  Report found;
  found.verdict = fault;
  return "\n" + options.style.yellow("an execution ends in what C does not define") + ": " +
         statement(task, asked, found) + "\n\n" + run_text(task, fault.trace, options);
}

}  // namespace

std::string report_text(const AnyTask& task, const Asked& asked, const Report& report,
                        const TextOptions& options) {
  std::string out = first_line(task, asked, report, options);
  if (options.quiet) return out;
  out += question_text(task, asked, options);
  if (const auto* unknown = std::get_if<Unknown>(&report.verdict)) {
    out += unknown_text(report, *unknown);
  } else {
    out += evidence_body(task, asked, report, options) + evidence_line(report.check, options.style);
  }
  out += runs_text(report, options) + statistics_text(report, options);
  if (report.fault) out += fault_text(task, asked, *report.fault, options);
  if (report.projection) out += "\n" + projection_text(*report.projection, asked.source, options);
  return out;
}

std::string recheck_text(const AnyTask& task, const Asked& asked, const Report& report,
                         const TextOptions& options) {
  const bool confirmed = report.check.status == EvidenceStatus::Confirmed;
  const std::string claim = confirmed ? verdict_word(task, report.verdict, Style{}) + ": " +
                                            statement(task, asked, report)
                                      : claim_text(report);
  std::string out = check_word(report.check, options.style) + (claim.empty() ? "" : "  " + claim) +
                    "  " + options.style.dim("(" + duration_text(report.seconds) + ")") + "\n";
  if (!report.check.why.empty() && !(confirmed && options.quiet))
    out += "  " + base::printable(report.check.why) + "\n";
  out += question_text(task, asked, options);  // a confirmation is one of a question
  return options.verbose ? out + evidence_body(task, asked, report, options) : out;
}

}  // namespace heddle::output
