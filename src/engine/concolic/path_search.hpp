#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "base/run_context.hpp"
#include "coverability/invariants.hpp"
#include "engine/concolic/quotient.hpp"
#include "model/counting.hpp"

namespace heddle::engine::concolic {

/// One stretch of an interleaving: these transitions in this order, so often.
struct Stretch {
  std::vector<std::uint32_t> transitions;
  base::Integer repetitions;
};

/// A run along a simple path, from the first stretch to the last.
struct PathFound {
  std::vector<Stretch> stretches;
};

struct NoPath {};
struct PathSearchStopped {
  base::StopReason reason;
};
/// The solver gave up on some path, and no other one carries a run.
struct PathsUndecided {};
/// There are more rivals than was allowed.
struct PathsUnfinished {};

using PathSearchResult =
    std::variant<PathFound, NoPath, PathSearchStopped, PathsUndecided, PathsUnfinished>;

/// Is a target reached along some simple path? Takes up paths in the order of their promise:
/// loop-free ones, those whose loops are of real edges, those with loops that have expansion edges;
/// within each class all together, component by component, short ones first. One step of the
/// context for each symbolic demand. What it is given must outlive it.
class PathSearch {
 public:
  PathSearch(const model::CountingTask& task, const Diagram& diagram, const Quotient& quotient,
             const coverability::ThreadStateRows& reachable, base::RunContext& context);
  ~PathSearch();

  /// Goes on until there are more rivals than that: demands at a node that had another one already,
  /// which does not serve for them. May be called again if it was Unfinished.
  PathSearchResult resume(std::size_t most_rivals);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace heddle::engine::concolic
