#pragma once

/// Thread transition systems, `.tts` and `.ttd` (docs/formats/thread-system.md).

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::thread_system {

/// The first two tokens are numbers: no other format starts like this.
bool recognises(std::string_view text);

/// Linear in the text, whatever the numbers of states. The file says nothing about initial states
/// and targets.
base::Parsed<ModelFile> parse(const SourceText& source);

}  // namespace heddle::frontend::thread_system
