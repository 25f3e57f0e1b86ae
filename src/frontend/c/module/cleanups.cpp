#include "frontend/c/module/cleanups.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <vector>

namespace heddle::frontend::c {

namespace {

/// Blocks that are left through so many others are left as they are.
constexpr int kDeepest = 32;
/// Copies in one function.
constexpr int kMostCopies = 5'000;

/// A variable that only this function reads and writes, as a whole.
bool is_simple(const llvm::AllocaInst& slot) {
  return std::all_of(slot.user_begin(), slot.user_end(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store && store->getPointerOperand() == &slot && store->getValueOperand() != &slot;
  });
}

bool can_be_copied(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& i : block) {
    if (llvm::isa<llvm::PHINode>(i)) return false;
    for (const llvm::User* user : i.users()) {
      const auto* other = llvm::dyn_cast<llvm::Instruction>(user);
      if (!other || other->getParent() != &block) return false;
    }
  }
  return true;
}

/// What a variable holds at the end of a block, if the block or those before it say so.
llvm::ConstantInt* value_at_end(llvm::BasicBlock& block, const llvm::AllocaInst& slot, int depth) {
  for (llvm::Instruction& i : llvm::reverse(block)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if (store && store->getPointerOperand() == &slot)
      return llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
  }
  llvm::BasicBlock* before = block.getSinglePredecessor();
  return before && depth < kDeepest ? value_at_end(*before, slot, depth + 1) : nullptr;
}

/// The variable that the block switches over, and does not write.
llvm::AllocaInst* switched_over(llvm::BasicBlock& block) {
  const auto* decision = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
  const auto* load = decision ? llvm::dyn_cast<llvm::LoadInst>(decision->getCondition()) : nullptr;
  if (!load || load->getParent() != &block) return nullptr;
  auto* slot =
      llvm::dyn_cast<llvm::AllocaInst>(const_cast<llvm::Value*>(load->getPointerOperand()));
  if (!slot || !is_simple(*slot) || !can_be_copied(block)) return nullptr;
  for (const llvm::Instruction& i : block)
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      if (store->getPointerOperand() == slot) return nullptr;
  return slot;
}

/// Lets `from` go through a copy of `block` that goes on with `target`.
void copy_for(llvm::BasicBlock& from, llvm::BasicBlock& block, llvm::BasicBlock& target) {
  llvm::ValueToValueMapTy map;
  llvm::BasicBlock* copy = llvm::CloneBasicBlock(&block, map, "", block.getParent());
  for (llvm::Instruction& i : *copy)
    llvm::RemapInstruction(&i, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  auto* decision = llvm::cast<llvm::SwitchInst>(copy->getTerminator());
  auto* load = llvm::cast<llvm::LoadInst>(decision->getCondition());
  auto* jump = llvm::BranchInst::Create(&target, copy);
  jump->setDebugLoc(decision->getDebugLoc());
  decision->eraseFromParent();
  if (load->use_empty()) load->eraseFromParent();
  from.getTerminator()->replaceUsesOfWith(&block, copy);
}

bool resolve_one(llvm::BasicBlock& block, int& copies) {
  const llvm::AllocaInst* slot = switched_over(block);
  if (!slot) return false;
  auto* decision = llvm::cast<llvm::SwitchInst>(block.getTerminator());
  bool changed = false;
  const std::vector<llvm::BasicBlock*> before(llvm::pred_begin(&block), llvm::pred_end(&block));
  for (llvm::BasicBlock* from : before) {
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    if (!jump || !jump->isUnconditional() || from == &block) continue;
    llvm::ConstantInt* value = value_at_end(*from, *slot, 0);
    llvm::BasicBlock* target = value ? decision->findCaseValue(value)->getCaseSuccessor() : nullptr;
    if (!target || !target->phis().empty() || ++copies > kMostCopies) continue;
    copy_for(*from, block, *target);
    changed = true;
  }
  return changed;
}

void resolve(llvm::Function& function) {
  int copies = 0;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : function) blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks) {
      changed = resolve_one(*block, copies) || changed;
      if (block != &function.getEntryBlock() && llvm::pred_empty(block))
        llvm::DeleteDeadBlock(block);
    }
  }
}

}  // namespace

void resolve_cleanups(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) resolve(function);
}

}  // namespace heddle::frontend::c
