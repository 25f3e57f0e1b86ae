#pragma once

/// Petri nets in the language of MIST, `.spec` (docs/formats/mist-spec.md).

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// The first token is the word `vars`: no other format starts like this.
bool recognises_spec(std::string_view text);

/// Linear in the text, up to sorting within a rule.
base::Parsed<ModelFile> parse_spec(const SourceText& source);

}  // namespace heddle::frontend::petri
