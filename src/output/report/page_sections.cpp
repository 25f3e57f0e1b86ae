#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "output/certificate_text.hpp"
#include "output/cutoff_text.hpp"
#include "output/picture/svg.hpp"
#include "output/report/page_parts.hpp"
#include "output/verdict_sentence.hpp"
#include "output/words.hpp"

namespace heddle::output::report {

namespace {

using answer::EvidenceStatus;

/// Lines of a proof that are shown; its evidence file has all.
constexpr std::size_t kMostProofLines = 1000;
constexpr std::size_t kMostRegions = 50;

std::string_view class_of(const answer::Verdict& verdict) {
  if (std::holds_alternative<answer::Unsafe>(verdict)) return "unsafe";
  return std::holds_alternative<answer::Unknown>(verdict) ? "unknown" : "safe";
}

std::string item(std::string_view term, const std::string& description) {
  if (description.empty()) return {};
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html(term), html(description));
}

/// Up to so many lines of a text.
std::string first_lines(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < most && end < text.size(); ++i) {
    const std::size_t next = text.find('\n', end);
    end = next == std::string::npos ? text.size() : next + 1;
  }
  if (end >= text.size()) return text;
  const auto left = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  return text.substr(0, end) + fmt::format("… {} more lines; --evidence stores all\n", left);
}

std::string list_items(const std::vector<std::string>& texts, const std::string& nothing) {
  if (texts.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostRegions); ++i)
    out += (i == 0 ? "" : "  or  ") + (texts[i].empty() ? nothing : texts[i]);
  if (texts.size() > kMostRegions) out += fmt::format("  or {} more", texts.size() - kMostRegions);
  return out;
}

