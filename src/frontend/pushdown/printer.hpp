#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::pushdown {

std::optional<std::string> cannot_print(const ModelFile& file);

/// The rules, thread by thread. Precondition: the model is a pushdown system. The format holds no
/// question.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::pushdown
