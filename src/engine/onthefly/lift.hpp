#pragma once

#include <variant>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "engine/onthefly/symbolic_run.hpp"
#include "model/boolean_program/abstraction.hpp"

namespace heddle::engine::onthefly {

/// What has to be seen so that the program no longer seems to have a run that goes some way.
struct Unhide {
  Variables variables;
  model::boolean::Valuation conditions;

  friend bool operator==(const Unhide&, const Unhide&) = default;
};

/// A run of the program, what stands in its way (different things, the one with the fewest
/// variables first), or why the search stopped.
using Lifted = std::variant<answer::ProgramRun, std::vector<Unhide>, base::StopReason>;

/// Looks for a run of the program that looks like this run of its coarse graph; lift.cpp says how
/// hard. Precondition: the coarse graph's classes are bisimilar_nodes().
Lifted lift(const model::boolean::Flow& flow, const model::boolean::Abstraction& abstraction,
            const model::boolean::CoarseFlow& coarse, const answer::ProgramRun& run,
            base::RunContext& context);

}  // namespace heddle::engine::onthefly
