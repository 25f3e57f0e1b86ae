#pragma once

/// A moment of an execution: memory, and of every thread its frames and what it waits for.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/c/memory.hpp"

namespace heddle::model::c {

struct Frame {
  FunctionId function;
  Location at;                       ///< the next instruction; of a caller: the call
  std::uint32_t first_register = 0;  ///< in Thread::registers
  std::uint64_t stack_mark = 0;      ///< the first address of this frame's stack objects
  friend bool operator==(const Frame&, const Frame&) = default;
};

struct Thread {
  enum class Status : std::uint8_t {
    Running,
    Sleeping,  ///< in a condition wait, whose instruction it stands at; the mutex is released
    Ended,     ///< and not joined yet
    Unused     ///< the slot may be used for a new thread
  };

  Status status = Status::Running;
  bool is_detached = false;
  bool is_signalled = false;    ///< while sleeping
  std::uint32_t sections = 0;   ///< atomic sections that it is in
  std::uint64_t condition = 0;  ///< while sleeping: addresses
  std::uint64_t mutex = 0;
  std::vector<std::uint64_t> held;  ///< addresses of mutexes that it has taken, ascending
  std::uint64_t result = 0;         ///< when ended
  std::uint64_t heap_next = 0;      ///< addresses for new objects
  std::uint64_t stack_next = 0;
  FunctionId start;                      ///< the function that it began with
  std::vector<Frame> frames;             ///< the last one is executing
  std::vector<std::uint64_t> registers;  ///< of all frames, one after the other

  /// For who numbers contents; 0 after every change.
  mutable std::uint32_t content_number = 0;

  bool is_live() const { return status == Status::Running || status == Status::Sleeping; }
};

struct State {
  Memory memory;
  std::vector<CopyOnWrite<Thread>> threads;
  /// In an atomic section; no other thread steps.
  std::optional<ThreadId> section_owner;
  /// What this state was before the section began; only in programs whose sections may block.
  std::shared_ptr<const State> section_start;
  bool has_ended = false;  ///< the process

  const Thread& thread(ThreadId id) const { return *threads[id.index()]; }
  Thread& change(ThreadId id) {
    Thread& changed = threads[id.index()].write();
    changed.content_number = 0;
    return changed;
  }
};

}  // namespace heddle::model::c
