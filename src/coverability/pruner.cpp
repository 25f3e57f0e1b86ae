#include "coverability/pruner.hpp"

namespace heddle::coverability {

namespace {

/// Rows of thread states beyond this are not worth their memory.
constexpr std::size_t kRowByteLimit = std::size_t{256} << 20;

Pruner invariants_of(const model::ThreadSystem& system, const std::vector<model::Region>& initial) {
  return Pruner(closed_thread_states(system, initial, kRowByteLimit));
}

Pruner invariants_of(const model::PetriNet& net, const std::vector<model::Region>& initial) {
  return {concurrency_relation(net, initial), provable_claims(net, initial), net.places.size()};
}

/// Thread systems have no sums to be learnt.
void learn(Pruner&, const model::ThreadSystem&, const std::vector<model::Region>&) {}
void learn(Pruner& pruner, const model::PetriNet& net, const std::vector<model::Region>& initial) {
  WeightedSums sums(net, initial);
  if (sums.is_small()) pruner.learn_with(std::move(sums));
}

}  // namespace

Pruner find_invariants(const model::CountingTask& task, bool wanted) {
  if (!wanted) return {};
  return std::visit([&](const auto& model) { return invariants_of(model, task.question.initial); },
                    task.model);
}

Pruner find_and_learn_invariants(const model::CountingTask& task, bool wanted) {
  Pruner pruner = find_invariants(task, wanted);
  if (!wanted) return pruner;
  std::visit([&](const auto& model) { learn(pruner, model, task.question.initial); }, task.model);
  return pruner;
}

}  // namespace heddle::coverability
