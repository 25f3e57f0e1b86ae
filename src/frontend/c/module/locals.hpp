#pragma once

/// Which local variables are registers, and where such a variable may be read before it has been
/// assigned.

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
class Instruction;
}  // namespace llvm

namespace heddle::frontend::c {

struct Locals {
  /// Variables whose address is used for nothing but whole reads and writes.
  std::vector<const llvm::AllocaInst*> promoted;
  std::unordered_map<const llvm::AllocaInst*, std::size_t> index_of;
  /// Beginnings of lives (a marker, or the alloca itself) after which a promoted variable may be
  /// read before it is written.
  std::unordered_set<const llvm::Instruction*> uninitialised;

  bool is_promoted(const llvm::AllocaInst* alloca) const { return index_of.contains(alloca); }
};

/// Cost: variables times blocks, for functions with few joins. `keeps_pointers`: variables that may
/// hold pointers are not promoted.
Locals find_locals(const llvm::Function& function, bool keeps_pointers);

}  // namespace heddle::frontend::c
