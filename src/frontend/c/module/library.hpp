#pragma once

/// Our models of library functions, as C (src/frontend/c/library).

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/c/read.hpp"

namespace llvm {
class Module;
}

namespace heddle::frontend::c {

struct LibraryText {
  std::string_view name;
  std::string_view text;
};

/// The files of the library; cmake writes this function.
const std::vector<LibraryText>& library_texts();

/// Adds to the program the functions of the library that it uses and does not define itself.
/// Returns the names of all functions that now come from the library.
std::unordered_set<std::string> link_library(llvm::Module& program, const ReadOptions& options,
                                             base::Diagnostics& diagnostics);

}  // namespace heddle::frontend::c
