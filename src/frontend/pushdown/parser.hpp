#pragma once

#include <string_view>

#include "frontend/frontend.hpp"

/// Concurrent pushdown systems as CUBA writes them (docs/formats/pds.md).
namespace heddle::frontend::pushdown {

/// A number on a line of its own and then the word PDA.
bool recognises(std::string_view text);

/// Linear in the text. Warns once per thread about symbols outside of its declared range.
base::Parsed<ModelFile> parse(const SourceText& source);

}  // namespace heddle::frontend::pushdown
