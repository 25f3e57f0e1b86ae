#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::base {

/// Why a run ended before it had an answer.
enum class StopReason { Cancelled, TimeLimit, StepLimit, MemoryLimit };

std::string_view to_string(StopReason reason);

/// What a run may use. Memory is enforced by the process that runs the engine (RLIMIT_DATA) and
/// reaches the engine as std::bad_alloc; time and steps are asked for with `RunContext::stopped`.
struct Limits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::optional<std::uint64_t> steps;      ///< an engine's unit of work; the same on every machine
  std::optional<std::uint64_t> memory_mb;  ///< of the engine's data segment
};

/// Named figures of a run, in the order in which they were first set.
class Statistics {
 public:
  void set(std::string_view name, double value);
  double get(std::string_view name) const;  ///< 0 if never set
  const std::vector<std::pair<std::string, double>>& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, double>> entries_;
};

/// Something a listener (progress line, event log) may want to know while a run goes on.
struct Event {
  std::string phase;  ///< for example "backward search"
  std::vector<std::pair<std::string, double>> figures;
  bool milestone = false;  ///< worth a line of its own: a part of the answer is certain by now
};

/// All that an engine may know of its surroundings: limits, a stop request, a seed, and where to
/// leave statistics and events. There are no globals beside it. Not shared between threads,
/// except for the stop source.
class RunContext {
 public:
  RunContext() = default;
  explicit RunContext(Limits limits, std::uint64_t seed = 0, std::stop_token stop = {})
      : limits_(limits), seed_(seed), stop_(std::move(stop)) {}

  /// Counts one unit of work and says whether the run must end. Cheap: the clock is read only
  /// every 256 steps.
  std::optional<StopReason> step();

  /// Says whether the run must end, reading the clock. Counts nothing.
  std::optional<StopReason> stopped() const;

  /// For those who wait for something else meanwhile, such as a solver.
  const std::stop_token& stop_token() const { return stop_; }

  /// Counts work that was done elsewhere on behalf of this run.
  void add_steps(std::uint64_t steps) { steps_ += steps; }

  std::uint64_t steps() const { return steps_; }
  std::uint64_t seed() const { return seed_; }
  const Limits& limits() const { return limits_; }
  Statistics& statistics() { return statistics_; }
  const Statistics& statistics() const { return statistics_; }

  void listen(std::function<void(const Event&)> listener) { listener_ = std::move(listener); }
  /// True if an event would be heard and the last one is a tenth of a second or more ago.
  bool wants_event() const;
  void emit(const Event& event);

 private:
  Limits limits_;
  std::uint64_t seed_ = 0;
  std::stop_token stop_;
  std::uint64_t steps_ = 0;
  Statistics statistics_;
  std::function<void(const Event&)> listener_;
  std::chrono::steady_clock::time_point last_event_{};
};

}  // namespace heddle::base
