#pragma once

/// The parts of the check of a cutoff. Private to src/check.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/cutoff.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

using CutoffProblem = std::optional<answer::CheckResult>;

inline CutoffProblem cutoff_refuted(std::string why) {
  return answer::CheckResult{answer::EvidenceStatus::Refuted, std::move(why)};
}

/// A result if the context says that the check must end.
CutoffProblem cutoff_stopped(base::RunContext& context);

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
std::string state_name(const model::Model& model, const model::ThreadState& state);

/// 1. The witnesses.
CutoffProblem check_witnesses(const model::Task& task, const answer::Cutoff& cutoff,
                              base::RunContext& context);

/// What a candidate asks for, beside the candidate itself.
struct DerivedCandidate {
  answer::UnrealizableCandidate candidate;  ///< `excluded_by` is not set
  model::Configuration demand;
};

/// 2. All candidates of the listed thread states, derived from the model, sorted; or a step that
/// leads out of them.
CutoffProblem derive_candidates(const model::Task& task, const ReachedStates& reached,
                                base::RunContext& context, std::vector<DerivedCandidate>& found);

/// 3. Why fewer threads do not do.
CutoffProblem check_minimality(const model::Task& task, const answer::Cutoff& cutoff,
                               const ReachedStates& reached, base::RunContext& context);

}  // namespace heddle::check
