#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/c/address_space.hpp"
#include "model/c/program.hpp"

namespace heddle::model::c {

/// What ends a run early, or is worth stopping at.
struct Violation {
  enum class Kind : std::uint8_t {
    Failure,        ///< `reach_error()` or a failed assertion
    InvalidAccess,  ///< null, out of bounds, after free, …
    InvalidFree,    ///< not the beginning of a heap object
    DoubleFree,
    LostMemory,     ///< a heap object to which no pointer leads any more
    UnfreedMemory,  ///< the process ends while a heap object is allocated
    Overflow,       ///< signed arithmetic, shifts by too much
    DivisionByZero,
    Deadlock,
    DataRace,
    Blocked,     ///< no thread can step, and no thread was woken by chance before
    Lasso,       ///< a loop that returns to the state in which it began
    Unsupported  ///< the model ends here; nothing is known about what follows
  };
  Kind kind = Kind::Failure;
  std::string what;  ///< a phrase: "write of 4 bytes: null pointer"
  ThreadId thread;
  Position position;
  friend bool operator==(const Violation&, const Violation&) = default;
};

std::string_view to_string(Violation::Kind kind);

/// The questions that can be asked about a C program.
enum class Property : std::uint8_t {
  Reach,
  NoDataRace,
  NoDeadlock,
  NoOverflow,
  Memory,         ///< accesses and `free`
  MemorySafety,   ///< and no object is lost
  MemoryCleanup,  ///< no object is lost, and none is allocated when the process ends
  NoFault,        ///< nothing ends an execution that C does not define: memory, division by zero
  Termination,    ///< every run ends: none is infinite, and in none do threads wait for ever
  /// The same of runs that are weakly fair: a thread that can step from some moment on, without
  /// interruption, steps again.
  FairTermination
};

/// "reach", "no-data-race", "no-deadlock", "no-overflow", "memory", "memory-safety",
/// "memory-cleanup", "no-fault", "termination", "fair-termination".
std::string_view to_string(Property property);
/// Also takes the competition's names: "unreach-call", "valid-memsafety", "valid-memcleanup".
std::optional<Property> parse_property(std::string_view name);
/// Whether this is what the property forbids.
bool violates(Property property, Violation::Kind kind);
/// Whether runs have to end, with or without fairness.
bool is_about_ending(Property property);
/// Whether it matters which threads wait, and for what. If not, signals make no difference, because
/// threads may wake by themselves.
bool is_about_waiting(Property property);
/// Whether the C standard says nothing about what follows.
bool is_undefined_behaviour(Violation::Kind kind);
/// Whether it also ends the execution here, whatever is asked.
bool is_fault(Violation::Kind kind);
/// Whether it matters where pointers are: programs are then read with their pointers in memory.
bool tracks_memory(Property property);

}  // namespace heddle::model::c
