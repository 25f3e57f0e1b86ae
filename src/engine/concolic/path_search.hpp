#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/run_context.hpp"
#include "coverability/invariants.hpp"
#include "engine/concolic/quotient.hpp"
#include "model/task.hpp"

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
/// The solver gave up on some path and no other one carries a run, or there were too many demands
/// none of which serves for another: a backward search over everything is the better way then.
struct PathsUndecided {};

constexpr std::size_t kMostSymbolicDemands = 2'000;

using PathSearchResult = std::variant<PathFound, NoPath, PathSearchStopped, PathsUndecided>;

/// Is a target reached along some simple path? Takes up paths in the order of their promise:
/// loop-free ones, those whose loops are of real edges, those with loops that have expansion edges;
/// within each class all together, component by component, short ones first. One step of the
/// context for each symbolic demand.
PathSearchResult search_simple_paths(const model::Task& task, const Diagram& diagram,
                                     const Quotient& quotient,
                                     const coverability::ThreadStateRows& reachable,
                                     base::RunContext& context);

}  // namespace heddle::engine::concolic
