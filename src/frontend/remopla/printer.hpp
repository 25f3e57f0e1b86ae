#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::remopla {

/// Why there is no text: it is no program, or has more than one thread.
std::optional<std::string> cannot_print(const ModelFile& file);

/// A program that fails if and only if this one does; not the same one, since Remopla has other
/// statements.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::remopla
