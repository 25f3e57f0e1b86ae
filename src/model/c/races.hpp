#pragma once

/// Data races of one execution, by happens-before: two accesses to a byte by different threads, at
/// least one a write and at least one not atomic, that are not ordered by
///
///   - the order of a thread's own instructions,
///   - creating a thread before its first instruction, and a thread's last before joining it,
///   - unlocking a mutex before the next lock of it (condition waits unlock and lock),
///   - an atomic write before an atomic read of the same bytes. Accesses in atomic sections count
///     as atomic, so that what our library builds of sections (semaphores, barriers, rwlocks)
///     orders what it should.
///
/// Vector clocks: component t of a thread's clock says how many of t's releases it has seen. An
/// access that the other thread's clock has not seen yet is not ordered before it.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/c/interpreter.hpp"

namespace heddle::model::c {

/// One of the two accesses of a race.
struct RacingAccess {
  ThreadId thread;
  bool is_write = false;
  bool is_atomic = false;
  Position position;
  std::vector<std::uint64_t> locks;  ///< held, by their addresses
};

struct Race {
  std::uint64_t address = 0;  ///< of the first byte that both access
  std::uint64_t bytes = 1;    ///< from there to the end of the second access
  RacingAccess first, second;
};

/// Watches an execution from its beginning.
class RaceDetector : public StepObserver {
 public:
  /// The first race seen.
  const std::optional<Race>& race() const { return race_; }
  /// Whether the thread's access at this position is one of a race.
  bool races_at(ThreadId thread, const Position& position) const;

  void accessed(ThreadId thread, const Access& access, Position position) override;
  void allocated(ThreadId thread, std::uint64_t address, std::uint64_t bytes) override;
  void locked(ThreadId thread, std::uint64_t mutex) override;
  void unlocked(ThreadId thread, std::uint64_t mutex) override;
  void created(ThreadId creator, ThreadId created) override;
  void joined(ThreadId waiting, ThreadId ended) override;

 private:
  using Clock = std::vector<std::uint32_t>;
  struct Seen {
    RacingAccess access;
    std::uint32_t time = 0;
  };
  struct Byte {
    std::vector<Seen> accesses;  ///< for each thread its last plain and atomic reads and writes
    Clock released;              ///< by atomic writes
  };

  Clock& clock(ThreadId thread);
  void release(ThreadId thread);
  void note(const Race& race);
  void access_byte(ThreadId thread, std::uint64_t address, const Access& access,
                   const Position& position);

  std::vector<Clock> clocks_;
  std::unordered_map<std::uint64_t, Clock> mutexes_;
  std::unordered_map<std::uint64_t, Byte> bytes_;
  std::vector<std::vector<std::uint64_t>> locks_;  ///< held by each thread
  std::optional<Race> race_;
  std::vector<std::pair<ThreadId, Position>> racing_;  ///< without duplicates
};

}  // namespace heddle::model::c
