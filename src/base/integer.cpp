#include "base/integer.hpp"

#include <algorithm>

namespace heddle::base {

std::optional<Integer> parse_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  return Integer(std::string(text), 10);
}

std::string to_string(const Integer& value) { return value.get_str(); }

std::string counted(const Integer& count, std::string_view singular) {
  return to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

std::optional<std::uint32_t> to_uint32(const Integer& value) {
  if (value < 0 || value > 0xffff'ffffUL) return std::nullopt;
  return static_cast<std::uint32_t>(value.get_ui());
}

std::optional<std::int64_t> to_int64(const Integer& value) {
  if (!value.fits_slong_p()) return std::nullopt;
  return value.get_si();
}

}  // namespace heddle::base
