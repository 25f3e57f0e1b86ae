#pragma once

/// The entries of a run's text (kinds.hpp declares the text itself).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "output/text.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

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
