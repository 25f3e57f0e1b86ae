#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/thread_naming.hpp"
#include "answer/trace.hpp"
#include "model/counting.hpp"
#include "output/trace_story.hpp"

namespace heddle::output::picture {

/// One row of a trace's picture: a leg of its replay, or the place where rows were left out.
struct TraceRow {
  StoryEntry entry;
  std::optional<answer::NamedStep> step;  ///< who did what, where threads are told apart
  model::Configuration after;
  bool block = false;        ///< a whole repetition block
  std::size_t left_out = 0;  ///< not a leg: so many rows are not drawn here
};

struct TraceRows {
  std::vector<TraceRow> rows;
  std::string broken;  ///< why the trace ends early; empty if it does not
};

/// Replays the trace with its blocks folded, keeping the first two thirds and the last third of
/// `most` rows.
TraceRows trace_rows(const model::CountingModel& model, const answer::Trace& trace,
                     std::size_t most);

}  // namespace heddle::output::picture
