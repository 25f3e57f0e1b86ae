#pragma once

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

struct CoveredAccesses {
  model::threads::ThreadProgram program;
  std::vector<MemoryAccess> accesses;
};

/// The same with all accesses to memory, for proofs about data races. An attempt to take a mutex
/// may fail although it is free, as C allows: that it failed does not order anything. Gives up if a
/// thread may find out that another has ended without being ordered behind it.
CoveredAccesses covered_accesses(const model::c::Program& program,
                                 const model::threads::Covering& covering);

/// The thread program itself with all accesses to memory.
CoveredAccesses covered_program_and_accesses(const model::c::Program& program,
                                             const model::threads::Covering& covering);

}  // namespace heddle::check::c
