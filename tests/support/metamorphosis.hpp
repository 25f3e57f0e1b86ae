#pragma once

/// Changes of a task that must not change its verdict.

#include <string_view>
#include <vector>

#include "model/task.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// Renames shared states, local states and places by random permutations.
model::Task rename_states(const model::Task& task, Random& random);
model::Task permute_transitions(const model::Task& task, Random& random);
model::Task duplicate_transitions(const model::Task& task, Random& random);
/// New states and places that no initial configuration can mark, with transitions from there into
/// the old part. For thread systems they sit behind a new shared state.
model::Task add_unreachable_part(const model::Task& task, Random& random);
/// A second copy of everything beside the first, with a target in the copy alone.
model::Task ask_a_disconnected_copy(const model::Task& task, Random& random);

/// More shared variables, and local ones of main (of all procedures, if there is no main), before
/// those of the program: all are 0, and nobody looks at them.
model::BooleanProgram widen(model::BooleanProgram program, std::size_t more);

struct Metamorphosis {
  std::string_view name;
  model::Task (*change)(const model::Task&, Random&);
};

std::vector<Metamorphosis> metamorphoses();

}  // namespace heddle::test
