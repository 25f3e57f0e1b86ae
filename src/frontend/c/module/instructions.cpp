/// One instruction of LLVM, one or a few of ours.

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

std::optional<m::Operator> arithmetic_operator(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add: return m::Operator::Add;
    case llvm::Instruction::Sub: return m::Operator::Sub;
    case llvm::Instruction::Mul: return m::Operator::Mul;
    case llvm::Instruction::UDiv: return m::Operator::UDiv;
    case llvm::Instruction::SDiv: return m::Operator::SDiv;
    case llvm::Instruction::URem: return m::Operator::URem;
    case llvm::Instruction::SRem: return m::Operator::SRem;
    case llvm::Instruction::Shl: return m::Operator::Shl;
    case llvm::Instruction::LShr: return m::Operator::LShr;
    case llvm::Instruction::AShr: return m::Operator::AShr;
    case llvm::Instruction::And: return m::Operator::And;
    case llvm::Instruction::Or: return m::Operator::Or;
    case llvm::Instruction::Xor: return m::Operator::Xor;
    default: return std::nullopt;
  }
}

struct Comparison {
  m::Operator op;
  bool swapped;
};

std::optional<Comparison> comparison(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return Comparison{m::Operator::Eq, false};
    case llvm::CmpInst::ICMP_NE: return Comparison{m::Operator::Ne, false};
    case llvm::CmpInst::ICMP_ULT: return Comparison{m::Operator::ULt, false};
    case llvm::CmpInst::ICMP_ULE: return Comparison{m::Operator::ULe, false};
    case llvm::CmpInst::ICMP_UGT: return Comparison{m::Operator::ULt, true};
    case llvm::CmpInst::ICMP_UGE: return Comparison{m::Operator::ULe, true};
    case llvm::CmpInst::ICMP_SLT: return Comparison{m::Operator::SLt, false};
    case llvm::CmpInst::ICMP_SLE: return Comparison{m::Operator::SLe, false};
    case llvm::CmpInst::ICMP_SGT: return Comparison{m::Operator::SLt, true};
    case llvm::CmpInst::ICMP_SGE: return Comparison{m::Operator::SLe, true};
    default: return std::nullopt;
  }
}

std::optional<m::ReadModifyWrite::Operation> read_modify_write(llvm::AtomicRMWInst::BinOp op) {
  using Operation = m::ReadModifyWrite::Operation;
  switch (op) {
    case llvm::AtomicRMWInst::Xchg: return Operation::Exchange;
    case llvm::AtomicRMWInst::Add: return Operation::Add;
    case llvm::AtomicRMWInst::Sub: return Operation::Sub;
    case llvm::AtomicRMWInst::And: return Operation::And;
    case llvm::AtomicRMWInst::Nand: return Operation::Nand;
    case llvm::AtomicRMWInst::Or: return Operation::Or;
    case llvm::AtomicRMWInst::Xor: return Operation::Xor;
    case llvm::AtomicRMWInst::Max: return Operation::Max;
    case llvm::AtomicRMWInst::Min: return Operation::Min;
    case llvm::AtomicRMWInst::UMax: return Operation::UMax;
    case llvm::AtomicRMWInst::UMin: return Operation::UMin;
    default: return std::nullopt;
  }
}

bool is_weak(llvm::AtomicOrdering order) {
  return order != llvm::AtomicOrdering::NotAtomic &&
         order != llvm::AtomicOrdering::SequentiallyConsistent;
}

bool is_word(const llvm::Type* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool is_real(const llvm::Type* type) { return type->getScalarType()->isFloatingPointTy(); }

std::string what_is(const llvm::Instruction& i) {
  const llvm::Type* type = i.getNumOperands() ? i.getOperand(0)->getType() : i.getType();
  if (is_real(type) || is_real(i.getType())) return "floating point";
  if (type->isVectorTy() || i.getType()->isVectorTy()) return "vectors";
  if ((type->isIntegerTy() && type->getIntegerBitWidth() > 64) ||
      (i.getType()->isIntegerTy() && i.getType()->getIntegerBitWidth() > 64))
    return "integers of more than 64 bits";
  return std::string("instruction ") + i.getOpcodeName();
}

}  // namespace

