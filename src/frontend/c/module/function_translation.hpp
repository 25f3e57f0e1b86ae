#pragma once

#include "model/c/program.hpp"

namespace llvm {
class Function;
}

namespace heddle::frontend::c {

class ProgramBuilder;

/// A function with a body, or one without, which then returns any value.
model::c::Function translate_function(ProgramBuilder& builder, const llvm::Function& function);

}  // namespace heddle::frontend::c
