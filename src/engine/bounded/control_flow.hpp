#pragma once

/// The loops of a function, and an order of its instructions in which everything stands before what
/// it leads to, except along the edges that close loops.

#include <cstdint>
#include <vector>

#include "model/c/program.hpp"

namespace heddle::engine::bounded {

struct Loop {
  model::c::Location header;
  std::vector<bool> body;  ///< by locations; the header is in it
};

class ControlFlow {
 public:
  explicit ControlFlow(const model::c::Function& function);

  /// Places in the order; an instruction that cannot be reached has none that means anything.
  std::uint32_t order(model::c::Location at) const { return order_[at.index()]; }
  /// Whether paths meet here.
  bool is_join(model::c::Location at) const { return predecessors_[at.index()] > 1; }
  /// Indices into `loops` of those that an instruction lies in, the outermost first.
  const std::vector<std::uint32_t>& loops_around(model::c::Location at) const {
    return around_[at.index()];
  }
  const Loop& loop(std::uint32_t index) const { return loops_[index]; }
  /// Whether nothing follows but the end of the process or a failure.
  bool is_doomed(model::c::Location at) const { return doomed_[at.index()]; }

 private:
  void sort(const model::c::Function& function);
  void add_to_loop(std::uint32_t from, std::uint32_t header,
                   const std::vector<std::vector<std::uint32_t>>& sources);
  void nest_loops();
  void find_doomed(const model::c::Function& function,
                   const std::vector<std::vector<std::uint32_t>>& sources);

  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<bool> doomed_;
  std::vector<Loop> loops_;
  std::vector<std::vector<std::uint32_t>> around_;
};

/// Where control may go inside the function.
std::vector<model::c::Location> successors(const model::c::Function& function,
                                           model::c::Location at);

}  // namespace heddle::engine::bounded
