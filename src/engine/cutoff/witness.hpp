#pragma once

/// From what the searches found to interleavings of the model.

#include <cstdint>
#include <map>
#include <vector>

#include "answer/cutoff.hpp"
#include "answer/trace.hpp"
#include "coverability/forward_search.hpp"
#include "model/counting.hpp"

namespace heddle::engine::cutoff {

/// The interleaving to a target that the forward search has found.
answer::Trace forward_trace(const model::CountingTask& task,
                            const coverability::ThreadFamily& family,
                            const coverability::ForwardSearch& forward,
                            const coverability::FoundTarget& target);

/// Collects witnesses that share what they have in common.
class WitnessForest {
 public:
  WitnessForest(const model::CountingTask& task, const coverability::ThreadFamily& family,
                const coverability::ForwardSearch& forward)
      : task_(task), family_(family), forward_(forward) {}

  /// The node that contains the thread state.
  std::uint32_t add(const coverability::FoundThreadState& state);
  std::uint32_t add(const answer::Trace& trace);

  std::vector<answer::WitnessNode> take() { return std::move(nodes_); }

 private:
  std::uint32_t node_of(const coverability::StateRef& ref);
  std::uint32_t append(answer::WitnessNode node);

  const model::CountingTask& task_;
  const coverability::ThreadFamily& family_;
  const coverability::ForwardSearch& forward_;
  std::vector<answer::WitnessNode> nodes_;
  std::map<coverability::StateRef, std::uint32_t> known_;
};

}  // namespace heddle::engine::cutoff
