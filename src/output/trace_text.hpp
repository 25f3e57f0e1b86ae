#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "answer/trace.hpp"
#include "model/task.hpp"
#include "output/text.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

/// An interleaving step by step: who moves from where to where, the line of the input file, the
/// comment that stood above it. Long traces show their two ends only, unless verbose. A trace that
/// does not replay is shown up to the step that is impossible.
std::string trace_text(const model::Task& task, const answer::Trace& trace,
                       const TextOptions& options);

/// Widths that let the entries of a story stand below each other.
struct StoryColumns {
  std::size_t number = 1;
  std::size_t who = 1;
  std::size_t change = 1;
};

StoryColumns measure(std::span<const StoryEntry> entries);

/// All of them below each other; of many only the two ends, unless verbose. `what` they are is said
/// of those that are left out: "step".
std::string entries_text(std::span<const StoryEntry> entries, std::string_view what,
                         const TextOptions& options);

/// One entry with its details and notes below it, a line each. Ends with a line break.
std::string entry_text(const StoryEntry& entry, const StoryColumns& columns, const Style& style);

}  // namespace heddle::output
