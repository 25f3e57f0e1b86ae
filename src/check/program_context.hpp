#pragma once

#include "answer/context_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Are the relations closed under the rules of docs/evidence.md, and does no possible turn of a
/// thread fail in as many rounds? Nothing: for any number of rounds, which relations of one round
/// prove if there is one thread. Linear in the number of rules, each a few operations on diagrams.
answer::CheckResult check_context_relations(const model::Task& task,
                                            const answer::ContextRelations& relations,
                                            const std::optional<base::Integer>& rounds,
                                            base::RunContext& context);

}  // namespace heddle::check
