#pragma once

#include <string>

namespace heddle::base {

/// The address of a symbol in a module, a shared library that lies beside the running program, in
/// the folder above it (test programs), or where an installation has it (lib/heddle). Throws
/// InternalError if there is none.
void* module_symbol(const std::string& file, const std::string& symbol);

}  // namespace heddle::base
