#pragma once

/// In which order engines are started. What they get of the processors after that is in
/// time_share.hpp: the order decides who answers first, never who is heard.

#include <span>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace heddle::driver {

/// A line of schedule_table.inc, which tools/learn-schedule writes.
struct ScheduleRow {
  std::string_view task_class;  ///< as task_class() says; or a kind of model, for all other classes
  std::string_view engines;     ///< the most promising first, separated by blanks
};

std::span<const ScheduleRow> schedule_table();

/// The row of the class, or else that of its kind of model.
const ScheduleRow* find_schedule(std::string_view task_class);

/// The engines in the order of the row; those that it does not name come last, as they were.
std::vector<const engine::EngineRow*> in_order(std::span<const engine::EngineRow> engines,
                                               const ScheduleRow* row);

}  // namespace heddle::driver
