#include "output/trace_text.hpp"

#include <algorithm>
#include <span>

#include "output/c_text.hpp"
#include "output/kinds.hpp"
#include "output/program_text.hpp"
#include "output/pushdown_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using base::Integer;
using model::Configuration;

constexpr std::size_t kShownAtEachEnd = 20;
constexpr std::size_t kWidestColumn = 56;

/// Characters as a person counts them: bytes that continue a UTF-8 character do not count.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t used = width(text);
  return text + std::string(columns > used ? columns - used : 0, ' ');
}

/// The first configuration, with the names of its states where the file gives any.
std::string start_names(const model::PetriNet&, const Configuration&) { return {}; }

std::string start_names(const model::ThreadSystem& system, const Configuration& initial) {
  if (system.shared_names.empty() && system.local_names.empty()) return {};
  std::string out = "         shared " + model::shared_name(system, initial.shared) + "\n";
  for (const auto& [local, count] : initial.counts.entries())
    out += "         " + counted(count, "thread") + " in local " +
           model::counter_name(system, local) + "\n";
  return out;
}

std::string start_text(const model::CountingModel& model, const Configuration& initial) {
  return "  start  " + model::to_string(model, initial) + "\n" +
         std::visit([&](const auto& which) { return start_names(which, initial); }, model);
}

std::string end_text(const model::CountingTask& task, const Story& story) {
  if (!story.broken.empty()) return "  the next step is impossible: " + story.broken + "\n";
  std::string out = "  end    " + model::to_string(task.model, story.last);
  for (const model::Region& target : task.question.targets)
    if (model::target_region_contains(target, story.last))
      return out + "  reaches " + model::target_to_string(task.model, target) + "\n";
  return out + "\n";
}

}  // namespace

StoryColumns measure(std::span<const StoryEntry> entries) {
  StoryColumns columns;
  for (const StoryEntry& entry : entries) {
    if (entry.number.empty()) continue;
    columns.number = std::max(columns.number, width(entry.number));
    columns.who = std::max(columns.who, width(entry.who));
    columns.change = std::max(columns.change, std::min(width(entry.change), kWidestColumn));
  }
  return columns;
}

std::string entry_text(const StoryEntry& entry, const StoryColumns& columns, const Style& style) {
  const std::string margin = entry.repeated ? "      " : "  ";
  if (entry.number.empty()) return margin + style.bold(entry.who) + "\n";
  const std::string gap(
      columns.number > width(entry.number) ? columns.number - width(entry.number) : 0, ' ');
  const std::string change =
      entry.where.empty() ? entry.change : padded(entry.change, columns.change);
  std::string out =
      margin + gap + entry.number + "  " + padded(entry.who, columns.who) + "  " + change;
  if (!entry.where.empty()) out += "  " + style.dim(entry.where);
  out += "\n";
  const std::string below = margin + std::string(columns.number + columns.who + 4, ' ');
  for (const std::string& detail : entry.details) out.append(below).append(detail).append("\n");
  for (const std::string& note : entry.notes)
    out.append(below).append(style.dim("# " + note)).append("\n");
  return out;
}

std::string entries_text(std::span<const StoryEntry> entries, std::string_view what,
                         const TextOptions& options) {
  const bool all = options.verbose || entries.size() <= 2 * kShownAtEachEnd + 1;
  const std::size_t hidden = all ? 0 : entries.size() - 2 * kShownAtEachEnd;
  const StoryColumns columns = measure(entries);
  std::string out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (hidden > 0 && i == kShownAtEachEnd) {
      out +=
          options.style.dim("  … " + counted(hidden, what) + " not shown (--verbose shows all)") +
          "\n";
      i += hidden;
    }
    out += entry_text(entries[i], columns, options.style);
  }
  return out;
}

std::string trace_text(const model::ProgramTask& task, const answer::ProgramRun& run,
                       const TextOptions& options) {
  return program_run_text(task, run, options);
}

std::string trace_text(const model::PushdownTask& task, const answer::PushdownRun& run,
                       const TextOptions& options) {
  return pushdown_trace_text(task, run, options);
}

std::string trace_text(const model::CTask& task, const model::c::Run& run,
                       const TextOptions& options) {
  return c_run_text(task, run, options);
}

std::string trace_text(const model::CountingTask& task, const answer::Trace& trace,
                       const TextOptions& options) {
  const Story story = tell(task.model, trace);
  return start_text(task.model, trace.initial) + entries_text(story.entries, "step", options) +
         end_text(task, story);
}

}  // namespace heddle::output
