#pragma once

/// The steps of the check of a cutoff (cutoff.hpp). Private to this folder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/cutoff.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "check/proof.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// Thread states that are claimed to be reachable. Precondition: sorted, each once.
class ReachedStates {
 public:
  explicit ReachedStates(const std::vector<answer::ReachedState>& reachable);
  bool contains(std::uint32_t shared, std::uint32_t local) const;
  const std::vector<model::Counter>& locals(model::SharedState shared) const;

 private:
  std::vector<std::vector<model::Counter>> locals_;  ///< sorted
};

/// `(s, l)`, or the place's name.
std::string state_name(const model::CountingModel& model, const model::ThreadState& state);

/// 1. The witnesses.
Problem check_witnesses(const model::CountingTask& task, const answer::Cutoff& cutoff,
                        base::RunContext& context);

/// What a candidate asks for, beside the candidate itself.
struct DerivedCandidate {
  answer::UnrealizableCandidate candidate;  ///< `excluded_by` is not set
  model::Configuration demand;
};

/// 2. All candidates of the listed thread states, derived from the model, sorted; or a step that
/// leads out of them.
Problem derive_candidates(const model::CountingTask& task, const ReachedStates& reached,
                          base::RunContext& context, std::vector<DerivedCandidate>& found);

/// 3. Why fewer threads are not enough.
Problem check_minimality(const model::CountingTask& task, const answer::Cutoff& cutoff,
                         const ReachedStates& reached, base::RunContext& context);

}  // namespace heddle::check
