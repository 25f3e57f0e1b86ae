#include "driver/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "driver/temporary_file.hpp"

namespace heddle::driver {

namespace {

namespace fs = std::filesystem;

using Done = std::expected<void, std::string>;

std::string reason(int error) {
  if (error == ENOENT) return "no such file or folder";
  return std::generic_category().message(error);
}

/// Where links lead to, so that a link is kept and its target replaced.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : real;
}

/// How long a pipe without a reader is waited for.
constexpr int kPatienceMs = 1000;

/// Opens a pipe or a device for writing; the error is a number. Does not wait for ever for somebody
/// who reads from a pipe.
std::expected<int, int> open_stream(const std::string& path) {
  for (int waited = 0;; waited += 10) {
    const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0) {
      fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
    if (errno == EINTR) continue;
    if (errno != ENXIO || waited >= kPatienceMs) return std::unexpected(errno);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string why_not_open(int error) { return error == ENXIO ? "it has no reader" : reason(error); }

bool is_pipe(const std::string& path) {
  struct stat found{};
  return stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode);
}

Done append(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return std::unexpected(reason(errno));
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return {};
}

/// Of a regular file, which a stream that leads to one is, too; nothing for anything else.
std::optional<std::pair<unsigned long, unsigned long>> identity(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return std::pair<unsigned long, unsigned long>(found.st_dev, found.st_ino);
}

constexpr const char* kIsInput = "it is an input of the same run";

}  // namespace

Done Disk::write(const std::string& path, const std::string& text) {
  const OutputFile file{path, text};
  if (const auto written = write_all({&file, 1}); !written)
    return std::unexpected(written.error().why);
  return {};
}

std::expected<std::string, std::string> RealDisk::read(const std::string& path) const {
  if (const auto input = identity(path)) inputs_.insert(*input);
  return peek(path);
}

std::expected<std::string, std::string> RealDisk::peek(const std::string& path) const {
  if (path == kStandardStream) {
    if (!standard_input_) standard_input_ = contents_of("/dev/stdin");
    return *standard_input_;
  }
  return contents_of(path);
}

std::expected<std::string, std::string> RealDisk::contents_of(const std::string& path) {
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
  if (path == kStandardStream) return true;
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Even if /dev/stdout leads to a file.
bool RealDisk::is_stream(const std::string& path) const {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return path == kStandardStream || path.starts_with("/dev/") ||
         (fs::exists(status) && !fs::is_regular_file(status));
}

void RealDisk::protect(const std::string& path) {
  if (const auto input = identity(path)) inputs_.insert(*input);
}

bool RealDisk::is_protected(const std::string& path) const {
  const auto file = identity(path);
  return file && inputs_.contains(*file);
}

Done RealDisk::probe(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return std::unexpected("is a folder, not a file");
  if (is_protected(path)) return std::unexpected(kIsInput);
  if (is_pipe(path)) return hold(path);
  if (is_stream(path)) return {};
  const TemporaryFile file(resolved(path));
  if (file.error() != 0) return std::unexpected(reason(file.error()));
  return {};
}

RealDisk::~RealDisk() {
  for (const auto& [path, file] : pipes_) close(file);
}

Done RealDisk::hold(const std::string& path) {
  if (pipes_.contains(path)) return {};
  const auto file = open_stream(path == kStandardStream ? "/dev/stdout" : path);
  if (!file) return std::unexpected(why_not_open(file.error()));
  pipes_.emplace(path, *file);
  return {};
}

Done RealDisk::write_stream(const OutputFile& file) {
  if (auto held = hold(file.path); !held) return held;
  const auto found = pipes_.find(file.path);
  Done done = append(found->second, file.text);
  close(found->second);
  pipes_.erase(found);
  return done;
}

std::expected<void, WriteFailure> RealDisk::write_all(std::span<const OutputFile> files) {
  const auto failed = [](const std::string& path, std::string why) {
    return std::unexpected(WriteFailure{path, std::move(why)});
  };
  std::vector<TemporaryFile> temporary;
  std::vector<const OutputFile*> replacing;
  for (const OutputFile& file : files) {
    if (is_protected(file.path)) return failed(file.path, kIsInput);
    if (is_stream(file.path)) continue;
    temporary.emplace_back(resolved(file.path));
    replacing.push_back(&file);
    if (temporary.back().error() != 0 || !temporary.back().write(file.text))
      return failed(file.path, reason(temporary.back().error()));
  }
  for (const OutputFile& file : files)
    if (is_stream(file.path))
      if (auto done = write_stream(file); !done) return failed(file.path, done.error());
  for (std::size_t i = 0; i < temporary.size(); ++i) {
    if (temporary[i].replace_destination()) continue;
    for (std::size_t done = i; done-- > 0;) temporary[done].restore();
    return failed(replacing[i]->path, reason(temporary[i].error()));
  }
  return {};
}

}  // namespace heddle::driver
