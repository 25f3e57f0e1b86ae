#pragma once

/// Place/transition nets in PNML, ISO/IEC 15909-2 (docs/formats/pnml.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// XML with an element `pnml`.
bool recognises_pnml(std::string_view text);

/// Places and transitions are called by their ids. Linear in the text, up to sorting.
base::Parsed<NetFile> parse_pnml(const SourceText& source);

/// What is not an ordinary net with one initial marking, or a name that XML cannot hold.
std::optional<std::string> cannot_print_pnml(const NetFile& file);

/// The text that parses to the same net and initial marking; a transition's note becomes its name
/// beside its id. Targets and claimed invariants have no place in it. Precondition:
/// `cannot_print_pnml` finds no reason.
std::string print_pnml(const NetFile& file);

}  // namespace heddle::frontend::petri
