#pragma once

/// A run as a table: one row for each step, with its place in the source and the values that it
/// changes. It is what pages and SARIF are made of, for every kind of model. Values are stored as
/// changes, so that a run of many steps takes little room.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/trace.hpp"
#include "base/integer.hpp"
#include "model/task.hpp"
#include "output/source_lines.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

/// Something whose value a reader can follow: a variable, a place, where a thread is.
struct SheetSlot {
  std::optional<std::uint32_t> lane;  ///< whose it is; nothing: shared
  std::string name;                   ///< "counter", "at", "holds"
  std::string initial;                ///< empty: not there yet
};

struct SheetChange {
  std::uint32_t slot = 0;
  std::string value;
  friend bool operator==(const SheetChange&, const SheetChange&) = default;
};

struct SheetRow {
  StoryEntry entry;
  base::Integer first = 0, last = 0;  ///< the steps that it stands for, counted from 1
  std::optional<std::uint32_t> lane;  ///< who makes the step
  std::vector<SheetChange> changes;
};

struct RunSheet {
  std::vector<std::string> lanes;  ///< names of threads
  std::vector<SheetSlot> slots;
  std::vector<SheetRow> rows;
  base::Integer steps = 0;
  std::string reached;  ///< what is wrong at the end
  std::string broken;   ///< why the run cannot be followed; empty if it can
};

/// Longer runs lose their middle: one row says how many steps are missing, and has their changes.
constexpr std::size_t kMostSheetRows = 100'000;
/// Of a thread system, as many threads have lanes; the others are counted.
constexpr std::size_t kMostLanes = 64;

/// Repetitions are unfolded as `heddle replay --expand` does, unless that makes too many rows.
/// Precondition: the run is one of the task's kind.
/// Cost: time in the rows and in the counters that are not zero at each.
RunSheet sheet_of(const model::AnyTask& task, const answer::AnyRun& run,
                  std::span<const SourceFile> sources, std::size_t most_rows = kMostSheetRows);

}  // namespace heddle::output
