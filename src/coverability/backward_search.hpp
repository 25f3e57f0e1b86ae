#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "answer/trace.hpp"
#include "base/run_context.hpp"
#include "coverability/pruner.hpp"
#include "model/counting.hpp"

namespace heddle::coverability {

/// In which order a backward search takes up the demands it has found.
enum class SearchOrder { BreadthFirst, SmallestFirst };

/// Some target is coverable: an interleaving from an initial configuration.
struct Coverable {
  answer::Trace trace;
};

/// No target is: the minimal elements of a set as in answer::BackwardBasis.
struct Uncoverable {
  std::vector<model::Configuration> minimal;
  std::vector<answer::Invariant> relative_to;
};

struct Stopped {
  base::StopReason reason;
};

/// A number of the task or of the search does not fit a machine counter.
struct Overflowed {
  std::string what;
};

using SearchResult = std::variant<Coverable, Uncoverable, Stopped, Overflowed>;

/// Abdulla's backward coverability algorithm (papers/cutr.txt, Alg. 1) from the targets of a
/// monotone task. One step of the context is one cover predecessor. A seed other than 0 permutes
/// the order in which transitions are tried.
/// `uncoverable` is the basis of an earlier search on the same model with the same pruner: what
/// lies above it is known and not looked at again, and the basis of this search includes it.
SearchResult backward_search(const model::CountingTask& task, Pruner& pruner, SearchOrder order,
                             base::RunContext& context,
                             std::span<const model::Configuration> uncoverable = {});

}  // namespace heddle::coverability
