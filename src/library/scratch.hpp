#pragma once

#include <filesystem>
#include <string>

namespace heddle::library {

/// A folder of our own for the texts of a question and its evidence, removed in the end.
class ScratchFolder {
 public:
  /// Throws std::system_error if none can be made.
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Throws std::system_error if the file cannot be written whole.
void write_file(const std::filesystem::path& path, const std::string& text);
/// Empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace heddle::library
