#include "output/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "model/c/run_story.hpp"
#include "output/run_sheet.hpp"
#include "output/verdict_sentence.hpp"

namespace heddle::output {

namespace {

namespace c = model::c;
using nlohmann::ordered_json;

ordered_json message(std::string_view text) { return {{"text", base::printable(text)}}; }

/// Places as SARIF has them, in the files of a task. Columns of C programs, which compilers count
/// in bytes, become columns of characters. The task and what was asked must outlive this.
class SarifPlaces {
 public:
  SarifPlaces(const model::AnyTask& task, const Asked& asked) : file_(asked.file) {
    const auto* program = std::get_if<model::CTask>(&task);
    if (!program) return;
    files_ = program->model.files;
    lines_ = std::make_unique<SourceLines>(program->model, asked.sources);
  }

  const std::string& file_of(std::uint32_t file) const {
    return file < files_.size() ? files_[file] : file_;
  }

  /// Without a line, the whole file.
  ordered_json physical(const SourcePlace& place) const {
    ordered_json out = {{"artifactLocation", {{"uri", file_address(file_of(place.file))}}}};
    if (place.line == 0) return out;
    out["region"] = {{"startLine", place.line}};
    if (place.column > 0) out["region"]["startColumn"] = column_of(place);
    return out;
  }

  /// Of a file of the task, by its name.
  ordered_json physical(const base::SourceLocation& at) const {
    const auto file = std::ranges::find(files_, at.file);
    if (file != files_.end())
      return physical({static_cast<std::uint32_t>(file - files_.begin()), at.line, at.column});
    ordered_json out = {{"artifactLocation", {{"uri", file_address(at.file)}}}};
    if (at.line > 0) out["region"] = {{"startLine", at.line}};
    if (at.line > 0 && at.column > 0) out["region"]["startColumn"] = at.column;
    return out;
  }

  ordered_json location(const SourcePlace& place, std::string_view text = {}) const {
    ordered_json out = {{"physicalLocation", physical(place)}};
    if (!text.empty()) out["message"] = message(text);
    return out;
  }

 private:
  std::uint32_t column_of(const SourcePlace& place) const {
    if (!lines_) return place.column;
    const std::string_view line = lines_->line({place.file, place.line, 0});
    const auto before = line.substr(0, place.column - 1);
    const auto continued = std::ranges::count_if(
        before, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; });
    return place.column - static_cast<std::uint32_t>(continued);
  }

