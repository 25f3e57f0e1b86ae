#pragma once

/// Which demands can be covered by some number of threads? Backward coverability, with what was
/// proved once kept for ever: the bases of all searches together are one basis.

#include <span>
#include <variant>
#include <vector>

#include "answer/certificate.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"
#include "coverability/pruner.hpp"
#include "engine/engine.hpp"
#include "model/counting.hpp"

namespace heddle::engine::cutoff {

struct CutoffOptions {
  SearchOrder order = SearchOrder::SmallestFirst;
  bool use_invariants = true;
};

/// None of the demands can be covered.
struct NoneCoverable {};

class Realizability {
 public:
  Realizability(const model::CountingTask& task, const CutoffOptions& options);

  using Answer = std::variant<NoneCoverable, coverability::Coverable, coverability::Stopped,
                              coverability::Overflowed>;

  /// Is one of the demands coverable? Then an interleaving to the first that was found. Demands
  /// that are known to be uncoverable cost nothing.
  Answer ask(std::span<const coverability::Demand> demands, base::RunContext& context);

  /// Contains every demand that was found uncoverable so far.
  const answer::BackwardBasis& uncoverable() const { return uncoverable_; }

 private:
  model::CountingTask task_;
  SearchOrder order_;
  coverability::Pruner pruner_;
  answer::BackwardBasis uncoverable_;
};

}  // namespace heddle::engine::cutoff
