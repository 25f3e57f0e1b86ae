#pragma once

#include <optional>
#include <vector>

#include "model/threads/covering.hpp"

namespace heddle::check::c {

/// The thread program that a covering describes, derived from the C program alone. Throws an
/// Objection if the covering is not one. See covering.cpp.
model::threads::ThreadProgram covered_program(const model::c::Program& program,
                                              const model::threads::Covering& covering);

/// An access to memory that a thread makes when it steps from a point.
struct MemoryAccess {
  std::uint32_t thread = 0, point = 0;
  bool is_write = false;
  bool is_atomic = false;  ///< by itself, or because it is in an atomic section
  bool in_section = false;
  std::uint64_t bytes = 0;  ///< 0: the whole object
  /// An invented number, over the variables of the thread program; inputs where it is not known.
  term::Term address = term::constant(true);
  std::vector<std::uint32_t> objects;  ///< of the covering: it falls into one of them
};

/// A point from which a thread steps only when others let it, or wakes others.
struct WaitingPlace {
  enum class Kind : std::uint8_t {
    Lock,
    Join,
    FallAsleep,  ///< at a condition variable
    Asleep,
    Signal,
    Broadcast,
    Until  ///< the rest of its atomic section needs a condition
  };
  std::uint32_t thread = 0, point = 0;
  Kind kind = Kind::Lock;
  bool in_section = false;
  bool is_timed = false;  ///< of a condition wait: it may end by itself
  /// Whether it may wait although the thread program says that it steps: a mutex that is not
  /// followed, a thread that is joined without its status saying whether it has ended.
  bool is_vague = false;
  term::Term has_mutex = term::constant(true);  ///< of a lock: its address is that of a mutex
  std::optional<std::uint64_t> condition;       ///< its invented address, if that is known
  bool has_condition = false;                   ///< it is inside a global variable
  /// Of a join that is not vague: a thread that is joined runs.
  term::Term joined_runs = term::constant(false);
};

struct CoveredAccesses {
  model::threads::ThreadProgram program;
  std::vector<MemoryAccess> accesses;
  std::vector<WaitingPlace> waiting;  ///< by thread and point
};

/// The same with all accesses to memory, for proofs about data races. An attempt to take a mutex
/// may fail although it is free, as C allows: that it failed does not order anything. Gives up if a
/// thread may find out that another has ended without being ordered behind it.
CoveredAccesses covered_accesses(const model::c::Program& program,
                                 const model::threads::Covering& covering);

/// The thread program itself with all accesses to memory; a failed assertion is an end of the
/// process like others.
CoveredAccesses covered_program_where_failures_end(const model::c::Program& program,
                                                   const model::threads::Covering& covering);

}  // namespace heddle::check::c
