#include "base/module.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "base/invariant.hpp"

/// Asked for by LeakSanitizer, in builds that have it: what the libraries of solvers leave behind
/// at the end is not ours to free.
// NOLINTBEGIN(bugprone-reserved-identifier): these are the names that it asks for
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libcln\nleak:libz3\n"; }
// NOLINTEND(bugprone-reserved-identifier)

namespace heddle::base {

namespace {

namespace fs = std::filesystem;

fs::path find_module(const std::string& file) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = (folder / HEDDLE_MODULES_FROM_BIN).lexically_normal();
  for (const fs::path& candidate : {folder / file, folder.parent_path() / file, installed / file})
    if (fs::exists(candidate, error)) return candidate;
  throw InternalError("module " + file + ": not found beside the program, in " + folder.string() +
                      ", nor in " + installed.string());
}

}  // namespace

void* module_symbol(const std::string& file, const std::string& symbol) {
  const fs::path path = find_module(file);
  // Never closed: a second call gets the same module, and code of it may run until the very end.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw InternalError("module " + file + ": " + dlerror());
  void* const address = dlsym(library, symbol.c_str());
  if (!address) throw InternalError("module " + file + ": " + dlerror());
  return address;
}

}  // namespace heddle::base
