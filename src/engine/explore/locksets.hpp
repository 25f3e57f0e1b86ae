#pragma once

/// Which mutexes protect which objects, as far as executions have shown: the mutexes that every
/// thread has held at every access to the object while there were others. An access under such a
/// mutex is local: nobody else can access the object before the mutex is unlocked.
///
/// An access without the mutex may come after decisions that counted on it (`note`). Everything up
/// to that access was right, so that the exploration comes to it; it starts again, and knows
/// better. Objects on stacks, which end at any time, and `free` are left out (stepper.cpp); a mutex
/// that is unlocked by who does not hold it ends all analyses (Gaps::surprise).

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/c/interpreter.hpp"

namespace heddle::engine::explore {

class Locksets {
 public:
  /// Mutexes are known before they are held.
  void add_mutex(std::uint64_t mutex);
  /// An access to the object that begins at an address; whether that shows a protection to be none.
  bool note(const model::c::State& state, model::c::ThreadId thread, std::uint64_t object);
  /// Whether the thread holds a mutex that protects the object, which somebody has accessed.
  bool protect(const model::c::State& state, model::c::ThreadId thread, std::uint64_t object) const;
  /// Whether the thread holds a mutex that is known.
  bool holds_any(const model::c::State& state, model::c::ThreadId thread) const;

 private:
  std::vector<std::uint64_t> mutexes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> protecting_;
};

}  // namespace heddle::engine::explore
