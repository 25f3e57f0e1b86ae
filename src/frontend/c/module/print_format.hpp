#pragma once

/// Formats of printf and its kin, read as a list of parts: texts and conversions, with the
/// arguments that each conversion takes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::frontend::c {

/// As the functions of our library number them.
enum PrintFlag : unsigned {
  kPrintLeft = 1,
  kPrintPlus = 2,
  kPrintSpace = 4,
  kPrintAlternative = 8,
  kPrintZero = 16
};

/// A width or a precision: none, a number, or an argument of the call.
struct PrintExtent {
  enum class Kind : std::uint8_t { None, Number, Argument };
  Kind kind = Kind::None;
  unsigned value = 0;
};

struct PrintedPart {
  enum class Kind : std::uint8_t {
    Text,
    Number,
    Character,
    String,
    Other,   ///< floating point, wide characters: an argument that our library does not print
    Written  ///< %n: the address of an integer
  };
  Kind kind = Kind::Text;
  std::size_t first = 0, length = 0;  ///< of the text, in the format
  unsigned flags = 0;
  PrintExtent width, precision;
  std::uint8_t bits = 32;
  char conversion = 0;  ///< d, u, o, x, X, p
};

/// Nothing if there is a conversion that C does not have, or that has numbers of arguments (POSIX).
std::optional<std::vector<PrintedPart>> read_print_format(std::string_view format,
                                                          std::uint8_t pointer_bits);

/// How many arguments they take.
std::size_t arguments_of(const std::vector<PrintedPart>& parts);

}  // namespace heddle::frontend::c