  std::string file_;
  std::vector<std::string> files_;      ///< of a C program
  std::unique_ptr<SourceLines> lines_;  ///< likewise
};

SourcePlace place_in_source(const c::Position& position) {
  return {position.file, position.line, position.column};
}

/// What is wrong, where, and what else has to do with it.
struct SarifFinding {
  std::string rule = "target-reachable";
  std::string description = "A state that should be unreachable can be reached.";
  std::string text;
  SourcePlace place;
  std::vector<std::pair<SourcePlace, std::string>> related = {};
};

std::string access_sentence(const c::StoryAccess& access) {
  std::string out = access.thread + (access.is_write ? " writes" : " reads") + ", holding ";
  if (access.locks.empty()) return out + "no lock";
  for (std::size_t i = 0; i < access.locks.size(); ++i)
    out += (i == 0 ? "" : ", ") + access.locks[i];
  return out;
}

void add_story(const model::CTask& task, const c::Run& run, SarifFinding& finding) {
  const c::Interpreter interpreter(task.model);
  const c::Story story = c::tell(interpreter, run);
  finding.rule = to_string(story.violation.kind);
  std::ranges::replace(finding.rule, ' ', '-');
  finding.description = "C program: " + std::string(to_string(story.violation.kind)) + ".";
  if (const SourcePlace place = place_in_source(story.violation.position); place.line > 0)
    finding.place = place;
  if (story.race) {
    finding.place = place_in_source(story.race->first.position);
    for (const c::StoryAccess& access : {story.race->first, story.race->second})
      finding.related.emplace_back(place_in_source(access.position), access_sentence(access));
  }
  for (const c::StoryWait& wait : story.waits)
    finding.related.emplace_back(place_in_source(wait.position), wait.thread + " " + wait.what);
  std::erase_if(finding.related, [](const auto& item) { return item.first.line == 0; });
}

SarifFinding finding_of(const model::AnyTask& task, const Asked& asked,
                        const answer::Report& report, const RunSheet& sheet) {
  SarifFinding finding;
  finding.text = verdict_sentence(task, asked, report);
  if (!sheet.reached.empty()) finding.text += " End of the run: " + sheet.reached + ".";
  for (const SheetRow& row : sheet.rows)
    if (row.entry.place.line > 0) finding.place = row.entry.place;
  const auto& trace = std::get<answer::Unsafe>(report.verdict).trace;
  if (const auto* program = std::get_if<model::CTask>(&task))
    add_story(*program, std::get<c::Run>(trace), finding);
  return finding;
}

/// Values after a step, as a debugger would list them.
ordered_json state_json(const RunSheet& sheet, const SheetRow& row) {
  ordered_json state = ordered_json::object();
  for (const SheetChange& change : row.changes) {
    const SheetSlot& slot = sheet.slots[change.slot];
    const std::string owner = slot.lane ? sheet.lanes[*slot.lane] + ": " : "";
    state[base::printable(owner + slot.name)] = message(change.value.empty() ? "-" : change.value);
  }
  return state;
}

ordered_json flow_location(const SarifPlaces& places, const RunSheet& sheet, std::size_t index) {
  const SheetRow& row = sheet.rows[index];
  std::string text = row.entry.who + ": " + row.entry.change;
  for (const std::string& detail : row.entry.details) text += "; " + detail;
  ordered_json out = {{"location", places.location(row.entry.place, text)},
                      {"executionOrder", index + 1}};
  if (!row.changes.empty()) out["state"] = state_json(sheet, row);
  if (index + 1 == sheet.rows.size()) out["importance"] = "essential";
  return out;
}

/// A thread flow for each thread that does anything; steps of nobody have one without a name.
ordered_json thread_flows(const SarifPlaces& places, const RunSheet& sheet) {
  std::vector<ordered_json> flows(sheet.lanes.size() + 1);
  for (std::size_t i = 0; i < sheet.rows.size(); ++i)
    flows[sheet.rows[i].lane.value_or(static_cast<std::uint32_t>(sheet.lanes.size()))].push_back(
        flow_location(places, sheet, i));
  ordered_json out = ordered_json::array();
  for (std::size_t lane = 0; lane < flows.size(); ++lane) {
    if (flows[lane].empty()) continue;
    ordered_json flow = ordered_json::object();
    if (lane < sheet.lanes.size()) flow["id"] = base::printable(sheet.lanes[lane]);
    flow["locations"] = std::move(flows[lane]);
    out.push_back(std::move(flow));
  }
  return out;
}

ordered_json result_json(const SarifPlaces& places, const SarifFinding& finding,
                         const RunSheet& sheet) {
  ordered_json result = {{"ruleId", finding.rule},
                         {"ruleIndex", 0},
                         {"kind", "fail"},
                         {"level", "error"},
                         {"message", message(finding.text)},
                         {"locations", ordered_json::array({places.location(finding.place)})}};
  if (ordered_json flows = thread_flows(places, sheet); !flows.empty())
    result["codeFlows"].push_back({{"threadFlows", std::move(flows)}});
  if (finding.related.empty()) return result;
  result["relatedLocations"] = ordered_json::array();
  for (const auto& [place, text] : finding.related) {
    ordered_json related = places.location(place, text);
    related["id"] = result["relatedLocations"].size() + 1;
    result["relatedLocations"].push_back(std::move(related));
  }
  return result;
}

std::string_view level_of(base::Severity severity) {
  return severity == base::Severity::Error ? "error" : "warning";
}

ordered_json notifications(const SarifPlaces& places, const model::AnyTask& task,
                           const Asked& asked, const answer::Report& report) {
  ordered_json list = ordered_json::array();
  for (const base::Diagnostic& warning : asked.warnings) {
    ordered_json one = {{"level", level_of(warning.severity)},
                        {"message", message(warning.message)}};
    if (!warning.location.file.empty())
      one["locations"].push_back({{"physicalLocation", places.physical(warning.location)}});
    list.push_back(std::move(one));
  }
  const bool is_open = std::holds_alternative<answer::Unknown>(report.verdict) ||
                       std::holds_alternative<answer::SafeUpTo>(report.verdict);
  list.push_back(
      {{"level", is_open ? "warning" : "note"},
       {"message", message(verdict_sentence(task, asked, report) + " " + check_sentence(report))}});
  return list;
}

}  // namespace

std::string file_address(const std::string& given) {
  const std::string name = std::filesystem::path(given).lexically_normal().string();
  std::string out = name.starts_with('/') ? "file://" : "";
  for (const char ch : name) {
    const bool is_plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
                          (ch >= '0' && ch <= '9') ||
                          std::string_view("/-._~").find(ch) != std::string_view::npos;
    out += is_plain ? std::string(1, ch) : fmt::format("%{:02X}", static_cast<unsigned char>(ch));
  }
  return out;
}

std::string sarif_log(const model::AnyTask& task, const Asked& asked,
                      const answer::Report& report) {
  const SarifPlaces places(task, asked);
  ordered_json rules = ordered_json::array();
  ordered_json results = ordered_json::array();
  if (const auto* unsafe = std::get_if<answer::Unsafe>(&report.verdict)) {
    const RunSheet sheet = sheet_of(task, unsafe->trace, asked.sources, kMostFlowSteps);
    const SarifFinding finding = finding_of(task, asked, report, sheet);
    rules.push_back({{"id", finding.rule}, {"shortDescription", message(finding.description)}});
    results.push_back(result_json(places, finding, sheet));
  }
  const ordered_json driver = {
      {"name", "Heddle"}, {"version", HEDDLE_VERSION}, {"rules", std::move(rules)}};
  const bool has_failed =
      report.check.status == answer::EvidenceStatus::Refuted ||
      (std::holds_alternative<answer::Unknown>(report.verdict) &&
       std::get<answer::Unknown>(report.verdict).reason == answer::UnknownReason::EngineFailed);
  const ordered_json invocation = {
      {"executionSuccessful", !has_failed},
      {"toolExecutionNotifications", notifications(places, task, asked, report)}};
  const ordered_json run = {{"tool", {{"driver", driver}}},
                            {"invocations", ordered_json::array({invocation})},
                            {"columnKind", "unicodeCodePoints"},
                            {"results", std::move(results)},
                            {"properties",
                             {{"verdict", answer::verdict_name(report.verdict)},
                              {"evidence", answer::to_string(report.check.status)}}}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::output
