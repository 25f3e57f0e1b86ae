#include "driver/bench/cutoff_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "driver/cutoff.hpp"
#include "driver/question.hpp"
#include "output/cutoff_words.hpp"

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
Cells size_cells(const model::Model& model) {
  const auto* system = std::get_if<model::ThreadSystem>(&model);
  if (!system) return {"", "", ""};
  return {std::to_string(system->shared_count), std::to_string(system->local_count),
          std::to_string(system->transitions.size())};
}

Cells answer_cells(const CutoffAnswered& answered) {
  if (const auto* unknown = std::get_if<answer::Unknown>(&answered.report.answer))
    return {kNothing, kNothing, kNothing, std::string(answer::to_string(unknown->reason))};
  const auto& cutoff = std::get<answer::Cutoff>(answered.report.answer);
  return {std::to_string(cutoff.threads), std::to_string(cutoff.reachable.size()),
          std::to_string(output::triple_count(answered.task.model, cutoff)),
          fmt::format("{:.2f}", answered.report.seconds)};
}

/// Adds the row of one answer.
Parsed<void> add_answer(const Disk& disk, const CutoffTableRequest& request,
                        const std::string& path, bool as_threads, CutoffTable& table) {
  CutoffRequest question;
  question.file = (std::filesystem::path(request.folder) / path).string();
  question.budget = request.budget;
  question.as_threads = as_threads;
  const auto answered = find_cutoff(disk, question);
  if (!answered) return std::unexpected(answered.error());
  table.interrupted_by = answered->interrupted_by;
  if (table.interrupted_by) return {};
  if (const int code = driver::exit_code(answered->report); code >= 70)
    table.exit_code = std::max(table.exit_code, code);
  Cells cells{"", as_threads ? "translated" : "net itself"};
  std::ranges::copy(size_cells(answered->task.model), std::back_inserter(cells));
  std::ranges::copy(answer_cells(*answered), std::back_inserter(cells));
  table.text += row_text(cells);
  return {};
}

}  // namespace

Parsed<CutoffTable> cutoff_table(const Disk& disk, const CutoffTableRequest& request) {
  const auto published = read_published(disk, request.published);
  if (!published) return std::unexpected(published.error());
  CutoffTable table{kHead, 0, std::nullopt};
  for (const Cells& row : *published) {
    Cells cells{std::filesystem::path(row[0]).stem().string(), "published"};
    cells.insert(cells.end(), row.begin() + 1, row.end());
    table.text += row_text(cells);
    for (const bool as_threads : {true, false}) {
      if (const auto added = add_answer(disk, request, row[0], as_threads, table); !added)
        return std::unexpected(added.error());
      if (table.interrupted_by) return table;
    }
  }
  return table;
}

}  // namespace heddle::driver::bench