void FunctionBody::translate(const llvm::Instruction& i) {
  if (unseen_.contains(&i) && !llvm::isa<llvm::PHINode>(i)) {
    values_[&i].assign(leaves(i.getType()).size(), number(0));
    return;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) return translate_call(*call);
  if (translate_memory(i) || translate_atomic(i) || translate_arithmetic(i) ||
      translate_comparison(i) || translate_cast(i) || translate_aggregate(i))
    return;
  unsupported(i, what_is(i));
}

bool FunctionBody::translate_arithmetic(const llvm::Instruction& i) {
  const auto op = arithmetic_operator(i.getOpcode());
  if (!op || !is_word(i.getType())) return false;
  const std::uint8_t bits = width(i.getType());
  const auto* wrapping = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&i);
  const bool is_signed = *op == m::Operator::SDiv || *op == m::Operator::SRem ||
                         (wrapping && wrapping->hasNoSignedWrap());
  const Operand a = operand(i.getOperand(0)), b = operand(i.getOperand(1));
  emit(m::Compute{target(i, bits), *op, bits, bits, is_signed, a, b, {}});
  return true;
}

bool FunctionBody::translate_comparison(const llvm::Instruction& i) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&i);
  if (!compare || !is_word(i.getOperand(0)->getType())) return false;
  const auto how = comparison(compare->getPredicate());
  if (!how) return false;
  Operand a = operand(i.getOperand(0)), b = operand(i.getOperand(1));
  if (how->swapped) std::swap(a, b);
  const std::uint8_t bits = width(i.getOperand(0)->getType());
  emit(m::Compute{target(i, 1), how->op, bits, 1, false, a, b, {}});
  return true;
}

bool FunctionBody::translate_cast(const llvm::Instruction& i) {
  if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&i)) {
    if (leaves(i.getType()).size() != 1) return false;
    pass(i, operand(freeze->getOperand(0)), width(i.getType()));
    return true;
  }
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i);
  if (!cast) return false;
  llvm::Type* from_type = cast->getSrcTy();
  const auto from_leaves = leaves(from_type), to_leaves = leaves(cast->getDestTy());
  if (from_leaves.size() != 1 || to_leaves.size() != 1 || !from_leaves[0].fits ||
      !to_leaves[0].fits)
    return false;
  const std::uint8_t from = from_leaves[0].width, to = to_leaves[0].width;
  const Operand value = operand(cast->getOperand(0));
  switch (cast->getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast: break;
    default: return false;  // floating point
  }
  if (from == to) {
    pass(i, value, to);
    return true;
  }
  const m::Operator op = to < from                                      ? m::Operator::Truncate
                         : cast->getOpcode() == llvm::Instruction::SExt ? m::Operator::SignExtend
                                                                        : m::Operator::ZeroExtend;
  emit(m::Compute{target(i, to), op, from, to, false, value, {}, {}});
  return true;
}

bool FunctionBody::translate_aggregate(const llvm::Instruction& i) {
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    if (select->getCondition()->getType()->isVectorTy()) return false;
    const Operand condition = operand(select->getCondition());
    const auto parts = leaves(i.getType());
    const auto a = operands(select->getTrueValue()), b = operands(select->getFalseValue());
    std::vector<Operand> out;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const std::uint8_t bits = parts[n].width;
      const Register to = parts.size() == 1 ? target(i, bits) : fresh(bits);
      emit(m::Compute{to, m::Operator::Select, bits, bits, false, condition, a[n], b[n]});
      out.push_back(use(to));
    }
    if (parts.size() != 1) values_[&i] = out;
    return true;
  }
  const auto first_leaf = [&](llvm::Type* type, llvm::ArrayRef<unsigned> path) {
    std::size_t at = 0;
    for (const unsigned step : path) {
      for (unsigned before = 0; before < step; ++before)
        at += leaves(llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{before})).size();
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{step});
    }
    return at;
  };
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    const auto all = operands(extract->getAggregateOperand());
    const std::size_t at =
        first_leaf(extract->getAggregateOperand()->getType(), extract->getIndices());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
    values_[&i].assign(begin, begin + static_cast<std::ptrdiff_t>(leaves(i.getType()).size()));
    return true;
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&i)) {
    const llvm::Value* whole = insert->getAggregateOperand();
    auto all = llvm::isa<llvm::UndefValue>(whole)
                   ? std::vector<Operand>(leaves(i.getType()).size(), number(0))
                   : operands(whole);
    auto part = operands(insert->getInsertedValueOperand());
    for (Operand& one : part) {  // a variable may change before the structure is used
      if (one.kind != Operand::Kind::Register || !is_variable_[one.index]) continue;
      one = compute(m::Operator::Copy, out_.register_widths[one.index], one, {});
    }
    std::copy(
        part.begin(), part.end(),
        all.begin() + static_cast<std::ptrdiff_t>(first_leaf(i.getType(), insert->getIndices())));
    values_[&i] = all;
    return true;
  }
  return false;
}

