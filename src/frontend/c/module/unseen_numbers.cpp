/// Programs print how long they took, and averages. The model has no floating point, but it need
/// not have it where nothing depends on it. All candidates are taken for unseen at first; those
/// with a user that sees them are taken away, until nothing changes.
///
/// Nothing is lost: floating point does not trap, and accesses to memory that others may know stay.
/// What C leaves undefined in such an instruction (a number that does not fit into an integer) is
/// in a result that nobody uses.

#include "frontend/c/module/unseen_numbers.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::frontend::c {

namespace {

using Unseen = std::unordered_set<const llvm::Instruction*>;

bool is_real(const llvm::Value& value) {
  return value.getType()->getScalarType()->isFloatingPointTy();
}

/// A variable of floating point that is only read and written as a whole.
bool is_private(const llvm::Value* address) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(address);
  if (!variable || !variable->getAllocatedType()->isFloatingPointTy()) return false;
  return std::ranges::all_of(variable->users(), [&](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return !load->isVolatile() && is_real(*load);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return !store->isVolatile() && store->getPointerOperand() == variable &&
             is_real(*store->getValueOperand());
    return llvm::isa<llvm::LifetimeIntrinsic>(user);
  });
}

bool is_candidate(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
    case llvm::Instruction::FNeg:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt:
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: return true;
    case llvm::Instruction::PHI:
    case llvm::Instruction::Select: return is_real(i);
    case llvm::Instruction::Load: return is_private(i.getOperand(0));
    case llvm::Instruction::Store: return is_private(i.getOperand(1));
    default: break;
  }
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return intrinsic && is_real(i) && !intrinsic->mayReadOrWriteMemory();
}

class Search {
 public:
  Search(const llvm::Function& function,
         const std::function<bool(const llvm::Function&)>& ignores_variable_arguments)
      : ignores_(ignores_variable_arguments) {
    for (const llvm::Instruction& i : llvm::instructions(function))
      if (is_candidate(i)) unseen_.insert(&i);
  }

  Unseen run() {
    for (bool changes = !unseen_.empty(); changes;)
      changes = std::erase_if(unseen_, [&](const auto* i) { return is_seen(*i); }) != 0;
    return std::move(unseen_);
  }

 private:
  /// A store is seen if one of the loads of its variable is.
  bool is_seen(const llvm::Instruction& i) const {
    const llvm::Value* result = &i;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      result = store->getPointerOperand();
    return llvm::any_of(result->uses(), [&](const llvm::Use& use) { return sees(use); });
  }

  bool sees(const llvm::Use& use) const {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user || unseen_.contains(user)) return !user;
    if (llvm::isa<llvm::LifetimeIntrinsic>(user)) return false;
    if (llvm::isa<llvm::StoreInst>(user) && is_private(use.get())) return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isIntrinsic() || !call->isArgOperand(&use)) return true;
    const bool is_variable =
        callee->isVarArg() && call->getArgOperandNo(&use) >= callee->arg_size();
    return !is_variable || !is_real(*use.get()) || !ignores_(*callee);
  }

  const std::function<bool(const llvm::Function&)>& ignores_;
  Unseen unseen_;
};

}  // namespace

Unseen unseen_numbers(
    const llvm::Function& function,
    const std::function<bool(const llvm::Function&)>& ignores_variable_arguments) {
  return Search(function, ignores_variable_arguments).run();
}

}  // namespace heddle::frontend::c
