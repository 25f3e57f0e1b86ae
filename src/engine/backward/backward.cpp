#include "engine/backward/backward.hpp"

#include <string>

#include "coverability/backward_search.hpp"
#include "coverability/pruner.hpp"
#include "engine/counters.hpp"

namespace heddle::engine::backward {

namespace {

using answer::Unknown;
using answer::Verdict;

Verdict run(const model::CountingTask& task, const BackwardOptions& options,
            base::RunContext& context) {
  if (const auto stop = context.stopped())
    return Unknown{unknown_reason(*stop), "stopped before the search began"};
  coverability::Pruner pruner =
      options.learn_invariants
          ? coverability::find_and_learn_invariants(task, options.use_invariants)
          : coverability::find_invariants(task, options.use_invariants);
  return to_verdict(coverability::backward_search(task, pruner, options.order, context));
}

}  // namespace

EngineRow row() {
  return row_for(
      {.name = "backward",
       .summary = "backward coverability search from the target (Abdulla), sound and complete",
       .models = "thread systems, Petri nets with resets and transfers",
       .proves = true,
       .refutes = true,
       .complete = true,
       .evidence = {"trace", "backward_basis"},
       .options = {order_option(&BackwardOptions::order),
                   invariants_option(&BackwardOptions::use_invariants)}},
      accepts_upward_closed, run, counters_only());
}

}  // namespace heddle::engine::backward
