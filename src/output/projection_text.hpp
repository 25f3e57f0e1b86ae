#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answer/projection.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// A statement's part of its line: up to the next statement in it, or to its end.
struct ListedStatement {
  std::uint32_t line = 0;
  std::uint32_t first_column = 0;  ///< from 1
  std::uint32_t last_column = 0;
  answer::OnErrorTrace on_error_trace = answer::OnErrorTrace::Undecided;
};

/// In the order of the text. Statements that do not lie in the text are left out.
std::vector<ListedStatement> listed_statements(const answer::Projection& projection,
                                               std::string_view source);

/// The source with a mark at each line that has statements: do they lie on an error trace? Without
/// the source if none does.
std::string projection_text(const answer::Projection& projection, std::string_view source,
                            const TextOptions& options);

}  // namespace heddle::output
