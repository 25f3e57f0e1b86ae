#pragma once

/// Remopla, the language of Moped (docs/formats/remopla.md), as Boolean programs.

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::remopla {

/// Some line starts with `module`.
bool recognises(std::string_view text);

base::Parsed<ModelFile> parse(const SourceText& source);

/// Always a reason: it is read only.
std::optional<std::string> cannot_print(const ModelFile& file);
std::string print(const ModelFile& file);

}  // namespace heddle::frontend::remopla
