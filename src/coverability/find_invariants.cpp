#include "coverability/find_invariants.hpp"

#include "coverability/concurrency_relation.hpp"
#include "coverability/invariants.hpp"

namespace heddle::coverability {

namespace {

/// Rows of thread states beyond this are not worth their memory.
constexpr std::size_t kRowByteLimit = std::size_t{256} << 20;

}  // namespace

Pruner find_invariants(const model::Task& task, bool wanted) {
  const auto& initial = task.question.initial;
  if (!wanted) return {};
  if (const auto* system = std::get_if<model::ThreadSystem>(&task.model))
    return Pruner(closed_thread_states(*system, initial, kRowByteLimit));
  const auto& net = std::get<model::PetriNet>(task.model);
  return {concurrency_relation(net, initial), provable_claims(net, initial), net.places.size()};
}

Pruner find_and_learn_invariants(const model::Task& task, bool wanted) {
  Pruner pruner = find_invariants(task, wanted);
  const auto* net = std::get_if<model::PetriNet>(&task.model);
  if (!wanted || !net) return pruner;
  WeightedSums sums(*net, task.question.initial);
  if (sums.is_small()) pruner.learn_with(std::move(sums));
  return pruner;
}

}  // namespace heddle::coverability
