#pragma once

/// Stored evidence names the question that it answers. Here that is compared with the question that
/// was put; it is never taken for it.

#include <optional>
#include <string>

#include "answer/json.hpp"
#include "base/diagnostic.hpp"
#include "driver/pose.hpp"
#include "model/task.hpp"

namespace heddle::driver {

/// Which other question the evidence answers, and with which options that would be put; nothing if
/// it is about the task's own. A bound on contexts may be larger than the one asked for: what is
/// proved for more contexts holds for fewer. Traces and proofs without a bound are checked against
/// the bound of the task, so that the one of the evidence does not matter.
std::optional<std::string> other_question(const model::AnyTask& task,
                                          const answer::StoredEvidence& evidence);

/// What to add to the reason of a confirmation: the evidence proves a larger bound than was asked
/// for. Empty otherwise.
std::string proves_more(const model::AnyTask& task, const answer::Verdict& verdict);

/// What the question lacks (see `missing_part`), with a hint which option puts the one that the
/// evidence is about.
base::Diagnostics missing_part_for(const Posed& posed, const answer::StoredEvidence& evidence);

}  // namespace heddle::driver
