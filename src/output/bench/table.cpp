#include "output/bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "output/bench/statistics.hpp"

namespace heddle::output::bench {

namespace {

/// A column of one tool: its title, and what it shows of a summary.
struct Column {
  std::string title;
  std::string (*cell)(const Summary&);
};

/// Cells as texts, row by row; the first row holds the titles.
using Grid = std::vector<std::vector<std::string>>;

struct ToolColumns {
  std::string tool;
  std::vector<Column> columns;
};

template <CaseOutcome outcome>
std::string count_cell(const Summary& summary) {
  return std::to_string(summary.count(outcome));
}

template <CaseOutcome outcome>
void add_count(std::vector<Column>& columns, const Summary& all, bool always) {
  if (always || all.count(outcome) > 0)
    columns.push_back({std::string(to_string(outcome)), count_cell<outcome>});
}

/// The first tool is Heddle, the only one with evidence.
ToolColumns columns_for(const std::vector<Record>& records, const std::string& tool, bool first) {
  const Summary all = summarise(records, tool);
  ToolColumns out{tool, {}};
  add_count<CaseOutcome::Solved>(out.columns, all, true);
  add_count<CaseOutcome::Wrong>(out.columns, all, true);
  add_count<CaseOutcome::Unconfirmed>(out.columns, all, first);
  add_count<CaseOutcome::Unknown>(out.columns, all, true);
  add_count<CaseOutcome::Refused>(out.columns, all, false);
  add_count<CaseOutcome::Error>(out.columns, all, false);
  out.columns.push_back(
      {"cpu s", [](const Summary& s) { return fmt::format("{:.1f}", s.cpu_seconds); }});
  out.columns.push_back(
      {"median s", [](const Summary& s) { return fmt::format("{:.3f}", s.median_cpu_seconds); }});
  out.columns.push_back(
      {"peak MB", [](const Summary& s) { return fmt::format("{:.0f}", s.peak_memory_mb); }});
  return out;
}

std::vector<std::string> titles(const std::vector<ToolColumns>& tools) {
  std::vector<std::string> row{"family", "cases"};
  for (const ToolColumns& tool : tools)
    for (const Column& column : tool.columns) row.push_back(column.title);
  return row;
}

std::vector<std::string> row_of(const std::vector<Record>& records, const std::string& family,
                                const std::vector<ToolColumns>& tools) {
  std::vector<std::string> row{family.empty() ? "all" : family, ""};
  std::size_t cases = 0;
  for (const ToolColumns& tool : tools) {
    const Summary summary = summarise(records, tool.tool, family);
    cases = std::max(cases, summary.cases);
    for (const Column& column : tool.columns) row.push_back(column.cell(summary));
  }
  row[1] = std::to_string(cases);
  return row;
}

std::vector<std::size_t> widths_of(const Grid& grid) {
  std::vector<std::size_t> widths(grid.front().size());
  for (const auto& row : grid)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  return widths;
}

/// The first column leans left, figures lean right; a bar stands before each tool's columns.
std::string line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                    const std::vector<ToolColumns>& tools) {
  std::string out = fmt::format("{:<{}}  {:>{}}", row[0], widths[0], row[1], widths[1]);
  std::size_t i = 2;
  for (const ToolColumns& tool : tools) {
    if (tools.size() > 1) out += " │";
    for (std::size_t column = 0; column < tool.columns.size(); ++column, ++i)
      out += fmt::format("  {:>{}}", row[i], widths[i]);
  }
  return out + "\n";
}

/// The tools' names above their columns, if there are several.
std::string tool_line(const std::vector<std::size_t>& widths,
                      const std::vector<ToolColumns>& tools) {
  if (tools.size() < 2) return {};
  std::string out(widths[0] + 2 + widths[1], ' ');
  std::size_t i = 2;
  for (const ToolColumns& tool : tools) {
    std::size_t width = 0;
    for (std::size_t column = 0; column < tool.columns.size(); ++column) width += 2 + widths[i++];
    out += fmt::format(" │  {:<{}}", tool.tool, width - 2);
  }
  return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
}

std::string remark(const Record& record) {
  std::string word(to_string(record.outcome));
  std::ranges::transform(word, word.begin(),
                         [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  std::string out =
      fmt::format("{}  {}: {} says {}", word, record.path, record.tool, to_string(record.verdict));
  if (record.outcome == CaseOutcome::Refused)
    out = fmt::format("{}  {}: {}", word, record.path, record.tool);
  if (record.expected != Claim::Unknown)
    out += fmt::format(", expected {}", to_string(record.expected));
  if (!record.reason.empty()) out += fmt::format(" ({})", record.reason);
  return out + "\n";
}

bool is_remarkable(CaseOutcome outcome) {
  return outcome != CaseOutcome::Solved && outcome != CaseOutcome::Unknown;
}

std::string rough_duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string table_text(const std::vector<Record>& records) {
  std::vector<ToolColumns> tools;
  for (const std::string& tool : tools_of(records))
    tools.push_back(columns_for(records, tool, tools.empty()));
  Grid grid{titles(tools)};
  for (const std::string& family : families_of(records))
    grid.push_back(row_of(records, family, tools));
  grid.push_back(row_of(records, {}, tools));
  const std::vector<std::size_t> widths = widths_of(grid);
  std::string out = tool_line(widths, tools);
  for (const auto& row : grid) out += line_of(row, widths, tools);
  return out;
}

std::string common_time_text(const std::vector<Record>& records) {
  const std::vector<std::string> tools = tools_of(records);
  std::string out;
  for (std::size_t i = 1; i < tools.size(); ++i) {
    const CommonTime time = common_time(pairs_of(records, tools[0], tools[i]));
    out += fmt::format("on the {} cases that both solved: {} {:.2f} s, {} {:.2f} s of CPU",
                       time.cases, tools[0], time.ours, tools[i], time.theirs);
    if (time.ours > 0) out += fmt::format(" (factor {:.1f})", time.theirs / time.ours);
    out += "\n";
  }
  return out;
}

std::string remarks_text(const std::vector<Record>& records) {
  std::string out;
  for (const Record& record : records)
    if (is_remarkable(record.outcome)) out += remark(record);
  const std::vector<std::string> tools = tools_of(records);
  for (std::size_t i = 1; i < tools.size(); ++i)
    for (const auto& [ours, theirs] : pairs_of(records, tools[0], tools[i]))
      if (disagree(*ours, *theirs))
        out += fmt::format("DISAGREEMENT  {}: {} says {}, {} says {}\n", ours->path, tools[0],
                           to_string(ours->verdict), tools[i], to_string(theirs->verdict));
  return out;
}

std::string progress_text(const Progress& progress, double seconds) {
  std::string out = fmt::format("{}/{}  {} wrong", progress.done, progress.total, progress.wrong);
  const std::size_t now = progress.done - progress.resumed;
  if (now == 0 || progress.done >= progress.total) return out;
  const double pace = seconds / static_cast<double>(now);
  const double left = pace * static_cast<double>(progress.total - progress.done);
  return out + fmt::format("  about {} left", rough_duration(left));
}

}  // namespace heddle::output::bench
