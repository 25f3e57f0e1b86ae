#pragma once

#include <map>
#include <string>

#include "driver/disk.hpp"

namespace heddle::driver {

/// A disk in memory over another one: what is written stays here, everything else is read from
/// there. For looking at what files would mean before they are written.
class ScratchDisk final : public Disk {
 public:
  /// `under` must outlive it.
  explicit ScratchDisk(const Disk& under) : under_(under) {}

  std::expected<std::string, std::string> read(const std::string& path) const override {
    const auto it = written_.find(path);
    return it != written_.end() ? it->second : under_.peek(path);
  }
  bool exists(const std::string& path) const override {
    return written_.contains(path) || under_.exists(path);
  }
  bool is_stream(const std::string& path) const override { return under_.is_stream(path); }
  void protect(const std::string&) override {}
  bool is_protected(const std::string&) const override { return false; }
  std::expected<void, std::string> probe(const std::string&) override { return {}; }
  std::expected<void, WriteFailure> write_all(std::span<const OutputFile> files) override {
    for (const OutputFile& file : files) written_[file.path] = file.text;
    return {};
  }

 private:
  const Disk& under_;
  std::map<std::string, std::string> written_;
};

}  // namespace heddle::driver
