#pragma once

/// A run of threads that are told apart (of a program or a pushdown system), replayed and put into
/// words: what every step did, and where everybody was before and after it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/trace.hpp"
#include "model/named_values.hpp"
#include "model/task.hpp"
#include "output/source_lines.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

struct ListedThread {
  std::string name;           ///< "thread 2"
  std::string state;          ///< where it is: "main:7", or a stack
  model::NamedValues values;  ///< of its variables
  std::string locks = {};     ///< that it holds: "m, queue.lock"
};

/// Everything at one moment.
struct Moment {
  std::string text;           ///< all of it: "x=1 | main:7 y=0 | main:3", "2|1.1,-"
  std::string shared;         ///< the shared state alone
  model::NamedValues values;  ///< of the shared variables
  std::vector<ListedThread> threads;
};

struct ListedStep {
  StoryEntry entry;
  std::uint32_t thread = 0;                ///< who makes it, by position in the moments
  std::optional<std::uint32_t> started;    ///< the thread that it starts
  std::vector<std::uint32_t> others = {};  ///< further threads that it moves or changes
  std::string listing = {};                ///< the source around it, one line each; may be empty
};

struct ListedRun {
  std::vector<Moment> moments;  ///< one more than steps; none if the run cannot start
  std::vector<ListedStep> steps;
  std::string broken;   ///< why it cannot start or go on; empty if it is complete
  std::string reached;  ///< what is wrong at the end: "thread 1 has failed at main:7"
};

/// The values of `after` that are not those of `before`.
model::NamedValues changed_values(const model::NamedValues& before,
                                  const model::NamedValues& after);

}  // namespace heddle::output
