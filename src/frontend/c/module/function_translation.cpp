/// Functions, block by block.
///
/// A local variable whose address is never used for anything but whole reads and writes becomes a
/// register that is assigned where the source assigns it; Clang reads it into a temporary before
/// each use and we use the variable itself where it does not change in between. So `i++` is one
/// instruction, `i := i + 1`, and needs no single assignment, no phi node and no renaming back when
/// a trace is printed. The phi nodes that remain come from `&&`, `||` and `?:`; they are parallel
/// assignments on the edges between blocks.
///
/// Blocks keep their order, unreachable ones are dropped, and a jump to the block that follows is
/// not written.

#include "frontend/c/module/function_translation.hpp"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "base/invariant.hpp"
#include "frontend/c/module/function_body.hpp"
#include "frontend/c/module/unseen_numbers.hpp"

namespace heddle::frontend::c {

namespace m = model::c;

namespace {

constexpr std::string_view kAtomicPrefix = "__VERIFIER_atomic_";

}  // namespace

const llvm::DILocalVariable* variable_at(const llvm::Value* address) {
  auto* at = const_cast<llvm::Value*>(address);
  for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(at))
    return declare->getVariable();
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(at))
    return record->getVariable();
  return nullptr;
}

m::Function translate_function(ProgramBuilder& builder, const llvm::Function& function) {
  return FunctionBody(builder, function).translate();
}

FunctionBody::FunctionBody(ProgramBuilder& builder, const llvm::Function& function)
    : builder_(builder), function_(function) {
  out_.name = function.getName().str();
  out_.is_library = builder.is_library(function);
  out_.is_atomic = out_.name.starts_with(kAtomicPrefix) && !function.isDeclaration();
  if (const llvm::DISubprogram* info = function.getSubprogram()) {
    out_.position = builder.position(info->getFile(), info->getLine());
    if (!info->getName().empty()) out_.name = info->getName().str();
  }
  here_ = out_.position;
  scope_ = function.getSubprogram();
}

m::Function FunctionBody::translate() {
  for (const Leaf& leaf : leaves(function_.getReturnType()))
    out_.result_widths.push_back(leaf.width);
  declare_parameters();
  if (builder_.is_error_function(function_)) {
    emit(m::Fail{m::Fail::Why::ErrorFunction, out_.name});
    return std::move(out_);
  }
  if (function_.isDeclaration()) {
    builder_.warn_unknown_function(out_.name, out_.position);
    m::Return any_result;
    for (const std::uint8_t bits : out_.result_widths)
      any_result.values.push_back(any(bits, m::Choose::Why::UnknownFunction, out_.name));
    emit(std::move(any_result));
    return std::move(out_);
  }
  locals_ = find_locals(function_, builder_.keeps_pointers());
  unseen_ = unseen_numbers(function_, [&](const llvm::Function& callee) {
    return callee.isDeclaration() || builder_.is_library(callee);
  });
  declare_locals();
  copy_structures_passed_by_value();
  std::vector<const llvm::BasicBlock*> blocks;
  llvm::df_iterator_default_set<const llvm::BasicBlock*> reachable;
  for ([[maybe_unused]] const llvm::BasicBlock* block :
       llvm::depth_first_ext(&function_.getEntryBlock(), reachable)) {
  }
  for (const llvm::BasicBlock& block : function_)
    if (reachable.contains(&block)) blocks.push_back(&block);
  // Phi nodes first: a block may use the registers of one that comes later.
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::PHINode& phi : block->phis())
      for (const Leaf& leaf : leaves(phi.getType()))
        values_[&phi].push_back(use(fresh(leaf.width)));
  for (std::size_t i = 0; i < blocks.size(); ++i)
    translate(*blocks[i], i + 1 < blocks.size() ? blocks[i + 1] : nullptr);
  resolve_edges();
  find_scopes();
  return std::move(out_);
}

void FunctionBody::declare_parameters() {
  for (const llvm::Argument& argument : function_.args())
    for (const Leaf& leaf : leaves(argument.getType()))
      values_[&argument].push_back(use(fresh(leaf.width)));
  out_.parameters = static_cast<std::uint32_t>(out_.register_widths.size());
}

/// The callee owns such a structure; the caller passes the address of its own.
void FunctionBody::copy_structures_passed_by_value() {
  for (const llvm::Argument& argument : function_.args()) {
    const llvm::DILocalVariable* info = variable_at(&argument);
    Operand& at = values_[&argument].front();
    if (argument.hasByValAttr()) {
      const std::uint64_t size = builder_.layout().getTypeAllocSize(argument.getParamByValType());
      const Register own = fresh(builder_.pointer_width());
      m::Allocate object{own, m::Allocate::Where::Stack, number(size), false, std::nullopt, ""};
      if (info) {
        object.type = builder_.type(info->getType());
        object.name = info->getName().str();
      }
      emit(std::move(object));
      call_library("__heddle_copy", {use(own), at, number(size)}, {builder_.pointer_width()});
      at = use(own);
    }
    if (info) add_variable(info, Register(at.index), true);
  }
}

