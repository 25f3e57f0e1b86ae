#pragma once

#include <string>
#include <string_view>

namespace heddle::base {

/// The text with '?' in place of every byte that a terminal or a JSON file had better not see:
/// control characters other than the tab, characters that break lines or reverse the order of
/// others, and bytes that are not part of valid UTF-8. Whatever comes out of a file and is printed
/// goes through it, so that no file can paint over what we print. As long as the original; applying
/// it twice changes nothing.
std::string printable(std::string_view bytes);

}  // namespace heddle::base
