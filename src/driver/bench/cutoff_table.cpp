#include "driver/bench/cutoff_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <vector>

#include "driver/check_process.hpp"
#include "driver/exit_code.hpp"
#include "driver/question.hpp"
#include "driver/supervisor.hpp"
#include "output/cutoff_rounds.hpp"

namespace heddle::driver::bench {

namespace {

using base::Parsed;
using Cells = std::vector<std::string>;

/// path, S, L, T, c, R, C, seconds
constexpr std::size_t kPublishedCells = 8;
constexpr const char* kHead =
    "| net | | S | L | T | c | R | C | time |\n|---|---|---|---|---|---|---|---|---|\n";
constexpr const char* kNothing = "–";

Cells split(const std::string& line) {
  Cells cells;
  std::stringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
  return cells;
}

Parsed<std::vector<Cells>> read_published(const Disk& disk, const std::string& path) {
  const auto text = disk.read(path);
  if (!text) return std::unexpected(complaint(path, "cannot be read: " + text.error()));
  std::vector<Cells> rows;
  std::stringstream in(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    rows.push_back(split(line));
    if (rows.back().size() != kPublishedCells)
      return std::unexpected(complaint(path,
                                       fmt::format("line {} has {} columns, not {}", number,
                                                   rows.back().size(), kPublishedCells),
                                       "path, S, L, T, c, R, C and seconds, separated by tabs"));
  }
  return rows;
}

std::string row_text(const Cells& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += cell.empty() ? " |" : " " + cell + " |";
  return out + "\n";
}

/// Its shared states, local states and transitions.
Cells size_cells(const model::AnyTask& task) {
  const auto* threads = std::get_if<model::ThreadTask>(&task);
  if (!threads) return {"", "", ""};
  const model::ThreadSystem& system = threads->model;
  return {std::to_string(system.shared_count), std::to_string(system.local_count),
          std::to_string(system.transitions.size())};
}

Cells answer_cells(const Answered& answered) {
  if (const auto* unknown = std::get_if<answer::Unknown>(&answered.report.verdict))
    return {kNothing, kNothing, kNothing, std::string(answer::to_string(unknown->reason))};
  const auto& cutoff = std::get<answer::Cutoff>(answered.report.verdict);
  return {std::to_string(cutoff.threads), std::to_string(cutoff.reachable.size()),
          std::to_string(
              output::triple_count(model::counting_task(answered.task).value().model, cutoff)),
          fmt::format("{:.2f}", answered.report.seconds)};
}

/// The row of one answer, after the exit code in a line of its own. Of a net that cannot be read:
/// what is wrong with it. Runs in a child process.
std::string answer_row(const Disk& disk, const VerifyRequest& question, Cells cells) {
  const auto answered = verify(disk, question, engine::cutoff_registry());
  if (!answered) return fmt::format("{}\n{}", kBadInput, base::render(answered.error()));
  std::ranges::copy(size_cells(answered->task), std::back_inserter(cells));
  std::ranges::copy(answer_cells(*answered), std::back_inserter(cells));
  return fmt::format("{}\n{}", driver::exit_code(answered->report), row_text(cells));
}

/// The same for a child process that came to no end.
std::string unanswered_row(const answer::Unknown& why, Cells cells) {
  cells.insert(cells.end(), {"", "", "", kNothing, kNothing, kNothing,
                             std::string(answer::to_string(why.reason))});
  return fmt::format("{}\n{}", driver::exit_code(why), row_text(cells));
}

/// Adds the row of one answer. Reading the net is part of the work that the budget is for.
void add_answer(const Disk& disk, const CutoffTableRequest& request, const std::string& path,
                bool as_threads, CutoffTable& table) {
  VerifyRequest question;
  question.asking = Asking::Cutoff;
  question.file = (std::filesystem::path(request.folder) / path).string();
  question.budget = request.budget;
  question.as_threads = as_threads;
  const Cells cells{"", as_threads ? "translated" : "net itself"};
  const InterruptWatch interrupts;
  ChildProcess process([&](const SendEvent&) { return answer_row(disk, question, cells); },
                       worker_limits(request.budget.from(std::chrono::steady_clock::now())));
  table.interrupted_by = wait_for_end(process, interrupts);
  if (table.interrupted_by) return;
  const auto why = failure(process.outcome());
  const std::string row = why ? unanswered_row(*why, cells) : process.outcome().text;
  const std::size_t line_end = row.find('\n');
  const int code = std::stoi(row.substr(0, line_end));
  const std::string text = row.substr(line_end + 1);
  if (code == kBadInput) {
    table.complaint = text;
    return;
  }
  if (code >= kInternalError) table.exit_code = std::max(table.exit_code, code);
  table.text += text;
}

}  // namespace

Parsed<CutoffTable> cutoff_table(const Disk& disk, const CutoffTableRequest& request) {
  const auto published = read_published(disk, request.published);
  if (!published) return std::unexpected(published.error());
  CutoffTable table{kHead, 0, std::nullopt, {}};
  for (const Cells& row : *published) {
    Cells cells{std::filesystem::path(row[0]).stem().string(), "published"};
    cells.insert(cells.end(), row.begin() + 1, row.end());
    table.text += row_text(cells);
    for (const bool as_threads : {true, false}) {
      add_answer(disk, request, row[0], as_threads, table);
      if (table.interrupted_by || !table.complaint.empty()) return table;
    }
  }
  return table;
}

}  // namespace heddle::driver::bench
