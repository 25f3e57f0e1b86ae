#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "library/process.hpp"

namespace heddle::library {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// The folder of the file that this code was loaded from.
fs::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&heddle::library::program_path), &info) == 0 ||
      !info.dli_fname)
    return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : file.parent_path();
}

}  // namespace

std::string program_path() {
  if (const char* chosen = secure_getenv("HEDDLE_PROGRAM"); chosen && *chosen) {
    if (is_program(chosen)) return fs::absolute(chosen).string();
    throw std::runtime_error(std::string(chosen) + " (HEDDLE_PROGRAM) is not a program");
  }
  const fs::path folder = library_folder();
  // Installed, and in a build tree.
  for (const fs::path& candidate : {folder / HEDDLE_BIN_FROM_LIB / "heddle", folder / "heddle"})
    if (is_program(candidate)) return candidate.lexically_normal().string();
  throw std::runtime_error("the program heddle was not found beside the library in " +
                           folder.string() + "; HEDDLE_PROGRAM can name it");
}

}  // namespace heddle::library
