#include "driver/external_filter.hpp"

/// The three streams of the program are files in memory, so that there is nothing to wait for but
/// its end: no pipe can run full while nobody reads it.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "driver/launch.hpp"

namespace heddle::driver {

namespace {

constexpr std::size_t kLongestComplaint = 300;

class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("heddle", MFD_CLOEXEC)) {
    if (descriptor_ < 0)
      throw std::system_error(errno, std::generic_category(), "cannot make a file in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }

  void fill(std::string_view text) {
    while (!text.empty()) {
      const ssize_t size = write(descriptor_, text.data(), text.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) throw std::system_error(errno, std::generic_category(), "cannot write");
      text.remove_prefix(static_cast<std::size_t>(size));
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::string contents() const {
    std::string out;
    lseek(descriptor_, 0, SEEK_SET);
    std::array<char, 1 << 16> chunk;  // NOLINT(*-member-init): read() fills it
    for (ssize_t size = 0; (size = read(descriptor_, chunk.data(), chunk.size())) > 0;)
      out.append(chunk.data(), static_cast<std::size_t>(size));
    return out;
  }

 private:
  int descriptor_;
};

}  // namespace

std::expected<std::string, FilterError> run_filter(const std::vector<std::string>& command,
                                                   const std::string& input) {
  MemoryFile in;
  const MemoryFile out, complaints;
  in.fill(input);
  ProgramStart start;
  start.words = command;
  start.input = in.descriptor();
  start.output = out.descriptor();
  start.errors = complaints.descriptor();
  const pid_t child = start_program(start);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.contents();
  const bool missing = WIFEXITED(status) && WEXITSTATUS(status) == kCannotStart;
  return std::unexpected(FilterError{missing, complaints.contents().substr(0, kLongestComplaint)});
}

}  // namespace heddle::driver
