/// Copies and fills of memory. Short ones of known size are loads and stores of the members (the
/// code that Clang generates says which bytes are members and which are padding); the others are
/// loops of our library.

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

constexpr std::uint64_t kLongestInline = 64;

struct Piece {
  std::uint64_t offset;
  std::uint8_t bytes;
};

/// Words as long as the alignment allows.
void cut(std::uint64_t offset, std::uint64_t size, std::uint64_t alignment,
         std::vector<Piece>& out) {
  while (size > 0) {
    std::uint64_t bytes = std::min<std::uint64_t>(8, std::max<std::uint64_t>(alignment, 1));
    while (bytes > size || offset % bytes != 0) bytes /= 2;
    out.push_back({offset, static_cast<std::uint8_t>(bytes)});
    offset += bytes;
    size -= bytes;
  }
}

std::vector<Piece> pieces(const llvm::MemIntrinsic& call, std::uint64_t size) {
  std::vector<Piece> out;
  std::uint64_t alignment = call.getDestAlign().valueOrOne().value();
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call))
    alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne().value());
  const llvm::MDNode* members = call.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!members) {
    cut(0, size, alignment, out);
    return out;
  }
  for (unsigned i = 0; i + 2 < members->getNumOperands(); i += 3) {
    const auto number = [&](unsigned n) {
      return llvm::mdconst::extract<llvm::ConstantInt>(members->getOperand(n))->getZExtValue();
    };
    const std::uint64_t offset = number(i), bytes = number(i + 1);
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
      out.push_back({offset, static_cast<std::uint8_t>(bytes)});
    else
      cut(offset, bytes, alignment, out);
  }
  return out;
}

}  // namespace

void FunctionBody::translate_copy(const llvm::MemIntrinsic& call) {
  const auto& transfer = llvm::cast<llvm::MemTransferInst>(call);
  const std::uint8_t bits = builder_.pointer_width();
  const Operand to = operand(call.getRawDest()), from = operand(transfer.getRawSource());
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  if (!length || length->getZExtValue() > kLongestInline) {
    const Operand size =
        resized(operand(call.getLength()), width(call.getLength()->getType()), bits, false);
    const bool may_overlap = llvm::isa<llvm::MemMoveInst>(call);
    call_library(may_overlap ? "__heddle_move" : "__heddle_copy", {to, from, size}, {bits});
    return;
  }
  auto parts = pieces(call, length->getZExtValue());
  if (const auto members = members_copied(call, length->getZExtValue())) {
    parts.clear();
    for (const Span& member : *members) parts.push_back({member.offset, member.bytes});
  }
  // The value of a constant initialiser is stored as such.
  const auto* constant =
      llvm::dyn_cast<llvm::GlobalVariable>(transfer.getRawSource()->stripPointerCasts());
  if (constant && !(constant->isConstant() && constant->hasInitializer())) constant = nullptr;
  std::vector<Operand> values;
  const auto load = [&](const Piece& part) {
    if (constant) {
      auto* type = llvm::IntegerType::get(call.getContext(), 8U * part.bytes);
      const llvm::APInt at(bits, part.offset);
      const llvm::Constant* known = llvm::ConstantFoldLoadFromConst(
          const_cast<llvm::Constant*>(constant->getInitializer()), type, at, builder_.layout());
      if (const auto* number_of = llvm::dyn_cast_or_null<llvm::ConstantInt>(known))
        return number(number_of->getZExtValue());
    }
    const Register word = fresh(static_cast<std::uint8_t>(8 * part.bytes));
    const Operand at = moved(from, part.offset);
    emit(m::Load{word, at, part.bytes, false});
    return use(word);
  };
  const auto store = [&](const Piece& part, Operand value) {
    const Operand at = moved(to, part.offset);
    emit(m::Store{at, value, part.bytes, false});
  };
  if (!llvm::isa<llvm::MemMoveInst>(call)) {
    for (const Piece& part : parts) store(part, load(part));
    return;
  }
  for (const Piece& part : parts) values.push_back(load(part));
  for (std::size_t i = 0; i < parts.size(); ++i) store(parts[i], values[i]);
}

void FunctionBody::translate_fill(const llvm::MemIntrinsic& call) {
  const auto& fill = llvm::cast<llvm::MemSetInst>(call);
  const std::uint8_t bits = builder_.pointer_width();
  const Operand to = operand(call.getRawDest()), byte = operand(fill.getValue());
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  if (!length || length->getZExtValue() > kLongestInline || byte.kind != Operand::Kind::Constant) {
    const Operand size =
        resized(operand(call.getLength()), width(call.getLength()->getType()), bits, false);
    call_library("__heddle_fill", {to, resized(byte, 8, 32, false), size}, {bits});
    return;
  }
  for (const Piece& part : pieces(call, length->getZExtValue())) {
    std::uint64_t value = byte.value * 0x0101010101010101U;
    if (part.bytes < 8) value &= (std::uint64_t{1} << (8 * part.bytes)) - 1;
    const Operand at = moved(to, part.offset);
    emit(m::Store{at, number(value), part.bytes, false});
  }
}

}  // namespace heddle::frontend::c
