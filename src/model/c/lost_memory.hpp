#pragma once

/// Which heap objects a program has lost: no pointer leads to them any more, so that nobody can
/// ever free them.
///
/// A pointer is any word in memory or in a register whose value is an address inside an object or
/// just behind it. Words of globals, of thread-local and stack objects that are alive, and results
/// of threads that may be joined are where a search begins; words of the heap objects that it
/// finds lead on. Registers count if they may be read again: they hold what an expression is about
/// to use. Variables are therefore to be objects (Program::keeps_pointers): a variable points to
/// memory as long as it exists, even if nobody reads it again.
///
/// What is lost stays lost: to look where states are stored, and where runs end, is to look
/// everywhere.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/c/liveness.hpp"

namespace heddle::model::c {

class LostMemory {
 public:
  /// The program must stay as it is.
  explicit LostMemory(const Program& program) : program_(program), liveness_(program) {}

  /// The first of the objects that are lost. Linear in the size of memory.
  std::optional<std::uint64_t> find(const State& state) const;

 private:
  void add_registers(const Thread& thread, std::vector<std::uint64_t>& words) const;

  const Program& program_;
  Liveness liveness_;
};

/// The first heap object of the program, not of our library.
std::optional<std::uint64_t> find_allocated(const State& state);

/// "a heap object of 4 bytes"
std::string size_phrase(const State& state, std::uint64_t object);

}  // namespace heddle::model::c
