#pragma once

/// Place/transition nets in PNML, ISO/IEC 15909-2 (docs/formats/pnml.md).

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::petri {

/// XML with an element `pnml`.
bool recognises_pnml(std::string_view text);

/// Places and transitions are called by their ids. Linear in the text, up to sorting.
base::Parsed<ModelFile> parse_pnml(const SourceText& source);

}  // namespace heddle::frontend::petri
