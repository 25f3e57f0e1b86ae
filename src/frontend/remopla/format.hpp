#pragma once

/// Remopla, the language of Moped (docs/formats/remopla.md), as Boolean programs.

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::remopla {

/// Some line starts with `module`.
bool recognises(std::string_view text);

base::Parsed<ProgramFile> parse(const SourceText& source);

/// Why there is no text: it is no program, or has more than one thread.
std::optional<std::string> cannot_print(const ProgramFile& file);

/// A program that fails if and only if this one does; not the same one, since Remopla has other
/// statements.
std::string print(const ProgramFile& file);

}  // namespace heddle::frontend::remopla
