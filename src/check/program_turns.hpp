#pragma once

#include "answer/configuration_evidence.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// Do the facts contain all that threads can do in their turns, and does none fail in them, in as
/// many rounds? Nothing: in any number of rounds. A few operations on diagrams for each edge of
/// each place and, once more, for each turn.
answer::CheckResult check_turn_facts(const model::Task& task, const answer::TurnFacts& facts,
                                     const std::optional<base::Integer>& rounds,
                                     base::RunContext& context);

}  // namespace heddle::check
