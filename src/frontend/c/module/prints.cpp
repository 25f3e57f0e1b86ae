/// Calls of sprintf and snprintf with a constant format. The model does not read variable
/// arguments, so that each conversion, and the text between two of them, becomes a call of our
/// library. Formats with other conversions (floating point, %n, wide characters) are left to
/// `snprintf` of the library, which writes any text that fits.

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <map>
#include <optional>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

struct Printer {
  unsigned format;               ///< which argument
  std::optional<unsigned> size;  ///< none: there is room for any text
};

const std::map<std::string_view, Printer>& printers() {
  static const std::map<std::string_view, Printer> table = {{"sprintf", {1, std::nullopt}},
                                                            {"snprintf", {2, 1}},
                                                            {"__sprintf_chk", {3, std::nullopt}},
                                                            {"__snprintf_chk", {4, 1}}};
  return table;
}

/// As the functions of our library number them.
enum Flag : unsigned { kLeft = 1, kPlus = 2, kSpace = 4, kAlternative = 8, kZero = 16 };

/// A width or a precision: none, a number, or an argument of the call.
struct Extent {
  enum class Kind : std::uint8_t { None, Number, Argument };
  Kind kind = Kind::None;
  unsigned value = 0;
};

struct PrintedPart {
  enum class Kind : std::uint8_t { Text, Number, Character, String };
  Kind kind = Kind::Text;
  std::size_t first = 0, length = 0;  ///< of the text, in the format
  unsigned flags = 0;
  Extent width, precision;
  std::uint8_t bits = 32;
  char conversion = 0;  ///< d, u, o, x, X, p
};

class FormatReader {
 public:
  FormatReader(std::string_view format, std::uint8_t pointer_bits)
      : format_(format), pointer_bits_(pointer_bits) {}

  /// Nothing if there is a conversion that we do not have.
  std::optional<std::vector<PrintedPart>> read() {
    while (at_ < format_.size()) {
      const std::size_t first = at_;
      while (at_ < format_.size() && format_[at_] != '%') ++at_;
      add_text(first, at_ - first);
      if (at_ == format_.size()) break;
      ++at_;
      if (take('%')) {
        add_text(at_ - 1, 1);
        continue;
      }
      if (!read_conversion()) return std::nullopt;
    }
    return std::move(parts_);
  }

 private:
  void add_text(std::size_t first, std::size_t length) {
    if (length == 0) return;
    PrintedPart part;
    part.first = first;
    part.length = length;
    parts_.push_back(part);
  }

