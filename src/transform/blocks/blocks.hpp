#pragma once

/// Blocks: stretches of a thread that need not be interrupted. See blocks.cpp for why.

#include <cstdint>
#include <vector>

#include "model/threads/thread_program.hpp"
#include "transform/blocks/movers.hpp"

namespace heddle::transform::blocks {

/// Where blocks begin and end, by thread and point.
struct Partition {
  /// Other threads may step while this one stands here.
  std::vector<std::vector<bool>> is_out;
  /// Steps begin and end here: all of the above, and heads of loops inside blocks. Of the latter,
  /// at most one thread stands at one, and no other steps.
  std::vector<std::vector<bool>> is_cut;

  bool out(model::threads::ThreadIndex t, model::threads::Point p) const {
    return is_out[t.index()][p.index()];
  }
  bool cut(model::threads::ThreadIndex t, model::threads::Point p) const {
    return is_cut[t.index()][p.index()];
  }
};

/// The fewest boundaries that this method finds, with those that are wanted: by thread and point,
/// or empty. With `no_movers`, every point outside atomic sections is a boundary.
Partition partition(const model::threads::ThreadProgram& program, const Movers& movers,
                    const std::vector<std::vector<bool>>& wanted = {});

/// A path from cut to cut, as one transition: terms are over the state at its beginning.
struct BlockStep {
  model::threads::ThreadIndex thread;
  model::threads::Point from, to;
  term::Term guard = term::constant(true);
  std::vector<model::threads::Assignment> assignments;
  std::vector<model::threads::Input> inputs;
  std::vector<model::threads::Creation> creations;
  std::vector<std::uint32_t> path;  ///< transitions
};

struct BlockProgram {
  Partition partition;
  std::vector<std::vector<BlockStep>> steps;  ///< by thread
  /// By thread and point: locals whose value may still matter. Empty at points that are no cuts.
  std::vector<std::vector<std::vector<model::threads::VariableId>>> live;
};

/// Composes the paths between cuts. Where there are too many, adds boundaries.
BlockProgram compose(const model::threads::ThreadProgram& program, Partition partition);

}  // namespace heddle::transform::blocks
