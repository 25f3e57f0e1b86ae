#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/text/lexer.hpp"

namespace heddle::frontend::text {

/// Lines and columns for readers that know only byte offsets. The text must outlive it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  std::uint32_t line(std::size_t offset) const;  ///< from 1; logarithmic

  /// The piece of text at `offset`, cut off at the end of its line, for a diagnostic.
  Token token(std::size_t offset, std::size_t length) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;  ///< of the lines
};

}  // namespace heddle::frontend::text
