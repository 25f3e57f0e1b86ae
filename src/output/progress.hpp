#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/run_context.hpp"

namespace heddle::output {

/// `backward: backward search  minimal 1200  open 31`.
std::string progress_text(std::string_view engine, const base::Event& event);

/// One line on a terminal that is written over and over, and is gone in the end.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view engine, const base::Event& event);
  void clear();

 private:
  std::FILE* terminal_;
  bool shown_ = false;
};

}  // namespace heddle::output
