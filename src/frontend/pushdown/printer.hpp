#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::pushdown {

std::optional<std::string> cannot_print(const ModelFile& file);

/// The question in comments (question_comments.hpp), then the rules, thread by thread.
/// Precondition: the model is a pushdown system.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::pushdown
