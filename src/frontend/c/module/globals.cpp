/// Globals and constants: initial values as bytes, addresses in them as relocations.

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "frontend/c/module/program_builder.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

std::uint64_t masked(std::uint64_t value, std::uint64_t bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

m::Operand number(std::uint64_t value) { return {m::Operand::Kind::Constant, 0, value}; }

/// The sum of an address and a number.
std::optional<m::Operand> moved(m::Operand at, std::uint64_t by, std::uint64_t width) {
  if (by == 0) return at;
  if (at.kind != m::Operand::Kind::Constant && at.kind != m::Operand::Kind::Global)
    return std::nullopt;
  at.value = masked(at.value + by, width);
  return at;
}

std::string name_of(const llvm::GlobalVariable& variable, const llvm::DIGlobalVariable* info) {
  if (info && !info->getName().empty()) return info->getName().str();
  if (variable.isConstant() && variable.hasPrivateLinkage()) return "constant";
  return variable.getName().str();
}

}  // namespace

std::optional<m::Operand> ProgramBuilder::operand(const llvm::Constant& constant) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (integer->getBitWidth() > 64) return std::nullopt;
    return number(integer->getZExtValue());
  }
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 64) return std::nullopt;
    return number(bits.getZExtValue());
  }
  if (constant.isNullValue() && !constant.getType()->isAggregateType()) return number(0);
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return m::Operand{m::Operand::Kind::Global, global(*variable).value, 0};
  if (const auto* code = llvm::dyn_cast<llvm::Function>(&constant))
    return m::Operand{m::Operand::Kind::Function, function(*code).value, 0};
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant))
    return operand(*alias->getAliasee());
  if (llvm::isa<llvm::ConstantExpr>(constant)) return constant_expression(constant);
  return std::nullopt;
}

std::optional<m::Operand> ProgramBuilder::constant_expression(const llvm::Constant& constant) {
  const auto& expression = llvm::cast<llvm::ConstantExpr>(constant);
  const std::uint64_t width = pointer_width();
  const auto part = [&](unsigned i) { return operand(*expression.getOperand(i)); };
  switch (expression.getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      llvm::APInt offset(static_cast<unsigned>(width), 0);
      const auto base = part(0);
      if (!base ||
          !llvm::cast<llvm::GEPOperator>(expression).accumulateConstantOffset(layout_, offset))
        return std::nullopt;
      return moved(*base, offset.getZExtValue(), width);
    }
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast: return part(0);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr: {
      const auto from = layout_.getTypeSizeInBits(expression.getOperand(0)->getType());
      const auto to = layout_.getTypeSizeInBits(expression.getType());
      const auto value = part(0);
      if (!value || to > 64 || from > 64) return std::nullopt;
      if (value->kind == m::Operand::Kind::Constant) return number(masked(value->value, to));
      return from == to ? value : std::nullopt;
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      const auto a = part(0), b = part(1);
      const bool is_sub = expression.getOpcode() == llvm::Instruction::Sub;
      if (!a || !b || layout_.getTypeSizeInBits(expression.getType()) != width) return std::nullopt;
      if (b->kind == m::Operand::Kind::Constant)
        return moved(*a, is_sub ? masked(~b->value + 1, width) : b->value, width);
      if (is_sub && a->kind == b->kind && a->index == b->index)
        return number(masked(a->value - b->value, width));
      if (!is_sub && a->kind == m::Operand::Kind::Constant) return moved(*b, a->value, width);
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

void ProgramBuilder::write(const llvm::Constant& constant, std::uint64_t offset,
                           m::Global& global) {
  if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue()) return;
  const std::uint64_t bytes = layout_.getTypeStoreSize(constant.getType());
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    const llvm::APInt wide = integer->getValue().zext(
        std::max<unsigned>(integer->getBitWidth(), static_cast<unsigned>(8 * bytes)));
    for (std::uint64_t i = 0; i < bytes; ++i)
      global.initial[offset + i] =
          static_cast<std::uint8_t>(wide.extractBitsAsZExtValue(8, static_cast<unsigned>(8 * i)));
    return;
  }
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    for (unsigned i = 0; 8 * i + 8 <= bits.getBitWidth(); ++i)
      global.initial[offset + i] = static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(8, 8 * i));
    return;
  }
  if (write_composite(constant, offset, global)) return;
  const auto value = operand(constant);
  if (!value) {
    warn("the initial value of '" + global.name + "' is not modelled at offset " +
         std::to_string(offset));
    return;
  }
  if (value->kind != m::Operand::Kind::Constant) {
    global.relocations.push_back({offset, *value});
    return;
  }
  for (std::uint64_t i = 0; i < bytes && i < 8; ++i)
    global.initial[offset + i] = static_cast<std::uint8_t>(value->value >> (8 * i));
}

bool ProgramBuilder::write_composite(const llvm::Constant& constant, std::uint64_t offset,
                                     m::Global& global) {
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const llvm::StringRef raw = data->getRawDataValues();  // in the order of this machine's bytes
    std::copy(raw.bytes_begin(), raw.bytes_end(),
              global.initial.begin() + static_cast<std::ptrdiff_t>(offset));
    return true;
  }
  if (const auto* record = llvm::dyn_cast<llvm::ConstantStruct>(&constant)) {
    const llvm::StructLayout* places = layout_.getStructLayout(record->getType());
    for (unsigned i = 0; i < record->getNumOperands(); ++i)
      write(*record->getOperand(i), offset + places->getElementOffset(i), global);
    return true;
  }
  if (llvm::isa<llvm::ConstantArray>(constant) || llvm::isa<llvm::ConstantVector>(constant)) {
    const auto* element = llvm::cast<llvm::Constant>(constant.getOperand(0));
    const std::uint64_t step = layout_.getTypeAllocSize(element->getType());
    for (unsigned i = 0; i < constant.getNumOperands(); ++i)
      write(*llvm::cast<llvm::Constant>(constant.getOperand(i)), offset + i * step, global);
    return true;
  }
  return false;
}

void ProgramBuilder::initialise(m::GlobalId id, const llvm::GlobalVariable& variable) {
  m::Global out;
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> infos;
  variable.getDebugInfo(infos);
  const llvm::DIGlobalVariable* info = infos.empty() ? nullptr : infos.front()->getVariable();
  out.name = name_of(variable, info);
  llvm::Type* type = variable.getValueType();
  out.size = type->isSized() ? layout_.getTypeAllocSize(type).getFixedValue() : 0;
  out.alignment = layout_.getPreferredAlign(&variable).value();
  out.is_thread_local = variable.isThreadLocal();
  out.is_constant = variable.isConstant();
  out.is_extern = !variable.hasInitializer();
  if (info) {
    out.type = this->type(info->getType());
    out.position = position(info->getFile(), info->getLine());
  }
  if (variable.hasInitializer() && !variable.getInitializer()->isNullValue()) {
    out.initial.assign(out.size, 0);
    write(*variable.getInitializer(), 0, out);
  }
  program_.globals[id.index()] = std::move(out);
}

}  // namespace heddle::frontend::c
