#pragma once

#include <string>
#include <string_view>

namespace heddle::frontend::text {

/// The text with '?' in place of every byte that a terminal or a JSON file had better not see:
/// control characters other than the tab, and bytes that are not part of valid UTF-8.
/// As long as the original; applying it twice changes nothing.
std::string printable(std::string_view bytes);

}  // namespace heddle::frontend::text
