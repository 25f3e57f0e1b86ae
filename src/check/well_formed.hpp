#pragma once

/// Evidence and questions may come from a file: before anything else, every number in them must
/// be the number of something in the model. Each function gives the first misfit in words.

#include <optional>
#include <string>

#include "answer/certificate.hpp"
#include "model/task.hpp"

namespace heddle::check {

std::optional<std::string> misfit(const model::Model& model,
                                  const model::Configuration& configuration);
std::optional<std::string> misfit(const model::Model& model, const answer::Invariant& invariant);
std::optional<std::string> misfit(const model::Model& model, const model::Question& question);

}  // namespace heddle::check
