#pragma once

/// Petri nets in the language of Petrinizer, `.pnet` (docs/formats/pnet.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/formula_reader.hpp"

namespace heddle::frontend::petri {

/// The first words are `petri net`: no other format starts like this.
bool recognises_pnet(std::string_view text);

/// Linear in the text and in the number of arcs.
base::Parsed<NetFile> parse_pnet(const SourceText& source);

/// `//` and `/* */` comments, names in double quotes.
text::Dialect pnet_dialect();
FormulaWords pnet_words();

/// What is not an ordinary net with one initial marking, or a name that no quotes can hold.
std::optional<std::string> cannot_print_pnet(const NetFile& file);

/// The text that parses to the same net, initial marking and targets. Notes and claimed invariants
/// are left out; a transition without a name of its own gets one. Precondition: `cannot_print_pnet`
/// finds no reason.
std::string print_pnet(const NetFile& file);

}  // namespace heddle::frontend::petri
