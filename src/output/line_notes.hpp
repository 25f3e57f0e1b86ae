#pragma once

/// What a proof says about the lines of the source: the invariants that hold there.

#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/task.hpp"
#include "output/trace_story.hpp"

namespace heddle::output {

struct LineNote {
  SourcePlace place;
  std::string who;   ///< "worker", "main and worker"
  std::string text;  ///< "counter <= 1 && owner(lock) == 2"
};

/// By file and line. Nothing for verdicts and kinds of evidence that say nothing about lines.
std::vector<LineNote> line_notes(const model::AnyTask& task, const answer::Verdict& verdict);

}  // namespace heddle::output
