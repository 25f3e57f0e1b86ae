#include "driver/schedule.hpp"

#include <algorithm>
#include <ranges>

namespace heddle::driver {

namespace {

constexpr ScheduleRow kTable[] = {
#include "driver/schedule_table.inc"
};

/// The position of the name; the number of names if it is not among them.
std::size_t position_in(std::string_view names, std::string_view name) {
  std::size_t position = 0;
  for (const auto word : std::views::split(names, ' ')) {
    if (std::string_view(word) == name) break;
    ++position;
  }
  return position;
}

}  // namespace

std::span<const ScheduleRow> schedule_table() { return kTable; }

const ScheduleRow* find_schedule(std::string_view task_class) {
  const std::string_view kind = task_class.substr(0, task_class.find(','));
  for (const std::string_view wanted : {task_class, kind}) {
    const auto row = std::ranges::find(kTable, wanted, &ScheduleRow::task_class);
    if (row != std::end(kTable)) return &*row;
  }
  return nullptr;
}

std::vector<const engine::EngineRow*> in_order(std::span<const engine::EngineRow> engines,
                                               const ScheduleRow* row) {
  std::vector<const engine::EngineRow*> out;
  for (const engine::EngineRow& engine : engines) out.push_back(&engine);
  if (row)
    std::ranges::stable_sort(out, {}, [&](const engine::EngineRow* engine) {
      return position_in(row->engines, engine->name);
    });
  return out;
}

}  // namespace heddle::driver
