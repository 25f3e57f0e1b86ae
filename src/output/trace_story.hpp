#pragma once

/// A trace, replayed and put into words: one entry per line of the story.

#include <cstdint>
#include <string>
#include <vector>

#include "answer/thread_naming.hpp"
#include "answer/trace.hpp"
#include "model/counting.hpp"

namespace heddle::output {

/// A place in a source file.
struct SourcePlace {
  std::uint32_t file = 0;    ///< of a C program: an index of its files; 0 otherwise
  std::uint32_t line = 0;    ///< from 1; 0: no place
  std::uint32_t column = 0;  ///< from 1; 0: not known
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

struct StoryEntry {
  std::string number;                ///< of the step; empty for the head of a repetition
  std::string who;                   ///< "thread 2", "rule 3"; or "repeat 17 times:"
  std::string change;                ///< "0|1 → 2|3", "p 2 → 1"
  std::vector<std::string> details;  ///< below it: names of states, what else moved
  std::vector<std::string> notes;    ///< the comment in the input file
  std::string where;                 ///< "line 12"
  bool repeated = false;             ///< inside a repetition
  SourcePlace place = {};            ///< what `where` says in words
};

struct Story {
  std::vector<StoryEntry> entries;
  model::Configuration last;
  std::string broken;  ///< why the replay ended early; empty if it did not
};

Story tell(const model::CountingModel& model, const answer::Trace& trace);

/// One step that leads from `before` to `after`, as an entry without a number. `names` says who
/// did what, where threads are told apart; null otherwise.
StoryEntry tell_step(const model::CountingModel& model, const model::Configuration& before,
                     const answer::TraceStep& step, const model::Configuration& after,
                     const answer::NamedStep* names);

}  // namespace heddle::output
