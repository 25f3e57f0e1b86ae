#pragma once

#include <functional>
#include <unordered_set>

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace heddle::frontend::c {

/// The instructions of floating point whose results no execution shows to the program: they only
/// go into each other, into variables that are not read for anything else, and into the variable
/// arguments of functions that do not read floating point there: of our library, and without a
/// body. What such instructions compute does not matter.
std::unordered_set<const llvm::Instruction*> unseen_numbers(
    const llvm::Function& function,
    const std::function<bool(const llvm::Function&)>& ignores_variable_arguments);

}  // namespace heddle::frontend::c
