#pragma once

#include <vector>

#include "answer/program_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/question.hpp"

namespace heddle::check {

/// Is the basis one of this graph with calls unfolded, or of the coarse one that its abstraction
/// defines: closed under predecessors, without an initial state and, if that is claimed, with all
/// failures? Then no state of it is reachable from these numbers of threads in main.
answer::CheckResult check_basis_of_graph(const model::boolean::Flow& flow,
                                         const std::vector<model::ThreadsInMain>& initial,
                                         const answer::ProgramBasis& basis, bool contains_failures,
                                         base::RunContext& context);

}  // namespace heddle::check
