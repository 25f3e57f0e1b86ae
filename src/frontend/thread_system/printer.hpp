#pragma once

#include <optional>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::thread_system {

/// A reason only if the model is not a thread system: initial states and targets are left out, for
/// the format has no place for them.
std::optional<std::string> cannot_print(const ModelFile& file);

/// The text that parses to the same system, names and notes included (names as comments before the
/// header, notes as comments above their edge). Initial states and targets have no place in it.
/// Precondition: `cannot_print` finds no reason.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::thread_system