/// A parameter is stored to its variable at the beginning: then it is the variable.
void FunctionBody::declare_locals() {
  for (const llvm::AllocaInst* alloca : locals_.promoted) {
    std::optional<Register> reg;
    for (const llvm::User* user : alloca->users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!store || store->getParent() != alloca->getParent()) continue;
      const auto* argument = llvm::dyn_cast<llvm::Argument>(store->getValueOperand());
      if (!argument || !argument->hasOneUse() || values_[argument].size() != 1) continue;
      reg = Register(values_[argument].front().index);
      done_.insert(store);
      break;
    }
    if (!reg) reg = fresh(width(alloca->getAllocatedType()));
    is_variable_[reg->index()] = true;
    variables_.emplace(alloca, *reg);
    if (const llvm::DILocalVariable* info = variable_at(alloca)) add_variable(info, *reg, false);
  }
}

void FunctionBody::add_variable(const llvm::DILocalVariable* variable, Register reg,
                                bool is_address) {
  m::LocalVariable local;
  local.name = variable->getName().str();
  if (local.name.empty()) return;
  local.type = builder_.type(variable->getType());
  local.reg = reg;
  local.is_address = is_address;
  local.position = builder_.position(variable->getFile(), variable->getLine());
  variable_scopes_.emplace_back(out_.variables.size(), variable->getScope());
  out_.variables.push_back(std::move(local));
}

void FunctionBody::translate(const llvm::BasicBlock& block, const llvm::BasicBlock* next) {
  starts_[&block] = m::Location(out_.code.size());
  std::size_t order = 0;
  for (const llvm::Instruction& i : block) order_[&i] = order++;
  for (const llvm::Instruction& i : block) {
    if (const llvm::DILocation* location = i.getDebugLoc().get()) {
      if (const m::Position at = builder_.position(location); at.line) here_ = at;
      scope_ = location->getScope();
    }
    if (llvm::isa<llvm::PHINode>(i) || done_.contains(&i)) continue;
    if (i.isTerminator())
      translate_terminator(i, next);
    else
      translate(i);
  }
}

void FunctionBody::translate_terminator(const llvm::Instruction& i, const llvm::BasicBlock* next) {
  const llvm::BasicBlock& from = *i.getParent();
  const auto edge = [&](std::size_t slot, const llvm::BasicBlock* to) {
    edges_.push_back({out_.code.size() - 1, slot, &from, to, here_});
  };
  if (const auto* ret = llvm::dyn_cast<llvm::ReturnInst>(&i)) {
    m::Return out;
    if (ret->getReturnValue()) out.values = operands(ret->getReturnValue());
    return emit(std::move(out));
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i)) {
    if (branch->isUnconditional()) return go_to(from, *branch->getSuccessor(0), next);
    emit(m::Branch{operand(branch->getCondition()), {}, {}});
    edge(0, branch->getSuccessor(0));
    edge(1, branch->getSuccessor(1));
    return;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&i)) {
    if (choice->getCondition()->getType()->getIntegerBitWidth() > 64)
      return unsupported(i, "a switch over more than 64 bits");
    m::Switch out;
    out.value = operand(choice->getCondition());
    for (const auto& one : choice->cases())
      out.cases.emplace_back(one.getCaseValue()->getZExtValue(), m::Location());
    emit(std::move(out));
    std::size_t slot = 0;
    for (const auto& one : choice->cases()) edge(slot++, one.getCaseSuccessor());
    edge(slot, choice->getDefaultDest());
    return;
  }
  if (llvm::isa<llvm::UnreachableInst>(i)) {
    if (ends_here(from)) return;
    // Clang's own, after functions of ours that never return and where the ways out of a block
    // meet, is never reached and stands nowhere in the source.
    const auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(i.getPrevNonDebugInstruction());
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!i.getDebugLoc() || (callee && builder_.is_library(*callee))) return emit(m::Exit{true});
    return unsupported(i, "code that the source declares unreachable");
  }
  unsupported(i, llvm::isa<llvm::IndirectBrInst>(i)
                     ? "computed goto"
                     : std::string("instruction ") + i.getOpcodeName());
}

/// Is the last instruction of the block so far one that control does not get past?
bool FunctionBody::ends_here(const llvm::BasicBlock& block) const {
  if (out_.code.size() <= starts_.at(&block).index()) return false;
  const m::Effect& last = out_.code.back().effect;
  const auto* wait = std::get_if<m::Synchronise>(&last);
  return std::holds_alternative<m::Fail>(last) || std::holds_alternative<m::Exit>(last) ||
         std::holds_alternative<m::Unsupported>(last) ||
         (wait && wait->operation == m::SyncOperation::ExitThread);
}

