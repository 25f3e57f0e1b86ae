#include "driver/temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace heddle::driver {

TemporaryFile::TemporaryFile(const std::filesystem::path& destination)
    : destination_(destination), path_(destination.string() + ".tmp" + std::to_string(getpid())) {
  if (access(destination_.c_str(), F_OK) == 0 && access(destination_.c_str(), W_OK) != 0) {
    fail();
    return;
  }
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail();
  else
    keep_permissions();
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : destination_(std::move(other.destination_)),
      path_(std::move(other.path_)),
      replaced_(std::move(other.replaced_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_) {}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(path_.c_str());  // nothing to find there after `replace_destination`
  if (!replaced_.empty()) unlink(replaced_.c_str());
}

bool TemporaryFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(descriptor_, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return fail();
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return fsync(descriptor_) == 0 || fail();
}

bool TemporaryFile::replace_destination() {
  std::string kept = path_ + ".old";
  if (link(destination_.c_str(), kept.c_str()) == 0) replaced_ = std::move(kept);
  return rename(path_.c_str(), destination_.c_str()) == 0 || fail();
}

void TemporaryFile::restore() {
  if (replaced_.empty())
    unlink(destination_.c_str());
  else
    rename(replaced_.c_str(), destination_.c_str());
}

bool TemporaryFile::fail() {
  error_ = errno;
  return false;
}

void TemporaryFile::keep_permissions() {
  struct stat before{};
  if (stat(destination_.c_str(), &before) == 0) fchmod(descriptor_, before.st_mode & 07777);
}

}  // namespace heddle::driver
