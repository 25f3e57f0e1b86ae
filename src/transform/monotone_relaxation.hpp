#pragma once

/// A net with upper bounds in guards or targets, or with conditions in targets, is not monotone,
/// and coverability engines do not apply. Dropping these, or removing the tokens beyond the bounds,
/// gives a monotone net with more behaviour: SAFE carries over with its certificate, UNSAFE carries
/// over if its trace happens to be one of the original net.

#include <string>
#include <vector>

#include "answer/verdict.hpp"
#include "model/counting.hpp"

namespace heddle::transform {

struct MonotoneRelaxation {
  model::CountingTask relaxed;
  /// What was dropped, in words: "rule 3 (line 12): dirty = 0".
  std::vector<std::string> dropped;
};

/// True if the task has a guard or a target with an upper bound, or a target with a condition.
bool needs_monotone_relaxation(const model::CountingTask& task);

MonotoneRelaxation relax_to_monotone(const model::CountingTask& task);

/// The relaxed task's verdict as a verdict about `original`: a trace that does not replay there
/// becomes Unknown{NotMonotone}, naming what was dropped.
answer::Verdict translate_back(const model::CountingTask& original,
                               const MonotoneRelaxation& relaxation,
                               const answer::Verdict& verdict);

}  // namespace heddle::transform
