#pragma once

#include "answer/program_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Re-proves that no thread of a Boolean program can fail, from a basis and an invariant that are
/// claims only; program_basis.cpp lists the obligations. One step of the context for each query to
/// the solver; their number is the product of elements and edges, and each looks at the elements
/// that have threads at the same nodes.
answer::CheckResult check_program_basis(const model::Task& task, const answer::ProgramBasis& basis,
                                        base::RunContext& context);

}  // namespace heddle::check
