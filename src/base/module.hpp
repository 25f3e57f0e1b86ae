#pragma once

#include <string>

namespace heddle::base {

/// The address of a symbol in a module, a shared library that lies beside the running program or
/// in the folder above it (test programs). Throws InternalError if there is none.
void* module_symbol(const std::string& file, const std::string& symbol);

}  // namespace heddle::base
