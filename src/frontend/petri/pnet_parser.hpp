#pragma once

/// Petri nets in the language of Petrinizer, `.pnet` (docs/formats/pnet.md).

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/formula_reader.hpp"

namespace heddle::frontend::petri {

/// The first words are `petri net`: no other format starts like this.
bool recognises_pnet(std::string_view text);

/// Linear in the text and in the number of arcs.
base::Parsed<ModelFile> parse_pnet(const SourceText& source);

/// `//` and `/* */` comments, names in double quotes.
text::Dialect pnet_dialect();
FormulaWords pnet_words();

}  // namespace heddle::frontend::petri
