#pragma once

/// The thread states of a system that anything is said about, and which of them begin or end it.

#include <map>
#include <string>
#include <vector>

#include "model/task.hpp"

namespace heddle::output::picture {

struct GridNode {
  std::string initial;  ///< how many threads start there: "any", "2"; empty: none
  std::string target;   ///< how many the target wants: "1"; empty: it is no target
  /// Of a target that asks for threads elsewhere, too: "1|1", "1|1 ×2, 1|3".
  std::string together_with = {};
};

struct ThreadGrid {
  /// Sources and targets of edges, initial and target thread states.
  std::map<model::ThreadState, GridNode> nodes;
  std::vector<model::SharedState> rows;    ///< those that occur, sorted
  std::vector<model::LocalState> columns;  ///< those that occur, sorted
};

ThreadGrid grid_of(const model::ThreadSystem& system, const model::CountingQuestion& question);

}  // namespace heddle::output::picture
