#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "base/run_context.hpp"

namespace heddle::output {

/// `backward: backward search  minimal 1200  open 31`.
std::string progress_text(std::string_view engine, const base::Event& event);

/// One line on a terminal that is written over and over, and is gone in the end. Milestones can
/// have lines that stay, on a terminal or elsewhere.
class ProgressLine {
 public:
  struct Shows {
    bool progress = true;
    bool milestones = false;
  };
  ProgressLine(std::FILE* stream, Shows shows) : stream_(stream), shows_(shows) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view engine, const base::Event& event);
  void clear();

  /// Shows events as long as this exists; nothing if no event would be seen.
  std::function<void(std::string_view engine, const base::Event&)> listener();

 private:
  std::FILE* stream_;
  Shows shows_;
  bool shown_ = false;
};

}  // namespace heddle::output
