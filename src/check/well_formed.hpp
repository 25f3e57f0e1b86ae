#pragma once

/// Evidence and questions may come from a file: before anything else, every number in them must
/// be the number of something in the model. Each function gives the first mismatch in words. Those
/// for whole questions are in kinds.hpp.

#include <optional>
#include <string>

#include "answer/certificate.hpp"
#include "model/counting.hpp"

namespace heddle::check {

std::optional<std::string> mismatch(const model::CountingModel& model,
                                    const model::Configuration& configuration);
std::optional<std::string> mismatch(const model::CountingModel& model,
                                    const answer::Invariant& invariant);
std::optional<std::string> mismatch(const model::PushdownSystem& system,
                                    const model::VisibleState& state);

}  // namespace heddle::check