void FunctionBody::go_to(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                         const llvm::BasicBlock* next) {
  auto assignments = copies(from, to);
  if (assignments.empty()) {
    if (&to == next) return;
    emit(m::Jump{});
  } else {
    emit(m::Assign{std::move(assignments), {}});
  }
  edges_.push_back({out_.code.size() - 1, 0, nullptr, &to, here_});
}

std::vector<std::pair<FunctionBody::Register, FunctionBody::Operand>> FunctionBody::copies(
    const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<std::pair<Register, Operand>> out;
  for (const llvm::PHINode& phi : to.phis()) {
    const std::vector<Operand> values = operands(phi.getIncomingValueForBlock(&from));
    const std::vector<Operand>& registers = values_.at(&phi);
    for (std::size_t i = 0; i < registers.size(); ++i)
      out.emplace_back(Register(registers[i].index), values[i]);
  }
  return out;
}

/// Edges with assignments are instructions of their own, after all blocks.
void FunctionBody::resolve_edges() {
  for (std::size_t n = 0; n < edges_.size(); ++n) {
    const Edge edge = edges_[n];
    m::Location target = starts_.at(edge.to);
    if (edge.from && !edge.to->phis().empty()) {
      here_ = edge.position;
      const m::Location begin(out_.code.size());
      m::Assign assign{copies(*edge.from, *edge.to), target};
      emit(std::move(assign));
      target = begin;
    }
    set_target(edge.instruction, edge.slot, target);
  }
  for (const Edge& edge : edges_) skip_jumps(edge);
}

/// An edge that leads to a jump leads to where that jumps.
void FunctionBody::skip_jumps(const Edge& edge) {
  const auto after_jumps = [&](m::Location at) {
    for (int steps = 0; steps < 100; ++steps) {
      const auto* jump = std::get_if<m::Jump>(&out_.code[at.index()].effect);
      if (!jump || jump->next == at) break;
      at = jump->next;
    }
    return at;
  };
  m::Effect& effect = out_.code[edge.instruction].effect;
  if (auto* jump = std::get_if<m::Jump>(&effect)) {
    if (!(after_jumps(jump->next) == m::Location(edge.instruction)))
      jump->next = after_jumps(jump->next);
  } else if (auto* assign = std::get_if<m::Assign>(&effect)) {
    assign->next = after_jumps(assign->next);
  } else if (auto* branch = std::get_if<m::Branch>(&effect)) {
    branch->if_true = after_jumps(branch->if_true);
    branch->if_false = after_jumps(branch->if_false);
  } else if (auto* choice = std::get_if<m::Switch>(&effect)) {
    for (auto& one : choice->cases) one.second = after_jumps(one.second);
    choice->otherwise = after_jumps(choice->otherwise);
  }
}

void FunctionBody::set_target(std::size_t instruction, std::size_t slot, m::Location target) {
  m::Effect& effect = out_.code[instruction].effect;
  if (auto* jump = std::get_if<m::Jump>(&effect))
    jump->next = target;
  else if (auto* assign = std::get_if<m::Assign>(&effect))
    assign->next = target;
  else if (auto* branch = std::get_if<m::Branch>(&effect))
    (slot == 0 ? branch->if_true : branch->if_false) = target;
  else if (auto* choice = std::get_if<m::Switch>(&effect))
    (slot < choice->cases.size() ? choice->cases[slot].second : choice->otherwise) = target;
  else
    HEDDLE_INVARIANT(false, "an edge should begin at a jump");
}

/// Where each variable can be seen: the instructions whose scope lies in the variable's.
void FunctionBody::find_scopes() {
  std::unordered_map<const llvm::DILocalScope*, std::pair<std::size_t, std::size_t>> extents;
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    const llvm::DIScope* scope = scopes_[i];
    while (const auto* local = llvm::dyn_cast_or_null<llvm::DILocalScope>(scope)) {
      const auto [known, is_new] = extents.try_emplace(local, i, i);
      known->second.second = i;
      scope = local->getScope();
    }
  }
  const std::size_t last = out_.code.empty() ? 0 : out_.code.size() - 1;
  for (const auto& [index, scope] : variable_scopes_) {
    const auto found = extents.find(scope);
    const auto extent =
        found == extents.end() ? std::pair<std::size_t, std::size_t>(0, last) : found->second;
    out_.variables[index].first = m::Location(extent.first);
    out_.variables[index].last = m::Location(extent.second);
  }
}

}  // namespace heddle::frontend::c
