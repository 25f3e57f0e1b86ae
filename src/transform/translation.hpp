#pragma once

/// Between the kinds of models, by the one interface that the driver needs.

#include <expected>
#include <functional>
#include <string>

#include "answer/verdict.hpp"
#include "model/task.hpp"

namespace heddle::transform {

enum class ModelKind { ThreadSystem, PetriNet, BooleanProgram, PushdownSystem };

ModelKind kind_of(const model::Model& model);

/// A task about the other kind of model with the same answer, and the way back.
struct Translation {
  model::Task translated;
  /// A verdict about `translated` as one about the original task. Keeps what it needs.
  std::function<answer::Verdict(const answer::Verdict&)> back;
};

/// Precondition: the task's model is not of kind `to`. The error says what has no counterpart.
/// Programs may take long: `stopped` is asked now and then whether to give up.
std::expected<Translation, std::string> translate(const model::Task& task, ModelKind to,
                                                  const std::function<bool()>& stopped = {});

}  // namespace heddle::transform
