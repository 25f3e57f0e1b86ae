#pragma once

/// Pairs of accesses in conflict, and what keeps them apart.

#include <cstdint>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "transform/blocks/facts.hpp"
#include "transform/races/accesses.hpp"

namespace heddle::transform::races {

/// Why two accesses in conflict never happen at the same time.
enum class Reason : std::uint8_t {
  Mutex,    ///< both threads hold one
  Order,    ///< one of the threads is not running: not created yet, or joined
  Address,  ///< they use different bytes
  Open      ///< none of these is known
};

/// Indices of accesses; the first one's thread is not greater than the second one's.
struct Pair {
  std::size_t first = 0, second = 0;
  std::uint32_t object = 0;  ///< one that both may use
  Reason reason = Reason::Open;
};

struct Conflicts {
  std::vector<MemoryAccess> accesses;
  std::vector<Pair> pairs;  ///< all that are in conflict
  bool is_complete = true;  ///< false: the context said that the run must end
};

/// All pairs of accesses of two threads to common objects, one of them a write and one not atomic.
/// A query for each pair that facts do not keep apart and whose addresses are not constants.
Conflicts conflicts(const model::c::Program& program, const model::threads::ThreadProgram& threads,
                    const model::threads::Covering& covering, const blocks::Facts& facts,
                    base::RunContext& context);

/// Both threads are at their accesses, by facts, enabled, and the bytes overlap. `mark` is appended
/// to the names of locals and inputs of the second one; none if it is empty.
term::Term together(const model::threads::ThreadProgram& threads, const blocks::Facts& facts,
                    const MemoryAccess& first, const MemoryAccess& second, const std::string& mark);

}  // namespace heddle::transform::races
