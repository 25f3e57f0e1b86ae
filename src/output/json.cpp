#include "output/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

#include "answer/json.hpp"
#include "output/c_json.hpp"
#include "output/certificate_text.hpp"
#include "output/json_parts.hpp"
#include "output/line_notes.hpp"
#include "output/projection_text.hpp"
#include "output/run_sheet.hpp"
#include "output/verdict_sentence.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::Report;
using answer::Unknown;
using nlohmann::json;
using nlohmann::ordered_json;

ordered_json reason_of(const Report& report) {
  const auto* unknown = std::get_if<Unknown>(&report.verdict);
  return text_or_null(unknown ? answer::to_string(unknown->reason) : "");
}

ordered_json detail_of(const Report& report) {
  const auto* unknown = std::get_if<Unknown>(&report.verdict);
  return text_or_null(unknown ? unknown->detail : "");
}

ordered_json bound_json(const std::optional<answer::Bound>& bound) {
  if (!bound) return nullptr;
  return {{"what", to_string(bound->what)}, {"value", answer::integer_to_json(bound->value)}};
}

ordered_json bound_of(const Report& report) {
  const auto* bounded = std::get_if<answer::SafeUpTo>(&report.verdict);
  return bound_json(bounded ? std::optional(bounded->bound) : std::nullopt);
}

ordered_json threads_of(const model::AnyTask& task, const Report& report) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict);
  const auto threads = unsafe ? thread_count(task, unsafe->trace) : std::nullopt;
  return threads ? ordered_json(answer::integer_to_json(*threads)) : ordered_json(nullptr);
}

ordered_json steps_of(const Report& report) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict);
  if (!unsafe) return nullptr;
  return answer::integer_to_json(step_count(unsafe->trace));
}

/// Of C programs, whose interleavings are told line by line. Those of other kinds are in the
/// evidence.
ordered_json trace_of(const model::AnyTask& any, const Asked& asked, const Report& report) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict);
  const auto* task = std::get_if<model::CTask>(&any);
  if (!unsafe || !task) return nullptr;
  return c_run_json(*task, std::get<model::c::Run>(unsafe->trace), asked.sources);
}

constexpr std::size_t kMostRunRows = 10'000;

ordered_json number_or_null(std::uint32_t number) {
  return number == 0 ? ordered_json(nullptr) : ordered_json(number);
}

/// Adds `file`, `line` and `column`.
void add_place(const model::AnyTask& any, const Asked& asked, const SourcePlace& place,
               ordered_json& object) {
  const auto* task = std::get_if<model::CTask>(&any);
  const bool is_listed = task && place.file < task->model.files.size();
  const std::string& file = is_listed ? task->model.files[place.file] : asked.file;
  object["file"] = place.line == 0 ? ordered_json(nullptr) : ordered_json(file);
  object["line"] = number_or_null(place.line);
  object["column"] = number_or_null(place.column);
}

/// Of a C program that is safe: an execution that ends in what C does not define.
ordered_json fault_of(const model::AnyTask& task, const Asked& asked, const Report& report) {
  if (!report.fault) return nullptr;
  Report found;
  found.verdict = *report.fault;
  return {{"what", statement(task, asked, found)}, {"trace", trace_of(task, asked, found)}};
}

/// The run of any kind of model, step by step.
ordered_json run_of(const model::AnyTask& task, const Asked& asked, const Report& report) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict);
  if (!unsafe) return nullptr;
  const RunSheet sheet = sheet_of(task, unsafe->trace, asked.sources, kMostRunRows);
  ordered_json steps = ordered_json::array();
  for (const SheetRow& row : sheet.rows) {
    ordered_json step = {{"first", answer::integer_to_json(row.first)},
                         {"last", answer::integer_to_json(row.last)},
                         {"thread", row.lane ? ordered_json(*row.lane) : ordered_json(nullptr)},
                         {"name", row.entry.who},
                         {"text", row.entry.change},
                         {"details", row.entry.details},
                         {"notes", row.entry.notes}};
    add_place(task, asked, row.entry.place, step);
    step["changes"] = ordered_json::array();
    for (const SheetChange& change : row.changes) {
      const SheetSlot& slot = sheet.slots[change.slot];
      step["changes"].push_back(
          {{"name", slot.name},
           {"thread", slot.lane ? ordered_json(*slot.lane) : ordered_json(nullptr)},
           {"value", change.value}});
    }
    steps.push_back(std::move(step));
  }
  return {{"threads", sheet.lanes}, {"steps", std::move(steps)}, {"reached", sheet.reached}};
}

