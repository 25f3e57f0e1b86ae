#pragma once

/// Place/transition nets in the textual language of TINA, `.net` (docs/formats/tina.md).

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// The first words are a declaration, `tr t`, `pl p` or `net n`.
bool recognises_tina(std::string_view text);

/// Linear in the text. Inhibitor arcs become upper bounds of guards.
base::Parsed<NetFile> parse_tina(const SourceText& source);

/// The words that start declarations. A node of such a name stands in braces.
bool is_tina_keyword(std::string_view word);

/// What has no arcs that say what it does, inhibitor arcs included, or several initial markings, or
/// a name that holds what cannot be shown.
std::optional<std::string> cannot_print_tina(const NetFile& file);

/// The text that parses to the same net and initial marking; targets stand in comments. Notes and
/// claimed invariants are left out; a transition without a name of its own gets one. Precondition:
/// `cannot_print_tina` finds no reason.
std::string print_tina(const NetFile& file);

}  // namespace heddle::frontend::petri
