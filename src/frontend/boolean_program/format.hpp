#pragma once

/// Boolean programs in the dialects of docs/formats/boolean-program.md.

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend::boolean_program {

/// A program has procedures: some line starts with `void`, `bool` or `decl`.
bool recognises(std::string_view text);

/// Linear in the text. Reports several problems at once: of grammar first, of names if the grammar
/// is right.
base::Parsed<ProgramFile> parse(const SourceText& source);

/// Only Boolean programs have a text as one.
std::optional<std::string> cannot_print(const ProgramFile& file);

/// Declarations first, two blanks for each level; parses to the same program. How many threads
/// start in main, if the file says so, is a comment (question_comments.hpp).
std::string print(const ProgramFile& file);

}  // namespace heddle::frontend::boolean_program
