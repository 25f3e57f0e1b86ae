#include "output/picture/thread_grid.hpp"

#include <set>

namespace heddle::output::picture {

namespace {

std::string initial_count(const model::CounterBound& bound) {
  if (!bound.upper) return bound.lower == 0 ? "any" : "≥" + base::to_string(bound.lower);
  return base::to_string(*bound.upper);
}

/// The threads that a target wants in other local states than this one.
std::string others(const model::Region& target, model::LocalState local) {
  std::string out;
  for (const model::CounterBound& bound : target.bounds) {
    if (bound.counter == local || bound.lower == 0) continue;
    out += (out.empty() ? "" : ", ") + std::to_string(target.shared.value) + "|" +
           std::to_string(bound.counter.value) +
           (bound.lower == 1 ? "" : " ×" + base::to_string(bound.lower));
  }
  return out;
}

void add_target(const model::Region& target, ThreadGrid& grid) {
  for (const model::CounterBound& bound : target.bounds) {
    GridNode& node = grid.nodes[{target.shared, bound.counter}];
    const std::string count = base::to_string(bound.lower);
    if (!node.target.empty() && node.target != count) {
      node.target += " or " + count;
    } else {
      node.target = count;
    }
    const std::string with = others(target, bound.counter);
    if (!with.empty()) node.together_with += (node.together_with.empty() ? "" : " or ") + with;
  }
}

}  // namespace

ThreadGrid grid_of(const model::ThreadSystem& system, const model::CountingQuestion& question) {
  ThreadGrid grid;
  for (const model::ThreadTransition& t : system.transitions) {
    grid.nodes[t.source];
    grid.nodes[t.target];
  }
  for (const model::Region& region : question.initial)
    for (const model::CounterBound& bound : region.bounds)
      if (!bound.upper || *bound.upper > 0)
        grid.nodes[{region.shared, bound.counter}].initial = initial_count(bound);
  for (const model::Region& region : question.targets) add_target(region, grid);

  std::set<model::SharedState> rows;
  std::set<model::LocalState> columns;
  for (const auto& [state, node] : grid.nodes) {
    rows.insert(state.shared);
    columns.insert(state.local);
  }
  grid.rows.assign(rows.begin(), rows.end());
  grid.columns.assign(columns.begin(), columns.end());
  return grid;
}

}  // namespace heddle::output::picture
