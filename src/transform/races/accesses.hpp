#pragma once

/// The accesses to memory of a thread program that covers a C program.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/c/program.hpp"
#include "model/threads/covering.hpp"
#include "model/threads/thread_program.hpp"

namespace heddle::transform::races {

struct MemoryAccess {
  model::threads::ThreadIndex thread;
  model::threads::Point point;
  bool is_write = false;
  bool is_atomic = false;  ///< by itself, or because it is in an atomic section
  bool in_section = false;
  std::uint64_t bytes = 0;             ///< 0: the whole object
  std::optional<term::Term> address;   ///< as an invented number; none: anywhere in its objects
  std::vector<std::uint32_t> objects;  ///< of the covering. Sorted
  std::optional<term::Term> number;    ///< of its object among those of one place, if known
};

/// In the order of threads and points.
std::vector<MemoryAccess> accesses(const model::c::Program& program,
                                   const model::threads::ThreadProgram& threads,
                                   const model::threads::Covering& covering);

/// By object of the covering: whether only the thread that made it can know it. Of a replicated
/// thread, each copy has its own.
std::vector<bool> private_objects(const model::threads::Covering& covering);

/// Whether several threads may join the same one: the second finds out that it has ended without
/// being ordered behind it, so that statuses say nothing about races.
bool has_rival_joins(const model::c::Program& program, const model::threads::Covering& covering);

/// `counter`, `list.head`, `malloc@12`, `buffer`.
std::string name_of(const model::c::Program& program, const model::threads::Covering& covering,
                    const MemoryAccess& access, std::uint32_t object);

}  // namespace heddle::transform::races
