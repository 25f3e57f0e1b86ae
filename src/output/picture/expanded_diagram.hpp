#pragma once

/// The expanded diagram of papers/cutr.txt as far as pictures need it, and the way that a trace
/// takes through it.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "answer/trace.hpp"
#include "model/counting.hpp"

namespace heddle::output::picture {

/// A component with edges inside: a simple loop, or spaghetti.
struct LoopComponent {
  bool is_spaghetti = false;
  std::vector<std::uint32_t> transitions;  ///< inside, by number
};

/// What is known of a diagram before it is drawn. Who draws it has found it out elsewhere.
struct DiagramParts {
  std::vector<std::uint32_t> live;  ///< transitions that may happen and change something, ascending
  std::vector<LoopComponent> components;
};

/// From one thread state to another in the same shared state: another thread goes on.
using ExpansionEdge = std::pair<model::ThreadState, model::ThreadState>;

/// The thread states of threads that a transition has just moved, started or been taken by.
std::vector<model::ThreadState> ends_of(const model::ThreadTransition& transition);

/// From each end of a live transition to the source of another one, and to targets.
std::set<ExpansionEdge> expansion_edges(const model::CountingTask& task, const DiagramParts& parts);

/// A trace as a path.
struct PathTaken {
  std::map<std::uint32_t, base::Integer> transitions;  ///< how often each is taken
  std::set<ExpansionEdge> expansions;

  /// How many whole rounds of a simple loop it makes.
  base::Integer rounds_of(const LoopComponent& loop) const;
};

/// Steps that the model does not have, and those that change nothing, are passed over. Linear in
/// what is written down of the trace.
PathTaken path_of(const model::CountingTask& task, const answer::Trace& trace);

}  // namespace heddle::output::picture
