#include "driver/disk.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace heddle::driver {

namespace {

namespace fs = std::filesystem;

using Done = std::expected<void, std::string>;

std::string reason(int error) {
  if (error == ENOENT) return "no such file or folder";
  return std::generic_category().message(error);
}

/// A file beside the destination that replaces it in one step, or disappears.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& destination)
      : destination_(destination),
        path_(destination.string() + ".tmp" + std::to_string(getpid())),
        descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)),
        error_(descriptor_ < 0 ? errno : 0) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    unlink(path_.c_str());  // nothing to find there after `replace_destination`
  }

  int error() const { return error_; }

  bool write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t size = ::write(descriptor_, text.data(), text.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return fail();
      text.remove_prefix(static_cast<std::size_t>(size));
    }
    return fsync(descriptor_) == 0 || fail();
  }

  bool replace_destination() { return rename(path_.c_str(), destination_.c_str()) == 0 || fail(); }

 private:
  bool fail() {
    error_ = errno;
    return false;
  }

  fs::path destination_;
  std::string path_;
  int descriptor_;
  int error_;
};

/// Pipes, terminals and /dev/stdout (even if it leads to a file) are written to, never replaced.
bool is_stream(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return path.starts_with("/dev/") || (fs::exists(status) && !fs::is_regular_file(status));
}

/// Where links lead to, so that a link is kept and its target replaced.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : real;
}

Done append(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << text << std::flush;
  if (!out) return std::unexpected(std::string("cannot be written"));
  return {};
}

}  // namespace

std::expected<std::string, std::string> RealDisk::read(const std::string& path) const {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return std::unexpected("is a folder, not a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::unexpected(reason(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return std::unexpected(reason(errno));
  return text;
}

bool RealDisk::exists(const std::string& path) const {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Done RealDisk::probe(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return std::unexpected("is a folder, not a file");
  if (is_stream(path)) return {};
  const TemporaryFile file(resolved(path));
  if (file.error() != 0) return std::unexpected(reason(file.error()));
  return {};
}

Done RealDisk::write(const std::string& path, const std::string& text) {
  if (is_stream(path)) return append(path, text);
  TemporaryFile file(resolved(path));
  if (file.error() != 0 || !file.write(text) || !file.replace_destination())
    return std::unexpected(reason(file.error()));
  return {};
}

}  // namespace heddle::driver
