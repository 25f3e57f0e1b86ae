#include "output/picture/thread_grid.hpp"

#include <set>

namespace heddle::output::picture {

namespace {

std::string initial_count(const model::CounterBound& bound) {
  if (!bound.upper) return bound.lower == 0 ? "any" : "≥" + base::to_string(bound.lower);
  return base::to_string(*bound.upper);
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
  for (const model::Region& region : question.targets)
    for (const model::CounterBound& bound : region.bounds)
      grid.nodes[{region.shared, bound.counter}].target = base::to_string(bound.lower);

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
