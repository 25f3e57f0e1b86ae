#pragma once

/// Place/transition nets in the language of LoLA, `.lola` (docs/formats/lola.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/formula_reader.hpp"

namespace heddle::frontend::petri {

/// The first word is `PLACE`: no other format starts like this.
bool recognises_lola(std::string_view text);

/// Linear in the text.
base::Parsed<NetFile> parse_lola(const SourceText& source);

/// `{ }` comments; names of letters, digits and many marks, which may start with a digit.
text::Dialect lola_dialect();
FormulaWords lola_words();

/// The words of the language, which cannot name anything.
bool is_lola_keyword(std::string_view word);

/// Anything without blanks, brackets, braces, ',', ';' and ':' that is no word of the language.
bool is_lola_name(std::string_view name);

/// What is not an ordinary net with one initial marking, or a name that LoLA does not know as one.
std::optional<std::string> cannot_print_lola(const NetFile& file);

/// The text that parses to the same net, initial marking and targets. Notes and claimed invariants
/// are left out; a transition without a name of its own gets one. Precondition: `cannot_print_lola`
/// finds no reason.
std::string print_lola(const NetFile& file);

}  // namespace heddle::frontend::petri
