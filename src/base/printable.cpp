#include "base/printable.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::base {

namespace {

struct Form {
  std::size_t length;    ///< bytes in all
  std::uint32_t value;   ///< the payload bits of the first byte
  std::uint32_t lowest;  ///< the least character that may be written with so many bytes
};

/// What the first byte of a character says about it; length 0 if it cannot start one.
Form form_of(unsigned char first) {
  if (first < 0x80) return {1, first, 0};
  if (first >= 0xC0 && first < 0xE0) return {2, first & 0x1Fu, 0x80};
  if (first >= 0xE0 && first < 0xF0) return {3, first & 0x0Fu, 0x800};
  if (first >= 0xF0 && first < 0xF8) return {4, first & 0x07u, 0x10000};
  return {0, 0, 0};
}

bool is_control(std::uint32_t c) { return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0); }
/// Ends a line, or has an influence on the order in which the characters around it are shown.
bool is_layout(std::uint32_t c) {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}
bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

/// The length of the showable character at the start of `bytes`, 0 if there is none.
std::size_t showable_length(std::string_view bytes) {
  const Form form = form_of(static_cast<unsigned char>(bytes.front()));
  if (form.length == 0 || form.length > bytes.size()) return 0;
  std::uint32_t value = form.value;
  for (const char c : bytes.substr(1, form.length - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0u) != 0x80u) return 0;
    value = value << 6 | (byte & 0x3Fu);
  }
  const bool valid = value >= form.lowest && value <= 0x10FFFF && !is_surrogate(value);
  return valid && !is_control(value) && !is_layout(value) ? form.length : 0;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = showable_length(bytes);
    if (length == 0)
      out += '?';
    else
      out += bytes.substr(0, length);
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace heddle::base
