#pragma once

/// Thread transition systems, `.tts` and `.ttd` (docs/formats/thread-system.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::thread_system {

/// The first two tokens are numbers: no other format starts like this.
bool recognises(std::string_view text);

/// Linear in the text, whatever the numbers of states. The file says nothing about initial states
/// and targets.
base::Parsed<ThreadFile> parse(const SourceText& source);

/// A reason only if the model is not a thread system.
std::optional<std::string> cannot_print(const ThreadFile& file);

/// The text that parses to the same system and question, names and notes included (names and the
/// question as comments before the header, notes as comments above their edge).
/// Precondition: `cannot_print` finds no reason.
std::string print(const ThreadFile& file);

}  // namespace heddle::frontend::thread_system
