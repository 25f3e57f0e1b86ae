#pragma once

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// A small concurrent pushdown system with a target, with all kinds of rules.
model::PushdownTask random_pushdown(Random& random, unsigned most_threads);

/// Every rule of one thread over two shared states and one stack symbol.
std::vector<model::PushdownRule> all_tiny_rules(std::uint32_t thread);

/// The task in the words of a file, with its question as a comment.
std::string pushdown_text(const model::PushdownTask& task);

}  // namespace heddle::test