/// What the certificate says: in words, and of a C program at lines of the source.
ordered_json proof_of(const model::AnyTask& task, const Asked& asked, const Report& report) {
  const auto* safe = std::get_if<answer::Safe>(&report.verdict);
  const auto* bounded = std::get_if<answer::SafeUpTo>(&report.verdict);
  if (!safe && !bounded) return nullptr;
  const auto& certificate = safe ? safe->certificate : bounded->certificate;
  ordered_json words = ordered_json::array();
  std::istringstream text(certificate_text(task, certificate, TextOptions{}));
  for (std::string line; std::getline(text, line);)
    words.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  ordered_json lines = ordered_json::array();
  for (const LineNote& note : line_notes(task, report.verdict)) {
    ordered_json at = {{"threads", note.who}, {"holds", note.text}};
    add_place(task, asked, note.place, at);
    lines.push_back(std::move(at));
  }
  return {{"words", std::move(words)}, {"lines", std::move(lines)}};
}

/// Of C programs: what kind of violation the run ends in.
ordered_json violation_of(const Report& report) {
  const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict);
  const auto* run = unsafe ? std::get_if<model::c::Run>(&unsafe->trace) : nullptr;
  return run ? ordered_json(to_string(run->violation.kind)) : ordered_json(nullptr);
}

ordered_json evidence_of(const Report& report) {
  return {{"kind", answer::evidence_kind(report.verdict)},
          {"status", answer::to_string(report.check.status)},
          {"why", report.check.why}};
}

ordered_json runs_of(const Report& report) {
  ordered_json runs = ordered_json::array();
  for (const answer::EngineRun& run : report.runs)
    runs.push_back({{"engine", run.engine},
                    {"outcome", run.outcome},
                    {"detail", run.detail},
                    {"seconds", figure(run.seconds)},
                    {"peak_memory_mb", figure(run.peak_memory_mb)}});
  return runs;
}

ordered_json statements_of(const std::vector<ListedStatement>& all, answer::OnErrorTrace which) {
  ordered_json list = ordered_json::array();
  for (const ListedStatement& s : all)
    if (s.on_error_trace == which)
      list.push_back({{"line", s.line}, {"columns", {s.first_column, s.last_column}}});
  return list;
}

ordered_json projection_of(const Asked& asked, const Report& report) {
  if (!report.projection) return nullptr;
  const answer::Projection& projection = *report.projection;
  const auto all = listed_statements(projection, asked.source);
  return {{"statements", projection.statements.size()},
          {"on_error_trace", statements_of(all, answer::OnErrorTrace::Yes)},
          {"on_none", statements_of(all, answer::OnErrorTrace::No)},
          {"undecided", statements_of(all, answer::OnErrorTrace::Undecided)},
          {"why_undecided", text_or_null(projection.why_undecided)},
          {"bound", bound_json(projection.bound)},
          {"questions", projection.questions}};
}

}  // namespace

std::string report_json(const model::AnyTask& task, const Asked& asked, const Report& report) {
  const ordered_json object = {{"verdict", answer::verdict_name(report.verdict)},
                               {"headline", headline(task, asked, report)},
                               {"reason", reason_of(report)},
                               {"detail", detail_of(report)},
                               {"bound", bound_of(report)},
                               {"engine", text_or_null(report.engine)},
                               {"claim", text_or_null(report.claim)},
                               {"violation", violation_of(report)},
                               {"threads", threads_of(task, report)},
                               {"steps", steps_of(report)},
                               {"trace", trace_of(task, asked, report)},
                               {"run", run_of(task, asked, report)},
                               {"proof", proof_of(task, asked, report)},
                               {"evidence", evidence_of(report)},
                               {"seconds", figure(report.seconds)},
                               {"peak_memory_mb", figure(report.peak_memory_mb)},
                               {"statistics", statistics_json(report.statistics)},
                               {"question", question_json(task, asked)},
                               {"task_class", text_or_null(report.task_class)},
                               {"fault", fault_of(task, asked, report)},
                               {"warnings", warnings_json(asked.warnings)},
                               {"runs", runs_of(report)},
                               {"projection", projection_of(asked, report)},
                               {"version", HEDDLE_VERSION}};
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::output
