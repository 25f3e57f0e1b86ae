/// Liveness, backwards over the blocks until nothing changes: a variable is live where some path
/// reads it before it writes it. A variable that is live where its life begins is read
/// uninitialised on some path; elsewhere no choice of an initial value is needed.

#include "frontend/c/module/locals.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

namespace heddle::frontend::c {

namespace {

using Live = llvm::BitVector;

const llvm::AllocaInst* accessed(const llvm::Value* address) {
  return llvm::dyn_cast<llvm::AllocaInst>(address);
}

/// Steps back over one instruction. Where a life begins, reports whether the variable was live.
class Liveness {
 public:
  Liveness(const llvm::Function& function, Locals& locals) : function_(function), locals_(locals) {}

  void solve() {
    bool changes = true;
    while (changes) {
      changes = false;
      for (const llvm::BasicBlock* block : llvm::post_order(&function_))
        if (Live in = step_back(*block, false); in != at_begin_[block]) {
          at_begin_[block] = std::move(in);
          changes = true;
        }
    }
    for (const llvm::BasicBlock* block : llvm::post_order(&function_)) step_back(*block, true);
  }

 private:
  Live step_back(const llvm::BasicBlock& block, bool report) {
    Live live(static_cast<unsigned>(locals_.promoted.size()));
    for (const llvm::BasicBlock* next : llvm::successors(&block)) live |= at_begin_[next];
    for (auto i = block.rbegin(); i != block.rend(); ++i) step_back(*i, live, report);
    return live;
  }

  void step_back(const llvm::Instruction& i, Live& live, bool report) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
      if (const auto n = promoted(load->getPointerOperand())) live.set(*n);
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      if (const auto n = promoted(store->getPointerOperand())) live.reset(*n);
    } else if (const auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(&i)) {
      const auto n = promoted(marker->getArgOperand(1)->stripPointerCasts());
      if (n && marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
        begin(i, *n, live, report);
    } else if (const auto n = promoted(&i)) {
      begin(i, *n, live, report);
    }
  }

  void begin(const llvm::Instruction& i, unsigned n, Live& live, bool report) {
    if (report && live.test(n)) locals_.uninitialised.insert(&i);
    live.reset(n);
  }

  std::optional<unsigned> promoted(const llvm::Value* address) const {
    const llvm::AllocaInst* alloca = accessed(address);
    if (!alloca) return std::nullopt;
    const auto found = locals_.index_of.find(alloca);
    if (found == locals_.index_of.end()) return std::nullopt;
    return static_cast<unsigned>(found->second);
  }

  const llvm::Function& function_;
  Locals& locals_;
  std::unordered_map<const llvm::BasicBlock*, Live> at_begin_;
};

bool fits_a_register(const llvm::Type* type) {
  if (const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type))
    return integer->getBitWidth() <= 64;
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
}

bool makes_numbers_of_pointers(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& i : block)
      if (llvm::isa<llvm::PtrToIntInst>(i)) return true;
  return false;
}

}  // namespace

Locals find_locals(const llvm::Function& function, bool keeps_pointers) {
  Locals locals;
  const bool has_disguises = keeps_pointers && makes_numbers_of_pointers(function);
  for (const llvm::Instruction& i : function.getEntryBlock()) {
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&i);
    if (!alloca || alloca->isArrayAllocation() || !fits_a_register(alloca->getAllocatedType()) ||
        !llvm::isAllocaPromotable(alloca))
      continue;
    const llvm::Type* type = alloca->getAllocatedType();
    if (keeps_pointers && (type->isPointerTy() || (has_disguises && type->isIntegerTy()))) continue;
    locals.index_of.emplace(alloca, locals.promoted.size());
    locals.promoted.push_back(alloca);
  }
  if (!locals.promoted.empty()) Liveness(function, locals).solve();
  return locals;
}

}  // namespace heddle::frontend::c
