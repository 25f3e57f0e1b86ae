#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace heddle::driver {

struct OutputFile {
  std::string path;
  std::string text;
};

struct WriteFailure {
  std::string path;
  std::string why;
};

/// A file of this name is standard input where it is read and standard output where it is written;
/// what standard input holds can be read more than once.
inline constexpr const char* kStandardStream = "-";

/// All that the tool does with files, so that tests need none. Errors are in words: "no such file".
///
/// No output replaces an input: a file that was read, or that `protect` has named, cannot be
/// written by the same disk, whatever name or link it is called by.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual std::expected<std::string, std::string> read(const std::string& path) const = 0;
  /// Reads what is not an input: it may be written afterwards.
  virtual std::expected<std::string, std::string> peek(const std::string& path) const {
    return read(path);
  }
  virtual bool exists(const std::string& path) const = 0;
  /// A pipe, a terminal, /dev/stdout: written to, never replaced, and without files beside it.
  virtual bool is_stream(const std::string& path) const = 0;
  /// This file, if there is one, is going to be read.
  virtual void protect(const std::string& path) = 0;
  virtual bool is_protected(const std::string& path) const = 0;
  /// Would `write` succeed? Leaves nothing behind. A pipe that nobody reads from is waited for a
  /// second long; `write_all` does the same.
  virtual std::expected<void, std::string> probe(const std::string& path) = 0;
  /// All texts or none, each as a whole: a reader never sees a file that is half written.
  virtual std::expected<void, WriteFailure> write_all(std::span<const OutputFile> files) = 0;
  /// The whole text or nothing.
  std::expected<void, std::string> write(const std::string& path, const std::string& text);
};

class RealDisk final : public Disk {
 public:
  RealDisk() = default;
  ~RealDisk() override;
  RealDisk(const RealDisk&) = delete;
  RealDisk& operator=(const RealDisk&) = delete;

  std::expected<std::string, std::string> read(const std::string& path) const override;
  std::expected<std::string, std::string> peek(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  bool is_stream(const std::string& path) const override;
  void protect(const std::string& path) override;
  bool is_protected(const std::string& path) const override;
  std::expected<void, std::string> probe(const std::string& path) override;
  std::expected<void, WriteFailure> write_all(std::span<const OutputFile> files) override;

 private:
  static std::expected<std::string, std::string> contents_of(const std::string& path);

  /// Device and inode of a regular file: links to it, symbolic or hard, have the same.
  using Identity = std::pair<unsigned long, unsigned long>;

  /// Opens a pipe for writing, and keeps it: a reader that saw it closed would take it for the end.
  std::expected<void, std::string> hold(const std::string& path);
  std::expected<void, std::string> write_stream(const OutputFile& file);

  mutable std::set<Identity> inputs_;
  mutable std::optional<std::expected<std::string, std::string>> standard_input_;
  std::map<std::string, int> pipes_;  ///< and other streams, while they are written to
};

}  // namespace heddle::driver
