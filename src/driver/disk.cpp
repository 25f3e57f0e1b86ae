#include "driver/disk.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
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

Done append(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << text << std::flush;
  if (!out) return std::unexpected(std::string("cannot be written"));
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

/// Even if /dev/stdout leads to a file.
bool RealDisk::is_stream(const std::string& path) const {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return path.starts_with("/dev/") || (fs::exists(status) && !fs::is_regular_file(status));
}

void RealDisk::protect(const std::string& path) {
  if (const auto input = identity(path)) inputs_.insert(*input);
}

bool RealDisk::is_protected(const std::string& path) const {
  const auto file = identity(path);
  return file && inputs_.contains(*file);
}

void RealDisk::release(const std::string& path) {
  if (const auto file = identity(path)) inputs_.erase(*file);
}

Done RealDisk::probe(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return std::unexpected("is a folder, not a file");
  if (is_protected(path)) return std::unexpected(kIsInput);
  if (is_stream(path)) return {};
  const TemporaryFile file(resolved(path));
  if (file.error() != 0) return std::unexpected(reason(file.error()));
  return {};
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
      if (auto done = append(file.path, file.text); !done) return failed(file.path, done.error());
  for (std::size_t i = 0; i < temporary.size(); ++i) {
    if (temporary[i].replace_destination()) continue;
    for (std::size_t done = i; done-- > 0;) temporary[done].restore();
    return failed(replacing[i]->path, reason(temporary[i].error()));
  }
  return {};
}

}  // namespace heddle::driver
