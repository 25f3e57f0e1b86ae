/// Operands: where the values of instructions and constants are.

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "base/invariant.hpp"
#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

constexpr std::uint64_t kMostLeaves = 64;

void add_leaves(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                std::vector<Leaf>& out) {
  if (type->isVoidTy() || out.size() > kMostLeaves) return;
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      add_leaves(record->getElementType(i), offset + places->getElementOffset(i), layout, out);
    return;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t step = layout.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements() && i <= kMostLeaves; ++i)
      add_leaves(array->getElementType(), offset + i * step, layout, out);
    return;
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const std::uint64_t step = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      add_leaves(vector->getElementType(), offset + i * step, layout, out);
    return;
  }
  const std::uint64_t bits = type->isSized() ? layout.getTypeSizeInBits(type).getFixedValue() : 64;
  if (bits > 64)
    out.push_back({offset, 64, false});
  else
    out.push_back({offset, static_cast<std::uint8_t>(bits), true});
}

}  // namespace

std::vector<Leaf> FunctionBody::leaves(llvm::Type* type) const {
  std::vector<Leaf> out;
  add_leaves(type, 0, builder_.layout(), out);
  return out;
}

std::uint8_t FunctionBody::width(llvm::Type* type) const {
  const std::uint64_t bits = builder_.layout().getTypeSizeInBits(type);
  return static_cast<std::uint8_t>(bits > 64 ? 64 : bits);
}

FunctionBody::Register FunctionBody::fresh(std::uint8_t bits) {
  out_.register_widths.push_back(bits);
  is_variable_.push_back(false);
  return Register(out_.register_widths.size() - 1);
}

void FunctionBody::emit(m::Effect effect) {
  out_.code.push_back({std::move(effect), out_.is_library ? m::Position{} : here_});
  scopes_.push_back(scope_);
}

FunctionBody::Operand FunctionBody::any(std::uint8_t bits, m::Choose::Why why,
                                        const std::string& what) {
  const Register to = fresh(bits);
  emit(m::Choose{to, bits, false, why, what});
  return use(to);
}

std::vector<FunctionBody::Operand> FunctionBody::operands(const llvm::Value* value) {
  if (const auto known = values_.find(value); known != values_.end()) return known->second;
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) {  // an instruction that is unsupported: control does not get past it
    std::vector<Operand> placeholders(leaves(value->getType()).size(), number(0));
    return placeholders;
  }
  if (llvm::isa<llvm::UndefValue>(constant)) {
    std::vector<Operand> out;
    for (const Leaf& leaf : leaves(constant->getType()))
      out.push_back(any(leaf.width, m::Choose::Why::Uninitialised, "an undefined value"));
    return out;
  }
  llvm::Type* type = constant->getType();
  if (type->isAggregateType() || type->isVectorTy()) {
    std::vector<Operand> out;
    for (unsigned i = 0; const llvm::Constant* part = constant->getAggregateElement(i); ++i)
      for (const Operand& one : operands(part)) out.push_back(one);
    out.resize(leaves(type).size(), number(0));
    return out;
  }
  if (const auto simple = builder_.operand(*constant)) return {*simple};
  return {computed_constant(*constant, width(type))};
}

FunctionBody::Operand FunctionBody::operand(const llvm::Value* value) {
  const std::vector<Operand> all = operands(value);
  return all.empty() ? number(0) : all.front();
}

/// Differences of addresses and the like, which a linker would compute.
FunctionBody::Operand FunctionBody::computed_constant(const llvm::Constant& constant,
                                                      std::uint8_t bits) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression) return number(0);
  const auto part = [&](unsigned i) { return operand(expression->getOperand(i)); };
  const auto part_width = [&] { return width(expression->getOperand(0)->getType()); };
  switch (expression->getOpcode()) {
    case llvm::Instruction::Add: return compute(m::Operator::Add, bits, part(0), part(1));
    case llvm::Instruction::Sub: return compute(m::Operator::Sub, bits, part(0), part(1));
    case llvm::Instruction::Mul: return compute(m::Operator::Mul, bits, part(0), part(1));
    case llvm::Instruction::Xor: return compute(m::Operator::Xor, bits, part(0), part(1));
    case llvm::Instruction::Trunc:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr: return resized(part(0), part_width(), bits, false);
    case llvm::Instruction::GetElementPtr: {
      llvm::APInt offset(bits, 0);
      if (llvm::cast<llvm::GEPOperator>(expression)
              ->accumulateConstantOffset(builder_.layout(), offset))
        return compute(m::Operator::Add, bits, part(0), number(offset.getZExtValue()));
      break;
    }
    default: break;
  }
  emit(m::Unsupported{std::string("a constant made by ") + expression->getOpcodeName()});
  return number(0);
}

