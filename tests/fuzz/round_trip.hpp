#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/difference.hpp"

namespace heddle::fuzz {

/// Stops the fuzzer, which then keeps the input.
[[noreturn]] inline void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Parses; what parses must print and parse to the same, and what does not must say where and why.
inline void check_round_trip(std::string_view format_name, const std::string& text) {
  const frontend::FormatRow& format = *frontend::find_format(format_name);
  format.recognises(text);
  const auto file = format.parse({"input", text}, {});
  if (!file) {
    if (base::render(file.error()).empty()) fail("a parser failed without a diagnostic");
    return;
  }
  const std::string failure = round_trip_failure(format, *file);
  if (!failure.empty()) fail("the round trip changed " + failure + "\n" + format.print(*file));
}

}  // namespace heddle::fuzz
