#pragma once

/// What a person sees while engines run: a line for the whole and a line for each engine.

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.hpp"

namespace heddle::output {

/// `backward search  minimal 1200  open 31`.
std::string progress_text(const base::Event& event);

/// An event without a phase: the engine has ended.
inline base::Event ended_event() { return {}; }

/// The lines to show, as a function of what has been heard.
class ProgressBoard {
 public:
  /// `work`: what is done before the first engine starts, for example `reading a.tts`; `search`:
  /// what is done then.
  ProgressBoard(std::string work, std::string search)
      : work_(std::move(work)), search_(std::move(search)) {}

  void hear(std::string_view engine, const base::Event& event);

  /// The time, then a line for each engine that runs, with what it does and what it has
  /// established so far. None is wider than `columns`, and there are at most `rows`.
  std::vector<std::string> lines(double seconds, std::size_t columns, std::size_t rows) const;

 private:
  struct Row {
    std::string engine;
    std::string doing;
    std::string established;
  };
  Row& row_of(std::string_view engine);

  std::string work_;
  std::string search_;
  bool started_ = false;
  std::vector<Row> rows_;
};

/// Some lines at the bottom of a terminal that are written over and over, and are gone in the end.
class ProgressScreen {
 public:
  explicit ProgressScreen(std::FILE* stream) : stream_(stream) {}
  ~ProgressScreen() { clear(); }
  ProgressScreen(const ProgressScreen&) = delete;
  ProgressScreen& operator=(const ProgressScreen&) = delete;

  void show(const std::vector<std::string>& lines);
  void clear();

 private:
  std::FILE* stream_;
  std::size_t shown_ = 0;  ///< lines
};

/// Writes milestones as lines that stay, on a terminal or elsewhere.
void write_milestone(std::FILE* stream, std::string_view engine, const base::Event& event);

}  // namespace heddle::output