/// The variable that a value is stored to by the next instruction, if nothing else uses the value.
FunctionBody::Register FunctionBody::target(const llvm::Instruction& i, std::uint8_t bits) {
  const auto* store = llvm::dyn_cast_or_null<llvm::StoreInst>(i.getNextNonDebugInstruction());
  if (store && store->getValueOperand() == &i && i.hasOneUse()) {
    const auto variable = variable_register(store->getPointerOperand());
    if (variable && out_.register_widths[variable->index()] == bits) {
      done_.insert(store);
      return *variable;
    }
  }
  const Register to = fresh(bits);
  values_[&i] = {use(to)};
  return to;
}

/// A variable may change before the value is used; then it is copied.
void FunctionBody::pass(const llvm::Instruction& i, Operand value, std::uint8_t bits) {
  if (value.kind == Operand::Kind::Register && is_variable_[value.index]) {
    const Register to = target(i, bits);
    emit(m::Compute{to, m::Operator::Copy, bits, bits, false, value, {}, {}});
    return;
  }
  values_[&i] = {value};
}

std::optional<FunctionBody::Register> FunctionBody::variable_register(
    const llvm::Value* address) const {
  const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(address);
  if (!alloca) return std::nullopt;
  const auto found = variables_.find(alloca);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

/// Is the variable unchanged at all uses of what was read from it?
bool FunctionBody::is_stable(const llvm::Instruction& load) const {
  std::size_t last_use = 0;
  for (const llvm::User* user : load.users()) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
    if (!i || i->getParent() != load.getParent() || llvm::isa<llvm::PHINode>(i)) return false;
    last_use = std::max(last_use, order_.at(i));
  }
  const auto* alloca = llvm::cast<llvm::LoadInst>(load).getPointerOperand();
  const std::size_t here = order_.at(&load);
  for (const llvm::User* user : alloca->users()) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(user);
    if (!i || i->getParent() != load.getParent() || llvm::isa<llvm::LoadInst>(i)) continue;
    const std::size_t change = order_.at(i);  // a store, or the variable begins a new life
    // A store whose value is computed by the instruction before it happens with that instruction.
    if (change > here && change < last_use) return false;
  }
  return true;
}

FunctionBody::Operand FunctionBody::compute(m::Operator op, std::uint8_t bits, Operand a, Operand b,
                                            std::uint8_t to_bits) {
  const Register to = fresh(to_bits ? to_bits : bits);
  emit(m::Compute{to, op, bits, to_bits ? to_bits : bits, false, a, b, {}});
  return use(to);
}

FunctionBody::Operand FunctionBody::resized(Operand value, std::uint8_t from, std::uint8_t to,
                                            bool is_signed) {
  if (from == to) return value;
  if (value.kind == Operand::Kind::Constant) {
    const auto mask = [](std::uint8_t bits) {
      return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    };
    if (is_signed && to > from && (value.value >> (from - 1) & 1)) value.value |= ~mask(from);
    value.value &= mask(to);
    return value;
  }
  const m::Operator op = to < from   ? m::Operator::Truncate
                         : is_signed ? m::Operator::SignExtend
                                     : m::Operator::ZeroExtend;
  return compute(op, from, value, {}, to);
}

FunctionBody::Operand FunctionBody::moved(Operand address, std::uint64_t by) {
  if (by == 0) return address;
  const std::uint8_t bits = builder_.pointer_width();
  if (address.kind == Operand::Kind::Constant || address.kind == Operand::Kind::Global) {
    address.value += by;
    if (bits < 64) address.value &= (std::uint64_t{1} << bits) - 1;
    return address;
  }
  return compute(m::Operator::Add, bits, address, number(by));
}

void FunctionBody::unsupported(const llvm::Instruction&, const std::string& what) {
  emit(m::Unsupported{what});
}

}  // namespace heddle::frontend::c
