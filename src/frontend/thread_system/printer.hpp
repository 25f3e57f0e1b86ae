#pragma once

#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend::thread_system {

/// The text that parses to the same system, names and notes included (names as comments before the
/// header, notes as comments above their edge). Initial states and targets have no place in it.
/// Precondition: the model is a thread system.
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::thread_system
