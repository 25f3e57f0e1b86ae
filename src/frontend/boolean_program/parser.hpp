#pragma once

/// Boolean programs in the dialects of docs/formats/boolean-program.md.

#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::boolean_program {

/// A program has procedures: some line starts with `void`, `bool` or `decl`.
bool recognises(std::string_view text);

/// Linear in the text. Reports several problems at once: of grammar first, of names if the grammar
/// is right.
base::Parsed<ModelFile> parse(const SourceText& source);

}  // namespace heddle::frontend::boolean_program
