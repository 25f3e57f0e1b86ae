#include "driver/bench/process_runner.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>

#include "base/invariant.hpp"
#include "driver/bench/process.hpp"

namespace heddle::driver::bench {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A process that has closed its outputs is about to end; nothing else tells us when it has.
constexpr milliseconds kAboutToEnd{1};
/// One whose descendants keep its outputs open may end unnoticed.
constexpr milliseconds kLookAgain{50};
/// Whoever ends a job ends all its processes, within this time.
constexpr milliseconds kEndOfJob{500};

bool ends_jobs(int signal) {
  return signal == SIGTERM || signal == SIGKILL || signal == SIGINT || signal == SIGHUP;
}

}  // namespace

ProcessRunner::ProcessRunner() = default;
ProcessRunner::~ProcessRunner() = default;

void ProcessRunner::start(std::size_t id, const Command& command) {
  running_.emplace(id, std::make_unique<Process>(command));
}

void ProcessRunner::wait_for_activity() {
  std::vector<pollfd> descriptors{{interrupts_.descriptor(), POLLIN, 0}};
  auto wake = steady_clock::now() + kLookAgain;
  for (const auto& [id, process] : running_) {
    bool open = false;
    for (const OutputTail& output : process->outputs()) {
      if (output.closed()) continue;
      open = true;
      descriptors.push_back({output.descriptor(), POLLIN, 0});
    }
    if (!open) wake = std::min(wake, steady_clock::now() + kAboutToEnd);
    if (process->kill_at()) wake = std::min(wake, *process->kill_at());
  }
  const auto left = std::chrono::ceil<milliseconds>(wake - steady_clock::now()).count();
  poll(descriptors.data(), descriptors.size(), static_cast<int>(std::max<long>(left, 0)));
}

std::optional<Runner::Finished> ProcessRunner::finished_one() {
  for (auto it = running_.begin(); it != running_.end(); ++it) {
    it->second->attend();
    if (!it->second->ended()) continue;
    Finished finished{it->first, it->second->take_end()};
    running_.erase(it);
    return finished;
  }
  return std::nullopt;
}

/// How a case ends while a job is ended says nothing about the case: first of all signals are
/// looked at, and if the process was ended from outside, ours may still be on its way.
std::optional<Runner::Finished> ProcessRunner::next() {
  HEDDLE_INVARIANT(!running_.empty(), "a command should be running");
  while (!interrupted_by_) {
    auto finished = finished_one();
    if (!finished)
      wait_for_activity();
    else if (finished->end.signal && ends_jobs(*finished->end.signal))
      wait_for_signal();
    interrupted_by_ = interrupts_.arrived();
    if (finished && !interrupted_by_) return finished;
  }
  running_.clear();
  return std::nullopt;
}

void ProcessRunner::wait_for_signal() const {
  pollfd signals{interrupts_.descriptor(), POLLIN, 0};
  poll(&signals, 1, static_cast<int>(kEndOfJob.count()));
}

}  // namespace heddle::driver::bench
