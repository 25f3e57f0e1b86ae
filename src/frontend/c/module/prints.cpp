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
#include "frontend/c/module/print_format.hpp"

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
    parts = read_print_format(std::string_view(text.data(), text.size()), pointer);
  const auto is_printed = [](const PrintedPart& part) {
    return part.kind != PrintedPart::Kind::Other && part.kind != PrintedPart::Kind::Written;
  };
  if (!parts || !std::ranges::all_of(*parts, is_printed) ||
      printer.format + 1 + arguments_of(*parts) > call.arg_size()) {
    builder_.warn("function '" + name + "' writes any text where its format is not a constant or " +
                  "has conversions of floating point");
    return false;
  }
  unsigned next = printer.format + 1;
  const auto argument = [&](std::uint8_t bits, bool is_signed) {
    const llvm::Value* value = call.getArgOperand(next++);
    return resized(operand(value), width(value->getType()), bits, is_signed);
  };
  const auto extent = [&](const PrintExtent& from, std::uint64_t otherwise) {
    if (from.kind == PrintExtent::Kind::Argument) return argument(32, true);
    return number(from.kind == PrintExtent::Kind::Number ? from.value : otherwise);
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
