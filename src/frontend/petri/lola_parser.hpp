#pragma once

/// Place/transition nets in the language of LoLA, `.lola` (docs/formats/lola.md).

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/formula_reader.hpp"

namespace heddle::frontend::petri {

/// The first word is `PLACE`: no other format starts like this.
bool recognises_lola(std::string_view text);

/// Linear in the text.
base::Parsed<ModelFile> parse_lola(const SourceText& source);

/// `{ }` comments; names of letters, digits and many marks, which may start with a digit.
text::Dialect lola_dialect();
FormulaWords lola_words();

/// The words of the language, which cannot name anything.
bool is_lola_keyword(std::string_view word);

/// Anything without blanks, brackets, braces, ',', ';' and ':' that is no word of the language.
bool is_lola_name(std::string_view name);

}  // namespace heddle::frontend::petri
