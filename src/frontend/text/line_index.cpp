#include "frontend/text/line_index.hpp"

#include <algorithm>

namespace heddle::frontend::text {

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

std::uint32_t LineIndex::line(std::size_t offset) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin());
}

Token LineIndex::token(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, text_.size());
  const std::uint32_t at = line(offset);
  const std::string_view rest = text_.substr(offset, length);
  return {TokenKind::Unknown, rest.substr(0, rest.find_first_of("\r\n")), at,
          static_cast<std::uint32_t>(offset - starts_[at - 1] + 1)};
}

}  // namespace heddle::frontend::text
