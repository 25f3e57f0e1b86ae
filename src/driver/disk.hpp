#pragma once

#include <expected>
#include <string>

namespace heddle::driver {

/// All that the tool does with files, so that tests need none. Errors are in words: "no such file".
class Disk {
 public:
  virtual ~Disk() = default;
  virtual std::expected<std::string, std::string> read(const std::string& path) const = 0;
  virtual bool exists(const std::string& path) const = 0;
  /// Would `write` succeed? Leaves nothing behind.
  virtual std::expected<void, std::string> probe(const std::string& path) = 0;
  /// The whole text or nothing: a reader never sees a file that is half written.
  virtual std::expected<void, std::string> write(const std::string& path,
                                                 const std::string& text) = 0;
};

class RealDisk final : public Disk {
 public:
  std::expected<std::string, std::string> read(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::expected<void, std::string> probe(const std::string& path) override;
  std::expected<void, std::string> write(const std::string& path, const std::string& text) override;
};

}  // namespace heddle::driver
