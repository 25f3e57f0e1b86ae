#include "output/json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "answer/json.hpp"
#include "output/c_json.hpp"
#include "output/json_parts.hpp"
#include "output/projection_text.hpp"
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
                               {"reason", reason_of(report)},
                               {"detail", detail_of(report)},
                               {"bound", bound_of(report)},
                               {"engine", text_or_null(report.engine)},
                               {"claim", text_or_null(report.claim)},
                               {"violation", violation_of(report)},
                               {"threads", threads_of(task, report)},
                               {"steps", steps_of(report)},
                               {"trace", trace_of(task, asked, report)},
                               {"evidence", evidence_of(report)},
                               {"seconds", figure(report.seconds)},
                               {"peak_memory_mb", figure(report.peak_memory_mb)},
                               {"statistics", statistics_json(report.statistics)},
                               {"question", question_json(task, asked)},
                               {"task_class", text_or_null(report.task_class)},
                               {"warnings", warnings_json(asked.warnings)},
                               {"runs", runs_of(report)},
                               {"projection", projection_of(asked, report)},
                               {"version", HEDDLE_VERSION}};
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::output
