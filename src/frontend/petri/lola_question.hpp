#pragma once

/// Questions in the language of LoLA, `EF (p >= 1 AND q >= 2)` (docs/formats/lola.md): behind a net
/// or in a file of their own.

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "frontend/petri/formula_reader.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// From the next token to the end of the text. Nothing after an error, which is then reported.
std::optional<MarkingSet> read_lola_question(text::Lexer& lexer, const PlaceTable& places,
                                             const PlaceTable& transitions,
                                             const model::PetriNet& net, text::Problems& problems);

/// The first word is `FORMULA` or a temporal operator, and no place that is compared.
bool recognises_lola_question(std::string_view text);

/// The markings whose reachability decides the question.
base::Parsed<std::vector<model::Region>> parse_lola_question(const model::PetriNet& net,
                                                             const SourceText& source);

}  // namespace heddle::frontend::petri
