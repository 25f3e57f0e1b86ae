/// LLVM's intrinsic functions.

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/c/module/function_body.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

bool FunctionBody::translate_intrinsic(const llvm::IntrinsicInst& call) {
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    if (llvm::isa<llvm::MemSetInst>(memory))
      translate_fill(*memory);
    else
      translate_copy(*memory);
    return true;
  }
  const auto pass_argument = [&](unsigned i) {
    pass(call, operand(call.getArgOperand(i)), width(call.getType()));
  };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::assume:  // what Clang believes is no assumption of ours
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::experimental_noalias_scope_decl: return true;
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end: translate_lifetime(call); return true;
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group: pass_argument(0); return true;
    case llvm::Intrinsic::stacksave: values_[&call] = {number(0)}; return true;
    case llvm::Intrinsic::is_constant: values_[&call] = {number(0)}; return true;
    case llvm::Intrinsic::objectsize: {
      const bool wants_least = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
      const std::uint8_t bits = width(call.getType());
      values_[&call] = {number(wants_least ? 0 : bits == 64 ? ~std::uint64_t{0} : 0xffffffffU)};
      return true;
    }
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap: emit(m::Exit{true}); return true;
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::returnaddress:
      values_[&call] = {any(builder_.pointer_width(), m::Choose::Why::UnknownFunction,
                            "an address of the stack")};
      return true;
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::vacopy: return translate_variable_arguments(call);
    default: return translate_bits_intrinsic(call) || translate_overflow_intrinsic(call);
  }
}

void FunctionBody::translate_lifetime(const llvm::IntrinsicInst& call) {
  const llvm::Value* address = call.getArgOperand(1)->stripPointerCasts();
  const bool begins = call.getIntrinsicID() == llvm::Intrinsic::lifetime_start;
  const auto variable = variable_register(address);
  if (!variable) return emit(m::Lifetime{operand(address), begins});
  if (!begins || !locals_.uninitialised.contains(&call)) return;
  const llvm::DILocalVariable* info = variable_at(address);
  emit(m::Choose{*variable, out_.register_widths[variable->index()], false,
                 m::Choose::Why::Uninitialised, info ? info->getName().str() : ""});
}

bool FunctionBody::translate_bits_intrinsic(const llvm::IntrinsicInst& call) {
  if (!call.getType()->isIntegerTy() || call.getType()->getIntegerBitWidth() > 64) return false;
  const std::uint8_t bits = width(call.getType());
  const auto argument = [&](unsigned i) { return operand(call.getArgOperand(i)); };
  const auto choose_by = [&](m::Operator less, bool wants_less) {
    const Operand a = argument(0), b = argument(1);
    const Operand is_less = compute(less, bits, a, b, 1);
    emit(m::Compute{target(call, bits), m::Operator::Select, bits, bits, false, is_less,
                    wants_less ? a : b, wants_less ? b : a});
    return true;
  };
  const auto count = [&](const char* helper) {
    const Operand wide = resized(argument(0), bits, 64, false);
    const Operand result = call_library(helper, {wide, number(bits)}, {32}).front();
    values_[&call] = {resized(result, 32, bits, false)};
    return true;
  };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::abs: {
      const Operand a = argument(0);
      const Operand is_negative = compute(m::Operator::SLt, bits, a, number(0), 1);
      const Register minus = fresh(bits);
      emit(m::Compute{minus, m::Operator::Sub, bits, bits, true, number(0), a, {}});
      emit(m::Compute{target(call, bits), m::Operator::Select, bits, bits, false, is_negative,
                      use(minus), a});
      return true;
    }
    case llvm::Intrinsic::smin: return choose_by(m::Operator::SLt, true);
    case llvm::Intrinsic::smax: return choose_by(m::Operator::SLt, false);
    case llvm::Intrinsic::umin: return choose_by(m::Operator::ULt, true);
    case llvm::Intrinsic::umax: return choose_by(m::Operator::ULt, false);
    case llvm::Intrinsic::ctpop: return count("__heddle_popcount");
    case llvm::Intrinsic::ctlz: return count("__heddle_leading_zeros");
    case llvm::Intrinsic::cttz: return count("__heddle_trailing_zeros");
    case llvm::Intrinsic::bswap: {
      const Operand wide = resized(argument(0), bits, 64, false);
      const Operand result = call_library("__heddle_byte_swap", {wide, number(bits)}, {64}).front();
      values_[&call] = {resized(result, 64, bits, false)};
      return true;
    }
    default: return false;
  }
}

