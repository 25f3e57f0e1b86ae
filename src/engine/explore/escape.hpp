#pragma once

/// Which objects only one thread knows. A stack or heap object belongs to the thread that allocated
/// it until its address gets into memory that other threads can read, is handed to a new thread, or
/// is a thread's result. Until then, accesses to it are invisible to the others.
///
/// Addresses are looked for as words at every offset of what is written. A program could take an
/// address apart and smuggle it through shared memory piece by piece; the first access of another
/// thread to an object that counts as private shows it. That access is like a failed assertion of
/// that thread, up to which nothing was wrong: the reduced exploration finds it if there is one,
/// and then starts again without this reduction.

#include <cstdint>

#include "model/c/interpreter.hpp"

namespace heddle::engine::explore {

class Escape {
 public:
  explicit Escape(const model::c::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// What the instruction that a thread executes next may tell others; to be called before it, and
  /// `after` after it.
  struct Pending {
    std::uint64_t address = 0;  ///< of the memory that is written
    std::uint64_t bytes = 0;
    std::uint64_t word = 0;  ///< handed to another thread
  };
  Pending before(const model::c::State& state, model::c::ThreadId thread) const;
  void after(model::c::State& state, const Pending& pending) const;

 private:
  void share(model::c::State& state, std::uint64_t word) const;
  void share_written(model::c::State& state, std::uint64_t address, std::uint64_t bytes) const;
  void share_words_of(model::c::State& state, std::uint32_t slot) const;

  const model::c::Interpreter& interpreter_;
};

}  // namespace heddle::engine::explore
