#pragma once

#include <map>
#include <string>

#include "answer/verdict.hpp"
#include "driver/disk.hpp"
#include "model/task.hpp"

namespace heddle::driver {

/// Threads go from local state 0 to 1; the target is local state 1.
inline model::AnyTask one_step_task() {
  model::ThreadSystem system;
  system.local_count = 3;
  model::ThreadTransition move;
  move.target.local = model::LocalState(1u);
  move.line = 2;
  system.transitions = {move};
  const model::Region initial{{}, {{model::LocalState(0u), 1, std::nullopt}}};
  const model::Region target{{}, {{model::LocalState(1u), 1, std::nullopt}}};
  return model::ThreadTask{system, {{initial}, {target}}};
}

inline answer::Unsafe right_trace() {
  answer::Trace trace;
  trace.initial.counts = {{model::LocalState(0u), 1}};
  trace.blocks = {{1, {{model::TransitionId(0u), {}, {}, {}}}}};
  return {trace};
}

/// The trace of a liar: it does not reach the target.
inline answer::Unsafe wrong_trace() {
  answer::Unsafe unsafe = right_trace();
  std::get<answer::Trace>(unsafe.trace).blocks.clear();
  return unsafe;
}

/// Files in memory.
class FakeDisk final : public Disk {
 public:
  std::map<std::string, std::string> files;

  std::expected<std::string, std::string> read(const std::string& path) const override {
    const auto it = files.find(path);
    if (it == files.end()) return std::unexpected("no such file or folder");
    return it->second;
  }
  bool exists(const std::string& path) const override { return files.contains(path); }
  bool is_stream(const std::string&) const override { return false; }
  void protect(const std::string&) override {}
  bool is_protected(const std::string&) const override { return false; }
  std::expected<void, std::string> probe(const std::string&) override { return {}; }
  std::expected<void, WriteFailure> write_all(std::span<const OutputFile> written) override {
    for (const OutputFile& file : written) files[file.path] = file.text;
    return {};
  }
};

}  // namespace heddle::driver
