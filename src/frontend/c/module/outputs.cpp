/// What functions of output read. Their models choose a result and nothing else, so that a program
/// that asks only for assertions has no steps for its messages. Where accesses are asked about,
/// each text and each buffer that such a call reads is read first, by functions of our library.
/// Constant texts are not: every access to them is valid, and nobody writes them.
///
/// %n stores, whatever is asked.

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>

#include <map>
#include <optional>
#include <vector>

#include "frontend/c/module/function_body.hpp"
#include "frontend/c/module/print_format.hpp"

namespace heddle::frontend::c {

namespace {

/// A buffer of as many bytes as the product of these arguments says.
struct ReadBuffer {
  unsigned buffer;
  unsigned size;
  std::optional<unsigned> count;
};

struct Output {
  std::vector<unsigned> texts;
  std::optional<ReadBuffer> buffer;
  std::optional<unsigned> format;  ///< the arguments that it takes follow it
};

const std::map<std::string_view, Output>& outputs() {
  static const std::map<std::string_view, Output> table = {
      {"puts", {{0}, {}, {}}},
      {"fputs", {{0}, {}, {}}},
      {"fopen", {{0, 1}, {}, {}}},
      {"open", {{0}, {}, {}}},
      {"unlink", {{0}, {}, {}}},
      {"remove", {{0}, {}, {}}},
      {"rename", {{0, 1}, {}, {}}},
      {"system", {{0}, {}, {}}},
      {"getenv", {{0}, {}, {}}},
      {"fwrite", {{}, ReadBuffer{0, 1, 2}, {}}},
      {"write", {{}, ReadBuffer{1, 2, {}}, {}}},
      {"pwrite", {{}, ReadBuffer{1, 2, {}}, {}}},
      {"send", {{}, ReadBuffer{1, 2, {}}, {}}},
      {"sendto", {{}, ReadBuffer{1, 2, {}}, {}}},
      {"printf", {{}, {}, 0}},
      {"fprintf", {{}, {}, 1}},
      {"dprintf", {{}, {}, 1}},
      {"syslog", {{}, {}, 1}},
      {"warn", {{}, {}, 0}},
      {"warnx", {{}, {}, 0}},
      {"err", {{}, {}, 1}},
      {"errx", {{}, {}, 1}},
      {"error", {{}, {}, 2}},
      {"vprintf", {{0}, {}, {}}},
      {"vfprintf", {{1}, {}, {}}},
      {"vdprintf", {{1}, {}, {}}}};
  return table;
}

/// Of a constant that ends: its characters.
std::optional<std::string_view> constant_text(const llvm::Value* value) {
  llvm::StringRef text;
  if (!llvm::getConstantStringInfo(value, text, false)) return std::nullopt;
  const std::size_t end = text.find('\0');
  if (end == llvm::StringRef::npos) return std::nullopt;
  return std::string_view(text.data(), end);
}

constexpr std::uint64_t kNoLimit = 0xffffffff;  // -1

}  // namespace

void FunctionBody::read_text(const llvm::Value* text) {
  if (constant_text(text)) return;
  call_library("__heddle_read_text", {operand(text), number(kNoLimit)}, {});
}

void FunctionBody::read_outputs(const llvm::CallBase& call, const std::string& name) {
  const auto row = outputs().find(name);
  if (row == outputs().end()) return;
  const Output& output = row->second;
  if (output.format) read_printed(call, *output.format);
  if (!builder_.options().asks_for_accesses) return;
  for (const unsigned text : output.texts)
    if (text < call.arg_size()) read_text(call.getArgOperand(text));
  if (!output.buffer || output.buffer->size >= call.arg_size()) return;
  const auto word = [&](unsigned i) {
    const llvm::Value* value = call.getArgOperand(i);
    return resized(operand(value), width(value->getType()), builder_.pointer_width(), false);
  };
  Operand size = word(output.buffer->size);
  if (output.buffer->count && *output.buffer->count < call.arg_size())
    size = compute(model::c::Operator::Mul, builder_.pointer_width(), size,
                   word(*output.buffer->count));
  call_library("__heddle_read_bytes", {word(output.buffer->buffer), size}, {});
}

void FunctionBody::read_printed(const llvm::CallBase& call, unsigned format_at) {
  if (format_at >= call.arg_size()) return;
  const llvm::Value* format = call.getArgOperand(format_at);
  const bool reads = builder_.options().asks_for_accesses;
  if (reads) read_text(format);
  const auto text = constant_text(format);
  const auto parts = text ? read_print_format(*text, builder_.pointer_width()) : std::nullopt;
  unsigned next = format_at + 1;
  if (!parts || next + arguments_of(*parts) > call.arg_size()) return;
  for (const PrintedPart& part : *parts) {
    if (part.kind == PrintedPart::Kind::Text) continue;
    if (part.width.kind == PrintExtent::Kind::Argument) ++next;
    Operand most = number(kNoLimit);
    if (part.precision.kind == PrintExtent::Kind::Number) most = number(part.precision.value);
    if (part.precision.kind == PrintExtent::Kind::Argument) {
      const llvm::Value* value = call.getArgOperand(next++);
      most = resized(operand(value), width(value->getType()), 32, true);
    }
    const llvm::Value* value = call.getArgOperand(next++);
    if (part.kind == PrintedPart::Kind::Written)
      call_library("__heddle_put_any", {operand(value), number(part.bits / 8)}, {});
    else if (part.kind == PrintedPart::Kind::String && reads && !constant_text(value))
      call_library("__heddle_read_printed", {operand(value), most}, {});
  }
}

}  // namespace heddle::frontend::c
