#include "engine/cutoff/too_few.hpp"

#include <algorithm>
#include <map>

namespace heddle::engine::cutoff {

namespace {

using answer::TooFewThreads;
using coverability::Demand;
using coverability::ThreadFamily;
using State = std::pair<Control, std::uint32_t>;

/// Steps of the first attempt for the cutoff; attempts with more steps come after it.
constexpr std::uint64_t kFirstAttempt = 20'000;
/// Steps for all other numbers of threads.
constexpr std::uint64_t kOtherNumbers = 200'000;

base::Integer fewest_initial_threads(const model::CountingQuestion& question) {
  std::optional<base::Integer> fewest;
  for (const model::Region& region : question.initial) {
    base::Integer sum = 0;
    for (const model::CounterBound& bound : region.bounds) sum += bound.lower;
    if (!fewest || sum < *fewest) fewest = sum;
  }
  return fewest.value_or(0);
}

answer::PooledDemand to_pooled(const ThreadFamily& family, const Demand& demand) {
  answer::PooledDemand result{{model::SharedState(demand.control), {}}, 0};
  for (const auto& [counter, count] : demand.counts) {
    if (family.is_pool(counter))
      result.pool = count;
    else
      result.demand.counts.set(model::Counter(counter), count);
  }
  return result;
}

answer::ThreadWeighting to_answer(const ThreadFamily& family,
                                  const coverability::ThreadWeighting& weighting) {
  answer::ThreadWeighting result;
  for (Control control = 0; control < family.controls; ++control)
    if (weighting.controls[control] > 0)
      result.shared.emplace_back(control, weighting.controls[control]);
  for (std::uint32_t counter = 0; counter < family.counters; ++counter) {
    if (family.is_pool(counter))
      result.pool = weighting.counters[counter];
    else
      result.counters.set(model::Counter(counter), weighting.counters[counter]);
  }
  return result;
}

class Proofs {
 public:
  Proofs(const ThreadFamily& family, Detection& detection, coverability::Pruner& pruner,
         base::RunContext& context)
      : family_(family), detection_(detection), pruner_(pruner), context_(context) {}

  using Attempt = std::variant<TooFewThreads, coverability::Stopped, coverability::Overflowed>;

  /// Fewer threads reach none of the states. Stopped also if the steps do not suffice.
  Attempt prove(std::uint32_t threads, const std::vector<State>& states, std::uint64_t steps) {
    std::vector<Demand> targets;
    for (const auto& [control, counter] : states) targets.push_back({control, {{counter, 1}}});
    base::Limits limits = context_.limits();
    limits.steps = limits.steps ? std::min(steps, *limits.steps - context_.steps()) : steps;
    base::RunContext own(limits, context_.seed(), context_.stop_token());
    const auto answer = detection_.fewest_threads().ask(
        targets, threads - 1,
        {&detection_.known().rows(), detection_.uncoverable().minimal, &pruner_}, own);
    context_.add_steps(own.steps());
    if (const auto* overflow = std::get_if<coverability::Overflowed>(&answer)) return *overflow;
    if (const auto* stopped = std::get_if<coverability::Stopped>(&answer)) return *stopped;
    return to_proof(threads, states, std::get<coverability::NotCoveredWithin>(answer));
  }

  /// For the thread states that need them all: together, then each alone, with more and more steps.
  Attempt prove_cutoff(std::uint32_t threads, const std::vector<State>& states) {
    for (std::uint64_t steps = kFirstAttempt;; steps *= 4) {
      Attempt attempt = prove(threads, states, steps);
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (!std::holds_alternative<coverability::Stopped>(attempt)) return attempt;
        if (const auto stop = context_.stopped()) return coverability::Stopped{*stop};
        attempt = prove(threads, {states[i]}, steps);
      }
      if (!std::holds_alternative<coverability::Stopped>(attempt)) return attempt;
    }
  }

 private:
  TooFewThreads to_proof(std::uint32_t threads, const std::vector<State>& states,
                         const coverability::NotCoveredWithin& found) const {
    TooFewThreads proof{threads, {}, {}, {}};
    for (const auto& [control, counter] : states)
      proof.states.push_back({model::SharedState(control), model::LocalState(counter)});
    for (const Demand& demand : found.minimal) proof.minimal.push_back(to_pooled(family_, demand));
    std::ranges::sort(proof.minimal, [](const auto& a, const auto& b) {
      return a.demand != b.demand ? a.demand < b.demand : a.pool < b.pool;
    });
    for (const auto& weighting : found.weightings)
      proof.weightings.push_back(to_answer(family_, weighting));
    return proof;
  }

  const ThreadFamily& family_;
  Detection& detection_;
  coverability::Pruner& pruner_;
  base::RunContext& context_;
};

}  // namespace

std::variant<std::vector<TooFewThreads>, coverability::Stopped, coverability::Overflowed>
too_few_threads(const model::CountingTask& task, const ThreadFamily& family, Detection& detection,
                coverability::Pruner& pruner, base::RunContext& context) {
  const base::Integer fewest = fewest_initial_threads(task.question);
  std::map<std::uint32_t, std::vector<State>> states;
  for (const auto& [state, first] : detection.first())
    if (first.threads > fewest) states[first.threads].push_back(state);
  std::vector<TooFewThreads> found;
  if (states.empty()) return found;
  Proofs proofs(family, detection, pruner, context);
  const std::uint64_t last = context.steps() + kOtherNumbers;
  for (auto it = states.begin(); it != std::prev(states.end()) && context.steps() < last; ++it) {
    auto attempt = proofs.prove(it->first, it->second, last - context.steps());
    if (auto* proof = std::get_if<TooFewThreads>(&attempt)) found.push_back(std::move(*proof));
  }
  auto attempt = proofs.prove_cutoff(states.rbegin()->first, states.rbegin()->second);
  if (const auto* stopped = std::get_if<coverability::Stopped>(&attempt)) return *stopped;
  if (const auto* overflow = std::get_if<coverability::Overflowed>(&attempt)) return *overflow;
  found.push_back(std::get<TooFewThreads>(std::move(attempt)));
  return found;
}

}  // namespace heddle::engine::cutoff
