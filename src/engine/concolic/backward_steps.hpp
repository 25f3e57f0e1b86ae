#pragma once

#include <cstdint>
#include <vector>

#include "engine/concolic/diagram.hpp"
#include "engine/concolic/summary.hpp"

namespace heddle::engine::concolic {

/// What the arcs of a diagram and the rounds of its loops do to a demand, read backward.
///
/// Only counters that some initial region limits are followed: there is no more to know about the
/// others, since no counter influences another one.
class BackwardSteps {
 public:
  BackwardSteps(const model::CountingTask& task, const Diagram& diagram);

  bool is_limited(std::uint32_t local) const { return limited_[local]; }

  Summary arc(std::uint32_t arc) const;
  /// One round of the loop on which the node lies, from the node back to it.
  Summary round(Node node) const;

  /// The arcs of the round in this order, and its transitions in the order of a run.
  std::vector<std::uint32_t> loop_backward(Node node) const;
  std::vector<std::uint32_t> round_forward(Node node) const;

 private:
  const model::ThreadSystem& system_;
  const Diagram& diagram_;
  std::vector<bool> limited_;  // by local state: does some initial region limit it?
};

}  // namespace heddle::engine::concolic
