#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "driver/bench/runner.hpp"

namespace heddle::driver::bench {

/// Answers "unsafe, confirmed" for everything, the last one started first; stops after a while.
class FakeRunner final : public Runner {
 public:
  std::vector<std::string> started;  ///< the last words of the commands
  std::size_t most_at_once = 0;
  std::size_t interrupted_after = 1000;

  void start(std::size_t id, const Command& command) override {
    running_.push_back(id);
    most_at_once = std::max(most_at_once, running_.size());
    started.push_back(command.words[0] == "/bin/sh" ? command.words[2] : command.words[2]);
  }
  std::optional<Finished> next() override {
    if (finished_++ == interrupted_after) return std::nullopt;
    Finished finished{running_.back(), {}};
    running_.pop_back();
    finished.end.code = 10;
    finished.end.output = R"({"verdict": "unsafe", "evidence": {"status": "confirmed"}})";
    finished.end.cpu_seconds = 1;
    return finished;
  }
  std::optional<int> interrupted_by() const override {
    return finished_ > interrupted_after ? std::optional(2) : std::nullopt;
  }

 private:
  std::deque<std::size_t> running_;
  std::size_t finished_ = 0;
};

}  // namespace heddle::driver::bench