/// `__builtin_add_overflow` and its family: the result and whether it is not the true one.
bool FunctionBody::translate_overflow_intrinsic(const llvm::IntrinsicInst& call) {
  const auto* checked = llvm::dyn_cast<llvm::WithOverflowInst>(&call);
  if (!checked || !checked->getLHS()->getType()->isIntegerTy()) return false;
  const std::uint8_t bits = width(checked->getLHS()->getType());
  if (checked->getLHS()->getType()->getIntegerBitWidth() > 64) return false;
  const Operand a = operand(checked->getLHS()), b = operand(checked->getRHS());
  const bool is_signed = checked->isSigned();
  const auto op = checked->getBinaryOp();
  const m::Operator operation = op == llvm::Instruction::Add   ? m::Operator::Add
                                : op == llvm::Instruction::Sub ? m::Operator::Sub
                                                               : m::Operator::Mul;
  const Operand result = compute(operation, bits, a, b);
  Operand overflows;
  if (operation == m::Operator::Mul) {
    const Operand wide_a = resized(a, bits, 64, is_signed),
                  wide_b = resized(b, bits, 64, is_signed);
    const Operand answer =
        call_library(is_signed ? "__heddle_smul_overflows" : "__heddle_umul_overflows",
                     {wide_a, wide_b, number(bits)}, {32})
            .front();
    overflows = compute(m::Operator::Ne, 32, answer, number(0), 1);
  } else if (!is_signed) {
    overflows = operation == m::Operator::Add ? compute(m::Operator::ULt, bits, result, a, 1)
                                              : compute(m::Operator::ULt, bits, a, b, 1);
  } else {
    // Adding a number that is not negative must not make it smaller, and the other way round.
    const Operand b_negative = compute(m::Operator::SLt, bits, b, number(0), 1);
    const Operand decreased = compute(m::Operator::SLt, bits, result, a, 1);
    const Operand increased = compute(m::Operator::SLt, bits, a, result, 1);
    overflows = operation == m::Operator::Add ? compute(m::Operator::Xor, 1, b_negative, decreased)
                                              : compute(m::Operator::Xor, 1, b_negative, increased);
    // Where b is 0 nothing decreased and nothing increased, and both sides are 0.
  }
  values_[&call] = {result, overflows};
  return true;
}

/// A list of variable arguments may be handed to our models of `vprintf` and its family, which do
/// not look at it. Reading it is not modelled.
bool FunctionBody::translate_variable_arguments(const llvm::IntrinsicInst& call) {
  if (call.getIntrinsicID() != llvm::Intrinsic::vastart) return true;
  const llvm::Value* list = call.getArgOperand(0)->stripPointerCasts();
  std::vector<const llvm::Value*> to_do = {list};
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(list))
    to_do.push_back(gep->getPointerOperand());
  std::unordered_set<const llvm::Value*> seen;
  while (!to_do.empty()) {
    const llvm::Value* value = to_do.back();
    to_do.pop_back();
    if (!seen.insert(value).second) continue;
    for (const llvm::User* user : value->users()) {
      if (const auto* other = llvm::dyn_cast<llvm::CallBase>(user)) {
        const llvm::Function* callee = other->getCalledFunction();
        if (llvm::isa<llvm::IntrinsicInst>(other) ||
            (callee && (callee->isDeclaration() || builder_.is_library(*callee))))
          continue;
      } else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (gep->hasAllZeroIndices()) {
          to_do.push_back(gep);
          continue;
        }
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (load->getType()->isPointerTy() && builder_.options().pointer_bytes == 4) {
          to_do.push_back(load);  // a va_list of 32 bits is a pointer; reading moves it
          continue;
        }
      }
      emit(m::Unsupported{"reading variable arguments"});
      return true;
    }
  }
  return true;
}

}  // namespace heddle::frontend::c
