#pragma once

/// What all claims that consist of decision diagrams have in common: their form, and on which
/// variables their sets may depend. All kinds of such sets are listed here, each with what it may
/// depend on; nothing else is allowed.
///
/// This matters for soundness. A rule of a checker says "whatever is in the premises is in the
/// conclusion, with its variables replaced", and uses copies of variables for values after a step,
/// choices, arguments and results. If a set of the evidence depends on such a copy itself, the rule
/// speaks about one variable where it means two: the premise may then be empty, or the conclusion
/// may hold, for no reason that the program gives.

#include <cstdint>
#include <optional>
#include <vector>

#include "answer/configuration_evidence.hpp"
#include "answer/context_evidence.hpp"
#include "answer/report.hpp"
#include "check/diagrams/diagrams.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::check {

/// Operations on diagrams recur once for each variable; so many fit on any stack. No claim that is
/// known has a tenth of them.
inline constexpr std::size_t kMostDiagramVariables = 10'000;

/// How many copies of each family a program needs for one round.
struct CopyCounts {
  std::size_t shared = 0, locals = 0, parameters = 0, results = 0, choices = 0;
};
CopyCounts count_copies(const model::boolean::Flow& flow);

/// The frames out of which a procedure returns.
std::vector<bool> returning_frames(const model::boolean::Flow& flow);

/// Nothing if children come before their parents and have later variables. Refuted if not; not
/// checked if there are too many variables.
std::optional<answer::CheckResult> check_form(const std::vector<answer::DiagramNode>& nodes,
                                              std::size_t variables);

/// Sets that may depend on the same variables.
struct SetsAlike {
  std::vector<bool> may_depend_on;  ///< by variable, in the order of the diagrams
  std::vector<Diagrams::Set> roots;
};

/// All sets of a claim. Precondition: threads, nodes, frames and variables exist.
std::vector<SetsAlike> sets_of(const model::boolean::Flow& flow,
                               const answer::ContextRelations& claim);
std::vector<SetsAlike> sets_of(const answer::ConfigurationSets& claim);
std::vector<SetsAlike> sets_of(const answer::TurnFacts& claim);

/// Does no set depend on a variable that it may not depend on? Precondition: roots exist, and the
/// form is right. Linear in the nodes that occur, for each item of the list.
bool depend_as_allowed(const std::vector<answer::DiagramNode>& nodes,
                       const std::vector<SetsAlike>& sets);

}  // namespace heddle::check
