#include "driver/races.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/run_context.hpp"
#include "driver/child_process.hpp"
#include "driver/pose.hpp"
#include "transform/c_threads/threads_of_c.hpp"
#include "transform/races/rough.hpp"

namespace heddle::driver {

namespace {

RaceTable table_of(const model::c::Program& program, base::RunContext& context) {
  namespace races = transform::races;
  RaceTable table;
  transform::c_threads::Options reading;
  reading.try_lock_may_fail = true;
  reading.stops = [&] { return context.stopped().has_value(); };
  const auto covered = transform::c_threads::cover(program, reading);
  if (!covered) {
    table.missing = covered.error().why;
    if (covered.error().position.line != 0)
      table.missing += " (line " + std::to_string(covered.error().position.line) + ")";
    return table;
  }
  const transform::blocks::Facts facts(covered->program);
  const races::Conflicts conflicts =
      races::conflicts(program, covered->program, covered->covering, facts, context);
  if (!conflicts.is_complete) {
    table.missing = "the time limit was reached before all pairs were examined";
    return table;
  }
  const auto protections =
      races::protections(program, covered->program, covered->covering, facts, conflicts);
  std::size_t width = 0;
  for (const races::Protection& p : protections) width = std::max(width, p.variable.size());
  for (const races::Protection& p : protections)
    table.protections += fmt::format("  {:{}}  {}\n", p.variable, width, p.how);
  const auto warnings =
      races::warnings(program, covered->program, covered->covering, facts, conflicts);
  table.open = warnings.size();
  for (const races::Warning& warning : warnings)
    table.warnings += "  " + races::to_text(program, warning) + "\n";
  return table;
}

/// Where the program is too much for the look above.
RaceTable rough_table_of(const model::c::Program& program, base::RunContext& context) {
  namespace races = transform::races;
  RaceTable table;
  const auto warnings =
      races::rough_warnings(program, [&] { return context.stopped().has_value(); });
  table.open = warnings.size();
  for (const races::Warning& warning : warnings)
    table.warnings += "  " + races::to_text(program, warning) + "\n";
  return table;
}

std::string packed(const RaceTable& table) {
  return nlohmann::json{table.protections, table.warnings, table.open, table.missing}.dump();
}

RaceTable unpacked(const std::string& text) {
  const nlohmann::json list = nlohmann::json::parse(text);
  return {list.at(0), list.at(1), list.at(2), list.at(3), false};
}

using Look = RaceTable (*)(const model::c::Program&, base::RunContext&);

/// In a child process, at most until then.
std::optional<RaceTable> look(Look how, const model::c::Program& program, TimePoint until) {
  base::Limits limits;
  limits.deadline = until;
  ChildLimits hard;
  hard.kill_at = until;
  ChildProcess child(
      [&](const SendEvent&) {
        base::RunContext context(limits);
        return packed(how(program, context));
      },
      hard);
  const InterruptWatch interrupts;
  wait_for_end(child, interrupts);
  if (child.outcome().end != ChildEnd::Result) return std::nullopt;
  return unpacked(child.outcome().text);
}

}  // namespace

RaceTable race_table(const Disk& disk, const std::string& file, const QuestionOptions& options,
                     std::chrono::duration<double> time) {
  const auto start = std::chrono::steady_clock::now();
  const auto posed = pose_whole(disk, file, options);
  RaceTable none;
  none.missing = "it is for C programs";
  if (!posed) return none;
  const auto* task = std::get_if<model::CTask>(&posed->task);
  if (task == nullptr) return none;
  const auto after = [&](double part) {
    return start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(part * time);
  };
  const auto table = look(table_of, task->model, after(0.5));
  if (table && table->missing.empty()) return *table;
  none.missing = table ? table->missing : "the program is too large for the time limit";
  auto rough = look(rough_table_of, task->model, after(1));
  if (!rough) return none;
  rough->missing = none.missing;
  rough->is_rough = true;
  return *rough;
}

}  // namespace heddle::driver
