#pragma once

/// Where threads of a covered program wait for each other, and where they wake each other.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/c/program.hpp"
#include "model/threads/covering.hpp"
#include "model/threads/thread_program.hpp"

namespace heddle::engine::compositional {

struct Wait {
  enum class Kind : std::uint8_t { Lock, Join, FallAsleep, Asleep, Signal, Broadcast, Until };
  Kind kind = Kind::Lock;
  bool is_timed = false;
  std::optional<std::uint64_t> condition;  ///< the address of a condition variable, if known
};

struct Waits {
  /// By thread and point. A section with a condition waits at the point before it.
  std::vector<std::map<std::uint32_t, Wait>> at;
  std::vector<std::set<std::uint32_t>> ends;  ///< by thread: where it has ended, not the process

  bool has_sleepers() const;
  /// Whether a thread may stand there for ever: it waits there.
  static bool stops(const Wait& wait);
};

/// Fails, with the reason, where threads wait in atomic sections for something else than a
/// condition. The program is that of the covering, with its points.
std::optional<std::string> find_waits(const model::c::Program& source,
                                      const model::threads::Covering& covering,
                                      const model::threads::ThreadProgram& program, Waits& out);

/// Points that must be boundaries of blocks so that invariants speak about states in which all
/// threads wait, and nothing is moved across signals. By thread and point.
std::vector<std::vector<bool>> boundaries_for(const Waits& waits,
                                              const model::threads::ThreadProgram& program);

}  // namespace heddle::engine::compositional
