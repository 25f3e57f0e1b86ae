#include "base/run_context.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::base {

namespace {

constexpr std::uint64_t kStepsBetweenClockReads = 256;
constexpr auto kEventInterval = std::chrono::milliseconds(100);

}  // namespace

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::Cancelled: return "cancelled";
    case StopReason::TimeLimit: return "time limit";
    case StopReason::StepLimit: return "step limit";
    case StopReason::MemoryLimit: return "memory limit";
  }
  fail_invariant("reason", "StopReason should be one of its enumerators", __FILE__, __LINE__);
}

void Statistics::set(std::string_view name, double value) {
  const auto it = std::ranges::find(entries_, name, &std::pair<std::string, double>::first);
  if (it == entries_.end()) {
    entries_.emplace_back(name, value);
  } else {
    it->second = value;
  }
}

double Statistics::get(std::string_view name) const {
  const auto it = std::ranges::find(entries_, name, &std::pair<std::string, double>::first);
  return it == entries_.end() ? 0 : it->second;
}

std::optional<StopReason> RunContext::step() {
  ++steps_;
  if (limits_.steps && steps_ > *limits_.steps) return StopReason::StepLimit;
  if (steps_ % kStepsBetweenClockReads != 0) return std::nullopt;
  return stopped();
}

std::optional<StopReason> RunContext::stopped() const {
  if (stop_.stop_requested()) return StopReason::Cancelled;
  if (limits_.steps && steps_ > *limits_.steps) return StopReason::StepLimit;
  if (limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline)
    return StopReason::TimeLimit;
  return std::nullopt;
}

bool RunContext::wants_event() const {
  return listener_ && std::chrono::steady_clock::now() - last_event_ >= kEventInterval;
}

void RunContext::emit(const Event& event) {
  if (!listener_) return;
  last_event_ = std::chrono::steady_clock::now();
  listener_(event);
}

}  // namespace heddle::base
