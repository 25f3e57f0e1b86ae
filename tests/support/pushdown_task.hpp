#pragma once

#include <string>

#include "model/task.hpp"

namespace heddle::test {

/// A pushdown system in CUBA's format, asked whether the target is reached from the initial state.
/// What does not parse fails the test.
model::PushdownTask pushdown_task(const std::string& text, const std::string& initial,
                                  const std::string& target);

}  // namespace heddle::test
