#pragma once

/// Remopla, the language of Moped (docs/formats/remopla.md), as Boolean programs.

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::remopla {

/// Some line starts with `module`.
bool recognises(std::string_view text);

base::Parsed<ModelFile> parse(const SourceText& source);

}  // namespace heddle::frontend::remopla
