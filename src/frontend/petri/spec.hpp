#pragma once

/// Petri nets in the language of MIST, `.spec` (docs/formats/mist-spec.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// The first token is the word `vars`: no other format starts like this.
bool recognises_spec(std::string_view text);

/// Linear in the text, up to sorting within a rule.
base::Parsed<NetFile> parse_spec(const SourceText& source);

/// A model that is not a net, a place whose name is not one of the format's, or several initial
/// regions.
std::optional<std::string> cannot_print_spec(const NetFile& file);

/// The text that parses to the same net, initial region, targets and claimed invariants; notes
/// become comments above their rule, and so do the names of transitions, for which the format has
/// no place. Precondition: `cannot_print_spec` finds no reason.
std::string print_spec(const NetFile& file);

}  // namespace heddle::frontend::petri
