#include "driver/bench/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace heddle::driver::bench {

Journal::Journal(const std::string& path)
    : descriptor_(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) error_ = errno;
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::expected<void, std::string> Journal::add(std::string_view line) {
  const off_t end = error_ == 0 ? lseek(descriptor_, 0, SEEK_END) : 0;
  for (std::size_t done = 0; done < line.size() && error_ == 0;) {
    const ssize_t count = write(descriptor_, line.data() + done, line.size() - done);
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) error_ = errno;
  }
  // Some files know no synchronisation; a full disk may come to light only here.
  if (error_ == 0 && fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    error_ = errno;
  if (error_ == 0) return {};
  // A torn line would be passed over by the next reader anyway.
  if (descriptor_ >= 0 && ftruncate(descriptor_, end) != 0) errno = 0;
  return std::unexpected(std::generic_category().message(error_));
}

}  // namespace heddle::driver::bench
