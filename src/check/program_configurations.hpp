#pragma once

#include "answer/configuration_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Are the sets closed under the rules of docs/evidence.md, and does no thread fail in them, in as
/// many rounds? Nothing: for any number of rounds. Linear in the number of rules, each a few
/// operations on diagrams.
answer::CheckResult check_configuration_sets(const model::Task& task,
                                             const answer::ConfigurationSets& sets,
                                             const std::optional<base::Integer>& rounds,
                                             base::RunContext& context);

}  // namespace heddle::check
