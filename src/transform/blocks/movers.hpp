#pragma once

/// Which transitions commute with what other threads do (Lipton 1975).

#include <optional>
#include <vector>

#include "base/run_context.hpp"
#include "model/threads/thread_program.hpp"
#include "transform/blocks/facts.hpp"

namespace heddle::transform::blocks {

/// A *right mover* may be moved behind any following transition of another thread, a *left mover*
/// before any preceding one, and the result is the same.
struct Mover {
  bool right = true;
  bool left = true;
  friend bool operator==(const Mover&, const Mover&) = default;
};

/// A transition of another thread that does not commute with one, as an explanation.
struct Conflict {
  model::threads::ThreadIndex thread;
  std::uint32_t transition = 0;
};

struct Movers {
  /// By thread and transition.
  std::vector<std::vector<Mover>> of;
  std::vector<std::vector<std::optional<Conflict>>> because;
  /// By thread and point: whether the run may stop there.
  std::vector<std::vector<bool>> may_block;
  std::uint64_t formulas = 0;  ///< that a solver was asked
};

/// Classifies all transitions. A pair that touches no common variable commutes; so do pairs whose
/// threads cannot be at those points together; the rest is decided by a solver.
Movers classify(const model::threads::ThreadProgram& program, const Facts& facts,
                const base::RunContext& context);

/// Nothing commutes.
Movers no_movers(const model::threads::ThreadProgram& program);

/// "If `first` and then `second` can be executed, then so can `second` and then `first`, with the
/// same inputs and the same result", for threads at their points with these facts. To be valid.
/// None of them creates the other's thread. Locals of a second copy of one thread are renamed.
term::Term commutation(const model::threads::ThreadProgram& program, const Facts& facts,
                       model::threads::ThreadIndex first_thread,
                       const model::threads::Transition& first,
                       model::threads::ThreadIndex second_thread,
                       const model::threads::Transition& second);

}  // namespace heddle::transform::blocks
