#pragma once

/// Between the kinds of models: a table of steps, each with its way back, and chains of them.

#include <expected>
#include <functional>
#include <string>

#include "answer/verdict.hpp"
#include "model/task.hpp"

namespace heddle::transform {

/// A task about the other kind of model with the same answer, and the way back.
struct Translation {
  model::AnyTask translated;
  /// A verdict about `translated` as one about the original task. Keeps what it needs.
  std::function<answer::Verdict(const answer::Verdict&)> back;
};

/// By the shortest chain of steps. Precondition: the task's model is not of kind `to`. The error
/// says what has no counterpart. Programs may take long: `stopped` is asked now and then whether to
/// give up.
std::expected<Translation, std::string> translate(const model::AnyTask& task,
                                                  const model::AnyKind& to,
                                                  const std::function<bool()>& stopped = {});

}  // namespace heddle::transform
