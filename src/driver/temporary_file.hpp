#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::driver {

/// A file beside its destination that takes the destination's place in one step, or disappears.
class TemporaryFile {
 public:
  /// An existing destination must be writable; its permissions are kept.
  explicit TemporaryFile(const std::filesystem::path& destination);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  int error() const { return error_; }  ///< an errno; 0 if all went well

  bool write(std::string_view text);
  /// Keeps what is replaced until the end, for `restore`.
  bool replace_destination();
  /// Undoes `replace_destination`.
  void restore();

 private:
  bool fail();
  void keep_permissions();

  std::filesystem::path destination_;
  std::string path_;
  std::string
      replaced_;  ///< a second link to what was at the destination; empty: nothing was there
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace heddle::driver