bool FunctionBody::translate_memory(const llvm::Instruction& i) {
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&i))
    translate_alloca(*alloca);
  else if (llvm::isa<llvm::LoadInst>(i))
    translate_load(i);
  else if (llvm::isa<llvm::StoreInst>(i))
    translate_store(i);
  else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
    translate_gep(*gep);
  else
    return false;
  return true;
}

void FunctionBody::translate_alloca(const llvm::AllocaInst& i) {
  const llvm::DILocalVariable* info = variable_at(&i);
  const std::string name = info ? info->getName().str() : std::string();
  if (const auto variable = variable_register(&i)) {
    if (locals_.uninitialised.contains(&i))
      emit(m::Choose{*variable, out_.register_widths[variable->index()], false,
                     m::Choose::Why::Uninitialised,
                     name.empty() ? "the result of " + out_.name : name});
    return;
  }
  const std::uint8_t bits = builder_.pointer_width();
  const std::uint64_t element = builder_.layout().getTypeAllocSize(i.getAllocatedType());
  Operand size = number(element);
  if (i.isArrayAllocation()) {
    const Operand count =
        resized(operand(i.getArraySize()), width(i.getArraySize()->getType()), bits, false);
    size = element == 1 ? count : compute(m::Operator::Mul, bits, count, number(element));
  }
  const Register to = fresh(bits);
  values_[&i] = {use(to)};
  const m::Position before = here_;
  if (info) here_ = builder_.position(info->getFile(), info->getLine());
  emit(m::Allocate{to, m::Allocate::Where::Stack, size, false,
                   info ? builder_.type(info->getType()) : std::nullopt, name});
  here_ = before;
  if (info) add_variable(info, to, true);
}

void FunctionBody::note_order(bool weak) {
  if (weak)
    builder_.warn(
        "memory orders weaker than memory_order_seq_cst are treated as "
        "memory_order_seq_cst");
}

void FunctionBody::translate_load(const llvm::Instruction& i) {
  const auto& load = llvm::cast<llvm::LoadInst>(i);
  const std::uint8_t bits = width(i.getType());
  if (const auto variable = variable_register(load.getPointerOperand())) {
    if (is_stable(i))
      values_[&i] = {use(*variable)};
    else
      pass(i, use(*variable), bits);
    return;
  }
  note_order(is_weak(load.getOrdering()));
  load_leaves(i, operand(load.getPointerOperand()), load.isAtomic());
}

void FunctionBody::load_leaves(const llvm::Instruction& i, Operand address, bool is_atomic) {
  const auto parts = leaves(i.getType());
  std::vector<Operand> out;
  for (const Leaf& part : parts) {
    if (!part.fits) return unsupported(i, "loads of more than 8 bytes (long double, __int128)");
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (const auto word = load ? load_members(*load, part, address) : std::nullopt) {
      out.push_back(*word);
      if (parts.size() == 1) pass(i, *word, part.width);
      continue;
    }
    const Operand at = moved(address, part.offset);
    const Register to = parts.size() == 1 ? target(i, part.width) : fresh(part.width);
    emit(m::Load{to, at, static_cast<std::uint8_t>((part.width + 7) / 8), is_atomic});
    out.push_back(use(to));
  }
  if (parts.size() != 1) values_[&i] = out;
}

