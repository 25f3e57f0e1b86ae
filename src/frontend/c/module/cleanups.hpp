#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace heddle::frontend::c {

/// A `return`, `break`, `continue` or `goto` out of a block with variables becomes, in Clang's
/// code, an assignment of a number to a variable of its own, a jump to the code that ends the lives
/// of the variables, and a switch over that number. Gives each such jump a copy of that code which
/// goes where the number says: paths that cannot be executed are gone, in particular those on which
/// a function returns without a result. Copies blocks, and changes nothing else.
void resolve_cleanups(llvm::Module& module);

}  // namespace heddle::frontend::c
