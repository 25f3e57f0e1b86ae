/// Calls of scanf, fscanf and sscanf with a constant format. The model does not read variable
/// arguments, so that each conversion becomes a call of our library with its pointer. sscanf reads
/// its text exactly; the others read anything.

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <map>
#include <optional>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

struct Scanner {
  unsigned format;  ///< which argument
  bool reads_text;  ///< its first argument
};

const std::map<std::string_view, Scanner>& scanners() {
  static const std::map<std::string_view, Scanner> table = {
      {"scanf", {0, false}},           {"fscanf", {1, false}},
      {"sscanf", {1, true}},           {"__isoc99_scanf", {0, false}},
      {"__isoc99_fscanf", {1, false}}, {"__isoc99_sscanf", {1, true}},
      {"__isoc23_scanf", {0, false}},  {"__isoc23_fscanf", {1, false}},
      {"__isoc23_sscanf", {1, true}}};
  return table;
}

struct Part {
  enum class Kind : std::uint8_t { Space, Literal, Number, Real, Characters, Word };
  Kind kind = Kind::Space;
  bool stores = true;
  unsigned bytes = 4;
  unsigned base = 10;
  unsigned width = 0x7fffffff;
  char literal = 0;
};

bool is_space(char c) { return c == ' ' || (c >= 9 && c <= 13); }

/// Of hh, h, l, ll, j, z, t, q: how many bytes an integer has.
unsigned length_of(std::string_view& rest, unsigned pointer_bytes) {
  const std::pair<std::string_view, unsigned> lengths[] = {{"hh", 1},
                                                           {"h", 2},
                                                           {"ll", 8},
                                                           {"l", pointer_bytes},
                                                           {"j", 8},
                                                           {"q", 8},
                                                           {"z", pointer_bytes},
                                                           {"t", pointer_bytes}};
  for (const auto& [text, bytes] : lengths) {
    if (!rest.starts_with(text)) continue;
    rest.remove_prefix(text.size());
    return bytes;
  }
  return 4;
}

/// Nothing for a conversion that we do not have.
std::optional<Part> conversion(std::string_view& rest, unsigned pointer_bytes) {
  Part part;
  if (rest.starts_with('*')) {
    part.stores = false;
    rest.remove_prefix(1);
  }
  bool has_width = false;
  for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1)) {
    part.width = (has_width ? 10 * part.width : 0) + static_cast<unsigned>(rest[0] - '0');
    has_width = true;
    if (part.width > 100'000) return std::nullopt;
  }
  const bool is_long = rest.starts_with('l');
  part.bytes = length_of(rest, pointer_bytes);
  if (rest.empty()) return std::nullopt;
  const char kind = rest[0];
  rest.remove_prefix(1);
  switch (kind) {
    case 'd':
    case 'u': part.kind = Part::Kind::Number; return part;
    case 'i': part.kind = Part::Kind::Number, part.base = 0; return part;
    case 'o': part.kind = Part::Kind::Number, part.base = 8; return part;
    case 'x':
    case 'X': part.kind = Part::Kind::Number, part.base = 16; return part;
    case 'e':
    case 'f':
    case 'g': part.kind = Part::Kind::Real, part.bytes = is_long ? 8 : 4; return part;
    case 's': part.kind = Part::Kind::Word; return part;
    case 'c':
      part.kind = Part::Kind::Characters;
      if (!has_width) part.width = 1;
      return part;
    default: return std::nullopt;
  }
}

std::optional<std::vector<Part>> parts_of(std::string_view format, unsigned pointer_bytes) {
  std::vector<Part> parts;
  while (!format.empty()) {
    const char c = format[0];
    format.remove_prefix(1);
    if (c == '%' && !format.starts_with('%')) {
      const auto part = conversion(format, pointer_bytes);
      if (!part) return std::nullopt;
      parts.push_back(*part);
      continue;
    }
    if (c == '%') format.remove_prefix(1);
    Part part;
    part.kind = is_space(c) ? Part::Kind::Space : Part::Kind::Literal;
    part.literal = c;
    parts.push_back(part);
  }
  return parts;
}

bool is_conversion(const Part& part) {
  return part.kind != Part::Kind::Space && part.kind != Part::Kind::Literal;
}

}  // namespace

bool FunctionBody::translate_scan(const llvm::CallBase& call, const std::string& name) {
  const auto row = scanners().find(name);
  if (row == scanners().end()) return false;
  const auto [format, reads_text] = row->second;
  const std::uint8_t pointer = builder_.pointer_width();
  llvm::StringRef text;
  std::optional<std::vector<Part>> parts;
  if (format < call.arg_size() && llvm::getConstantStringInfo(call.getArgOperand(format), text)) {
    parts = parts_of(std::string_view(text.data(), text.size()), pointer / 8u);
  }
  const auto is_real = [](const Part& part) { return part.kind == Part::Kind::Real; };
  const auto stores = [](const Part& part) { return is_conversion(part) && part.stores; };
  if (parts && reads_text && std::ranges::any_of(*parts, is_real)) parts.reset();
  const auto pointers = parts ? std::ranges::count_if(*parts, stores) : 0;
  if (!parts || format + 1 + static_cast<std::size_t>(pointers) > call.arg_size()) {
    unsupported(call, name + " with this format");
    return true;
  }
  unsigned next = format + 1;
  Operand state = reads_text ? operand(call.getArgOperand(0)) : number(1);
  const std::uint8_t width = reads_text ? pointer : 32;
  Operand place = state;  // behind all that has matched
  Operand count = number(0);
  for (const Part& part : *parts) {
    if (reads_text) {
      const bool skips = part.kind != Part::Kind::Literal && part.kind != Part::Kind::Characters;
      if (skips) state = call_library("__heddle_scan_space", {state}, {pointer})[0];
      place = call_library("__heddle_scan_place", {state, place}, {pointer})[0];
    }
    if (!is_conversion(part)) {
      if (!reads_text || part.kind == Part::Kind::Space) continue;
      state = call_library("__heddle_scan_literal",
                           {state, number(static_cast<unsigned char>(part.literal))}, {pointer})[0];
      continue;
    }
    const Operand to = part.stores ? operand(call.getArgOperand(next++)) : number(0);
    std::vector<Operand> arguments = {state, to};
    const bool is_number = part.kind == Part::Kind::Number || part.kind == Part::Kind::Real;
    if (is_number) arguments.push_back(number(part.bytes));
    if (is_number && reads_text) arguments.push_back(number(part.base));
    if (!is_number || reads_text) arguments.push_back(number(part.width));
    const bool is_word = part.kind == Part::Kind::Word;
    const char* function = reads_text ? (is_number ? "__heddle_scan_number"
                                         : is_word ? "__heddle_scan_word"
                                                   : "__heddle_scan_characters")
                                      : (is_number ? "__heddle_input_number"
                                         : is_word ? "__heddle_input_word"
                                                   : "__heddle_input_characters");
    state = call_library(function, std::move(arguments), {width})[0];
    if (!part.stores) continue;
    const Operand succeeds = compute(m::Operator::Ne, width, state, number(0), 1);
    count = compute(m::Operator::Add, 32, count, resized(succeeds, 1, 32, false));
  }
  const Operand result = reads_text
                             ? call_library("__heddle_scan_result", {count, state, place}, {32})[0]
                             : call_library("__heddle_input_result", {count}, {32})[0];
  if (!call.use_empty()) values_[&call] = {resized(result, 32, this->width(call.getType()), true)};
  return true;
}

}  // namespace heddle::frontend::c