/// Several lines; `html` shows line breaks as characters that cannot be printed.
std::string html_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += html(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string html(std::string_view text) { return picture::escaped(base::printable(text)); }

std::string head_section(const PageInput& input, const RunSheet* sheet) {
  const answer::Report& report = input.report;
  std::string out =
      fmt::format("<header class=\"head\"><div><h1><span class=\"verdict {}\">{}</span> {}</h1>\n",
                  class_of(report.verdict), html(verdict_word(input.task, report.verdict)),
                  html(std::filesystem::path(input.asked.file).filename().string()));
  out += "<p>" + html(verdict_sentence(input.task, input.asked, report)) + "</p>\n";
  if (sheet && !sheet->reached.empty())
    out += "<p class=\"unsafe\">" + html(sheet->reached) + "</p>\n";
  if (sheet && !sheet->broken.empty())
    out += "<p class=\"warning\">The run cannot be followed: " + html(sheet->broken) + "</p>\n";
  out += "<p>" + html(check_sentence(report)) + "</p>\n";
  for (const base::Diagnostic& warning : input.asked.warnings)
    out += "<p class=\"warning\">Warning: " + html(warning.message) + "</p>\n";
  return out +
         "</div><button id=\"theme\" type=\"button\" aria-label=\"dark or light colours\">◐"
         "</button></header>\n";
}

std::string question_section(const PageInput& input) {
  const Asked& asked = input.asked;
  if (asked.format.empty()) return {};
  const auto from = [](const std::string& where) {
    return where.empty() ? "" : " (" + where + ")";
  };
  std::string out = "<h2>The question</h2>\n<dl>\n";
  out += item("file", asked.file + ", " + model::kind_name(input.task));
  if (asked.asking == Asking::Reachability)
    out += item("target",
                list_items(target_texts(input.task), "any marking") + from(asked.targets_from));
  else
    out += item("asked", "how many threads are enough to reach every thread state");
  out += item("initial",
              list_items(initial_texts(input.task), "no tokens") + from(asked.initial_from));
  if (const auto& contexts = model::contexts_of(input.task))
    out += item("within", counted(*contexts, "context") + " per thread");
  for (const std::string& relaxed : asked.relaxed) out += item("weakened", relaxed);
  out += item("limits", input.limits);
  return out + "</dl>\n";
}

std::string run_section(const RunSheet& sheet, bool has_source) {
  std::string out = fmt::format(
      "<h2 id=\"run\">The run: {}</h2>\n<div id=\"viewer\">\n"
      "<div class=\"bar\" role=\"toolbar\" aria-label=\"steps\">\n"
      "<button id=\"first\" class=\"far\" type=\"button\" aria-label=\"to the start\">|◀</button>\n"
      "<button id=\"back\" type=\"button\" aria-label=\"one step back\">◀</button>\n"
      "<button id=\"next\" type=\"button\" aria-label=\"one step forward\">▶</button>\n"
      "<button id=\"last\" class=\"far\" type=\"button\" aria-label=\"to the end\">▶|</button>\n"
      "<label>step <input id=\"where\" type=\"text\" inputmode=\"numeric\"></label>\n"
      "<input id=\"slider\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"position\">\n"
      "<input id=\"find\" type=\"search\" placeholder=\"search steps\" aria-label=\"search "
      "steps\">\n"
      "<span id=\"found\" class=\"soft\" role=\"status\"></span>\n</div>\n"
      "<p id=\"now\" role=\"status\" aria-live=\"polite\"></p>\n<div class=\"run\">\n"
      "<section class=\"pane\" aria-label=\"steps\"><h3>Steps",
      counted(sheet.steps, "step"));
  for (std::size_t i = 0; i < std::min<std::size_t>(sheet.lanes.size(), 12); ++i)
    out += fmt::format(" <span class=\"c{}\">● {}</span>", i % 8, html(sheet.lanes[i]));
  if (sheet.lanes.size() > 12) out += fmt::format(" … {} threads", sheet.lanes.size());
  out +=
      "</h3><div id=\"steps\" class=\"scroll\" role=\"listbox\" tabindex=\"0\" "
      "aria-label=\"steps of the run\"></div></section>\n";
  if (has_source)
    out +=
        "<section class=\"pane\" aria-label=\"source\"><h3 id=\"file\">Source</h3>"
        "<div id=\"source\" class=\"scroll mono\" tabindex=\"0\"></div></section>\n";
  out +=
      "<section class=\"pane\" aria-label=\"values\"><h3>After this step</h3>"
      "<div id=\"state\" class=\"scroll\" tabindex=\"0\"></div></section>\n</div></div>\n";
  return out +
         "<details id=\"keys\"><summary>Keys</summary><p><kbd>→</kbd> <kbd>j</kbd> forward, "
         "<kbd>←</kbd> <kbd>k</kbd> back, <kbd>]</kbd> <kbd>[</kbd> the same thread's next and "
         "previous step, <kbd>/</kbd> search, <kbd>n</kbd> <kbd>N</kbd> next and previous match, "
         "<kbd>t</kbd> colours, <kbd>?</kbd> this list. In the list of steps also <kbd>↑</kbd> "
         "<kbd>↓</kbd>, <kbd>Page</kbd> keys, <kbd>Home</kbd> and <kbd>End</kbd>. The address "
         "<code>#step-12</code> opens step 12.</p></details>\n";
}

std::string source_section() {
  return "<h2>The source</h2>\n<section class=\"pane\" style=\"height: min(70vh, 40rem)\" "
         "aria-label=\"source\"><h3 id=\"file\">Source</h3><div id=\"source\" class=\"scroll "
         "mono\" tabindex=\"0\"></div></section>\n";
}

std::string proof_section(const PageInput& input, const std::vector<LineNote>& notes) {
  const answer::Verdict& verdict = input.report.verdict;
  TextOptions options;
  options.verbose = true;
  options.sources = input.asked.sources;
  std::string text;
  if (const auto* safe = std::get_if<answer::Safe>(&verdict))
    text = certificate_text(input.task, safe->certificate, options);
  else if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
    text = certificate_text(input.task, bounded->certificate, options);
  else if (const auto* cutoff = std::get_if<answer::Cutoff>(&verdict))
    text = cutoff_proof_text(input.task, *cutoff, options);
  if (text.empty()) return {};
  std::string out = "<h2>The proof</h2>\n<pre tabindex=\"0\">" +
                    html_lines(first_lines(text, kMostProofLines)) + "</pre>\n";
  if (notes.empty()) return out;
  out +=
      "<h3>Invariants at lines</h3>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">line"
      "</th><th scope=\"col\">thread</th><th scope=\"col\">holds there</th></tr></thead>\n";
  for (const LineNote& note : notes)
    out += fmt::format("<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n", note.place.line,
                       html(note.who), html(note.text));
  return out + "</table></div>\n";
}

namespace {

/// Where an engine had a processor, on a line from the beginning of the search to its end.
std::string track(std::span<const EngineTurn> turns, double length, bool has_won) {
  std::string out = "<div class=\"track\" aria-hidden=\"true\">";
  for (const EngineTurn& turn : turns)
    out += fmt::format("<span class=\"span{}\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>",
                       has_won ? " won" : "", 100 * turn.from / length,
                       100 * std::max(0.0, turn.to - turn.from) / length);
  return out + "</div>";
}

}  // namespace

std::string engines_section(const PageInput& input) {
  const auto& runs = input.report.runs;
  if (runs.empty()) return {};
  double length = 1e-6;
  for (const auto& turns : input.turns)
    for (const EngineTurn& turn : turns) length = std::max(length, turn.to);
  std::string out = fmt::format(
      "<h2>Engines</h2>\n<div class=\"wide\"><table class=\"times\"><thead><tr>"
      "<th scope=\"col\">engine</th><th scope=\"col\">outcome</th><th scope=\"col\">time</th>"
      "<th scope=\"col\">memory</th><th scope=\"col\">0 to {}</th></tr></thead>\n",
      duration_text(length));
  std::string refused;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const answer::EngineRun& run = runs[i];
    if (run.outcome == "not accepted") {
      refused += item(run.engine, run.detail);
      continue;
    }
    const auto turns =
        i < input.turns.size() ? std::span(input.turns[i]) : std::span<const EngineTurn>{};
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{:.0f} MB</td><td>{}</td></tr>\n",
        html(run.engine), html(run.outcome + (run.detail.empty() ? "" : ": " + run.detail)),
        duration_text(run.seconds), run.peak_memory_mb,
        track(turns, length, run.engine == input.report.engine));
  }
  out += "</table></div>\n";
  if (!refused.empty())
    out += "<details><summary>Engines that do not accept the task</summary><dl>" + refused +
           "</dl></details>\n";
  return out;
}

std::string details_section(const PageInput& input) {
  std::string figures;
  for (const auto& [name, value] : input.report.statistics.entries())
    figures += item(name, fmt::format("{}", value));
  std::string out;
  if (!figures.empty())
    out += "<h2>Figures</h2>\n<details><summary>of engine " + html(input.report.engine) +
           "</summary><dl>" + figures + "</dl></details>\n";
  return out + fmt::format(
                   "<footer>Heddle {}, {} in all, {:.0f} MB at most. This file needs no "
                   "network.</footer>\n",
                   HEDDLE_VERSION, duration_text(input.report.seconds),
                   input.report.peak_memory_mb);
}

}  // namespace heddle::output::report
