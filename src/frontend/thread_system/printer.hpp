#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::thread_system {

/// A reason only if the model is not a thread system.
std::optional<std::string> cannot_print(const ModelFile& file);

/// The text that parses to the same system and question, names and notes included (names and the
/// question as comments before the header, notes as comments above their edge).
/// Precondition: `cannot_print` finds no reason.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::thread_system
