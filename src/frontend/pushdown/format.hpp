#pragma once

/// Concurrent pushdown systems as CUBA writes them (docs/formats/pds.md).

#include <optional>
#include <string>
#include <string_view>

#include "frontend/frontend.hpp"

namespace heddle::frontend::pushdown {

/// A number on a line of its own and then the word PDA.
bool recognises(std::string_view text);

/// Linear in the text. Warns once per thread about symbols outside of its declared range.
base::Parsed<PushdownFile> parse(const SourceText& source);

std::optional<std::string> cannot_print(const PushdownFile& file);

/// The question in comments (question_comments.hpp), then the rules, thread by thread.
/// Precondition: the model is a pushdown system.
std::string print(const PushdownFile& file);

}  // namespace heddle::frontend::pushdown