void FunctionBody::translate_store(const llvm::Instruction& i) {
  const auto& store = llvm::cast<llvm::StoreInst>(i);
  llvm::Type* type = store.getValueOperand()->getType();
  if (const auto variable = variable_register(store.getPointerOperand())) {
    const std::uint8_t bits = width(type);
    if (llvm::isa<llvm::UndefValue>(store.getValueOperand()))
      return emit(m::Choose{*variable, bits, false, m::Choose::Why::Uninitialised, ""});
    return emit(m::Compute{
        *variable, m::Operator::Copy, bits, bits, false, operand(store.getValueOperand()), {}, {}});
  }
  note_order(is_weak(store.getOrdering()));
  const Operand address = operand(store.getPointerOperand());
  const auto values = operands(store.getValueOperand());
  const auto parts = leaves(type);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (!parts[n].fits)
      return unsupported(i, "stores of more than 8 bytes (long double, __int128)");
    if (store_members(store, parts[n], address, values[n])) continue;
    const Operand at = moved(address, parts[n].offset);
    emit(m::Store{at, values[n], static_cast<std::uint8_t>((parts[n].width + 7) / 8),
                  store.isAtomic()});
  }
}

/// The base, plus a constant, plus indices times sizes.
void FunctionBody::translate_gep(const llvm::GetElementPtrInst& i) {
  const std::uint8_t bits = builder_.pointer_width();
  llvm::MapVector<llvm::Value*, llvm::APInt> indices;
  llvm::APInt constant(bits, 0);
  if (i.getType()->isVectorTy() ||
      !llvm::cast<llvm::GEPOperator>(i).collectOffset(builder_.layout(), bits, indices, constant))
    return unsupported(i, "vectors of addresses");
  std::vector<Operand> terms;
  for (const auto& [index, scale] : indices) {
    Operand term = resized(operand(index), width(index->getType()), bits, true);
    if (scale != 1) term = compute(m::Operator::Mul, bits, term, number(scale.getZExtValue()));
    terms.push_back(term);
  }
  Operand base = operand(i.getPointerOperand());
  const bool folds = base.kind == Operand::Kind::Global || base.kind == Operand::Kind::Constant;
  if (folds)
    base = moved(base, constant.getZExtValue());
  else if (constant != 0)
    terms.push_back(number(constant.getZExtValue()));
  if (terms.empty()) return pass(i, base, bits);
  for (std::size_t n = 0; n + 1 < terms.size(); ++n)
    base = compute(m::Operator::Add, bits, base, terms[n]);
  emit(m::Compute{target(i, bits), m::Operator::Add, bits, bits, false, base, terms.back(), {}});
}

bool FunctionBody::translate_atomic(const llvm::Instruction& i) {
  if (llvm::isa<llvm::FenceInst>(i)) {
    emit(m::Synchronise{m::SyncOperation::Fence, std::nullopt, {}});
    return true;
  }
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    const auto operation = read_modify_write(change->getOperation());
    const std::uint8_t bits = width(i.getType());
    if (!operation || !is_word(i.getType())) return false;
    note_order(is_weak(change->getOrdering()));
    const Operand address = operand(change->getPointerOperand());
    const Operand value = operand(change->getValOperand());
    emit(m::ReadModifyWrite{target(i, bits), *operation, address, value,
                            static_cast<std::uint8_t>((bits + 7) / 8)});
    return true;
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
    llvm::Type* type = exchange->getCompareOperand()->getType();
    if (!is_word(type)) return false;
    note_order(is_weak(exchange->getSuccessOrdering()) || is_weak(exchange->getFailureOrdering()));
    const std::uint8_t bits = width(type);
    const Register old = fresh(bits), success = fresh(1);
    emit(m::CompareExchange{old, success, operand(exchange->getPointerOperand()),
                            operand(exchange->getCompareOperand()),
                            operand(exchange->getNewValOperand()),
                            static_cast<std::uint8_t>((bits + 7) / 8), exchange->isWeak()});
    values_[&i] = {use(old), use(success)};
    return true;
  }
  return false;
}

}  // namespace heddle::frontend::c