  bool take(char c) {
    if (at_ == format_.size() || format_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<Extent> read_extent() {
    if (take('*')) return Extent{Extent::Kind::Argument, 0};
    Extent extent;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_) {
      extent.kind = Extent::Kind::Number;
      extent.value = 10 * extent.value + static_cast<unsigned>(format_[at_] - '0');
      if (extent.value > 100'000) return std::nullopt;
    }
    return extent;
  }

  /// hh, h, l, ll, j, z, t, q: how many bits an integer has.
  std::uint8_t read_length() {
    if (take('h')) return take('h') ? 8 : 16;
    if (take('l')) return take('l') ? std::uint8_t{64} : pointer_bits_;
    if (take('j') || take('q')) return 64;
    if (take('z') || take('t')) return pointer_bits_;
    return 32;
  }

  unsigned read_flags() {
    unsigned flags = 0;
    for (;; ++at_) {
      const std::size_t flag =
          std::string_view("-+ #0").find(at_ < format_.size() ? format_[at_] : '?');
      if (flag == std::string_view::npos) return flags;
      flags |= 1U << flag;
    }
  }

  bool read_conversion() {
    PrintedPart part;
    part.flags = read_flags();
    const auto width = read_extent();
    if (!width) return false;
    part.width = *width;
    if (take('.')) {
      const auto precision = read_extent();
      if (!precision) return false;
      part.precision = *precision;
      if (precision->kind == Extent::Kind::None) part.precision.kind = Extent::Kind::Number;
    }
    const bool is_plain = at_ < format_.size() && format_[at_] != 'l';
    part.bits = read_length();
    if (at_ == format_.size()) return false;
    part.conversion = format_[at_++];
    switch (part.conversion) {
      case 'i': part.conversion = 'd'; [[fallthrough]];
      case 'd':
      case 'u':
      case 'o':
      case 'x':
      case 'X': part.kind = PrintedPart::Kind::Number; break;
      case 'p':
        part.kind = PrintedPart::Kind::Number;
        part.bits = pointer_bits_;
        break;
      case 'c': part.kind = PrintedPart::Kind::Character; break;
      case 's': part.kind = PrintedPart::Kind::String; break;
      default: return false;
    }
    const bool is_number = part.kind == PrintedPart::Kind::Number;
    if (!is_number && !is_plain) return false;  // wide characters
    parts_.push_back(part);
    return true;
  }

  std::string_view format_;
  std::uint8_t pointer_bits_;
  std::size_t at_ = 0;
  std::vector<PrintedPart> parts_;
};

std::size_t arguments_of(const std::vector<PrintedPart>& parts) {
  std::size_t count = 0;
  for (const PrintedPart& part : parts) {
    count += part.kind == PrintedPart::Kind::Text ? 0 : 1;
    for (const Extent& extent : {part.width, part.precision})
      count += extent.kind == Extent::Kind::Argument ? 1 : 0;
  }
  return count;
}

}  // namespace

bool FunctionBody::translate_print(const llvm::CallBase& call, const std::string& name) {
  const auto row = printers().find(name);
  if (row == printers().end() || row->second.format >= call.arg_size()) return false;
  const Printer& printer = row->second;
  const std::uint8_t pointer = builder_.pointer_width();
  const llvm::Value* format = call.getArgOperand(printer.format);
  llvm::StringRef text;
  std::optional<std::vector<PrintedPart>> parts;
  if (llvm::getConstantStringInfo(format, text))
    parts = FormatReader(std::string_view(text.data(), text.size()), pointer).read();
  if (!parts || printer.format + 1 + arguments_of(*parts) > call.arg_size()) {
    builder_.warn("function '" + name + "' writes any text where its format is not a constant or " +
                  "has conversions of floating point");
    return false;
  }
  unsigned next = printer.format + 1;
  const auto argument = [&](std::uint8_t bits, bool is_signed) {
    const llvm::Value* value = call.getArgOperand(next++);
    return resized(operand(value), width(value->getType()), bits, is_signed);
  };
  const auto extent = [&](const Extent& from, std::uint64_t otherwise) {
    if (from.kind == Extent::Kind::Argument) return argument(32, true);
    return number(from.kind == Extent::Kind::Number ? from.value : otherwise);
  };
  constexpr std::uint64_t kNone = 0xffffffff;  // -1
  const Operand to = operand(call.getArgOperand(0));
  const Operand room =
      printer.size ? resized(operand(call.getArgOperand(*printer.size)),
                             width(call.getArgOperand(*printer.size)->getType()), pointer, false)
                   : number(pointer == 64 ? ~std::uint64_t{0} : 0xffffffffU);
  Operand written = number(0);
  for (const PrintedPart& part : *parts) {
    std::vector<Operand> arguments = {to, room, written};
    if (part.kind == PrintedPart::Kind::Text) {
      arguments.insert(arguments.end(), {moved(operand(format), part.first), number(0),
                                         number(part.length), number(0)});
      written = call_library("__heddle_print_text", std::move(arguments), {pointer})[0];
      continue;
    }
    const Operand wide = extent(part.width, 0), precision = extent(part.precision, kNone);
    const bool is_signed = part.conversion == 'd';
    if (part.kind == PrintedPart::Kind::Number) {
      const Operand value = resized(argument(part.bits, is_signed), part.bits, 64, is_signed);
      arguments.insert(arguments.end(), {value, number(static_cast<unsigned char>(part.conversion)),
                                         wide, precision, number(part.flags)});
      written = call_library("__heddle_print_number", std::move(arguments), {pointer})[0];
      continue;
    }
    const bool is_text = part.kind == PrintedPart::Kind::String;
    const Operand value = argument(is_text ? pointer : 32, false);
    arguments.push_back(value);
    arguments.push_back(wide);
    if (is_text) arguments.push_back(precision);
    arguments.push_back(number(part.flags));
    written = call_library(is_text ? "__heddle_print_text" : "__heddle_print_character",
                           std::move(arguments), {pointer})[0];
  }
  const Operand result = call_library("__heddle_print_end", {to, room, written}, {32})[0];
  if (!call.use_empty()) values_[&call] = {resized(result, 32, width(call.getType()), true)};
  return true;
}

}  // namespace heddle::frontend::c
