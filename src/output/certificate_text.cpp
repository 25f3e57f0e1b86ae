#include "output/certificate_text.hpp"

#include <algorithm>

#include "model/counting.hpp"
#include "output/program_text.hpp"
#include "output/pushdown_text.hpp"
#include "output/words.hpp"

namespace heddle::output {

namespace {

using answer::BackwardBasis;
using answer::ClosedThreadStates;
using answer::ConcurrentPlaces;
using answer::LinearInvariant;
using answer::PathwiseProof;
using model::CountingModel;

constexpr std::size_t kShown = 10;

std::string term_text(const CountingModel& model, const model::WeightedPlace& term, bool first) {
  const base::Integer size = abs(term.weight);
  const std::string sign = term.weight < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  return sign + (size == 1 ? "" : base::to_string(size) + "·") +
         model::counter_name(model, term.place);
}

std::string invariant_text(const CountingModel& model, const LinearInvariant& invariant) {
  std::string sum;
  for (const model::WeightedPlace& term : invariant.weights)
    sum += term_text(model, term, sum.empty());
  const bool equal = invariant.relation == LinearInvariant::Relation::Equal;
  return sum + (equal ? " = " : " ≤ ") + base::to_string(invariant.bound);
}

std::string invariant_text(const CountingModel&, const ClosedThreadStates& closed) {
  return "every thread is in one of " + counted(closed.states.size(), "thread state") + " over " +
         counted(closed.shared.size(), "shared state");
}

std::string invariant_text(const CountingModel& model, const ConcurrentPlaces& places) {
  return "at most " + std::to_string(places.markable.size()) + " of " +
         counted(model::counter_count(model), "place") + " are ever marked, and only " +
         counted(places.together.size(), "pair") + " of them together";
}

/// The first few lines of a list, all of it if verbose.
template <class Items, class Show>
std::string list_text(const Items& items, const TextOptions& options, Show show) {
  const std::size_t shown = options.verbose || items.size() <= kShown + 1 ? items.size() : kShown;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += "    " + show(items[i]) + "\n";
  if (shown < items.size())
    out += options.style.dim("    … " + std::to_string(items.size() - shown) +
                             " more (--verbose shows all)") +
           "\n";
  return out;
}

std::string basis_heading(std::size_t size) {
  if (size == 0) return "  the target contradicts the invariants\n";
  if (size == 1) return "  neither this state nor anything larger is reachable:\n";
  return "  none of these " + std::to_string(size) +
         " states, nor anything larger, is reachable:\n";
}

std::string basis_text(const CountingModel& model, const BackwardBasis& basis,
                       const TextOptions& options) {
  std::string out = basis_heading(basis.minimal.size());
  out += list_text(basis.minimal, options, [&](const model::Configuration& state) {
    return model::to_string(model, state);
  });
  if (basis.relative_to.empty()) return out;
  out += "  relative to " + counted(basis.relative_to.size(), "checked invariant") + ":\n";
  return out + list_text(basis.relative_to, options, [&](const answer::Invariant& invariant) {
           return std::visit([&](const auto& kind) { return invariant_text(model, kind); },
                             invariant);
         });
}

// ---- the words of each kind ----

std::string kind_text(const model::CountingTask& task, const BackwardBasis& basis,
                      const TextOptions& options) {
  return basis_text(task.model, basis, options);
}

/// Its shared states, each with the local states of the threads in it.
std::string kind_text(const model::CountingTask& task, const ClosedThreadStates& closed,
                      const TextOptions& options) {
  return "  no target is reachable: " + invariant_text(task.model, closed) + "\n" +
         list_text(closed.shared, options, [&](model::SharedState shared) {
           std::string locals;
           for (const model::ThreadState& state : closed.states)
             if (state.shared == shared)
               locals += (locals.empty() ? "" : ",") + std::to_string(state.local.value);
           return std::to_string(shared.value) + "|" + locals;
         });
}

std::string element_text(const CountingModel& model, const answer::OmegaConfiguration& element) {
  std::string out = model::to_string(model, {element.shared, element.counts});
  if (element.unbounded.empty()) return out;
  out += element.counts.entries().empty() ? " any number of " : " and any number of ";
  for (std::size_t i = 0; i < element.unbounded.size(); ++i)
    out += (i == 0 ? "" : ", ") + model::counter_name(model, element.unbounded[i]);
  return out;
}

std::string kind_text(const model::CountingTask& task, const answer::ForwardCover& cover,
                      const TextOptions& options) {
  const std::string heading =
      "  no target is reachable from " +
      (cover.maximal.size() == 1
           ? std::string("this state or a smaller one, and every initial state is one of these:\n")
           : "these " + counted(cover.maximal.size(), "state") +
                 ", which include every initial state:\n");
  return heading + list_text(cover.maximal, options, [&](const auto& element) {
           return element_text(task.model, element);
         });
}

std::string kind_text(const model::ThreadTask& task, const PathwiseProof& proof,
                      const TextOptions& options) {
  std::string out = "  no path through simple loops leads to the target\n";
  if (proof.spaghetti.minimal.empty()) return out;
  return out + "  on the other paths:\n" + basis_text(task.model, proof.spaghetti, options);
}

std::string kind_text(const model::ProgramTask& task, const answer::ProgramBasis& basis,
                      const TextOptions& options) {
  return program_basis_text(task, basis, options);
}

std::string kind_text(const model::PushdownTask& task, const answer::PushdownInvariant& invariant,
                      const TextOptions& options) {
  return pushdown_invariant_text(task, invariant, options);
}

/// 0 rounds: any number.
std::string no_failure(std::size_t rounds) {
  return rounds == 0 ? "  no failure in any reachable configuration ("
                     : "  no failure within " + counted(rounds, "round") + " (";
}

std::string kind_text(const model::ProgramTask&, const answer::ContextRelations& relations,
                      const TextOptions&) {
  return no_failure(relations.rounds) + counted(relations.relations.size(), "relation") + ", " +
         counted(relations.nodes.size(), "BDD node") + ")\n";
}

std::string kind_text(const model::ProgramTask&, const answer::ConfigurationSets& sets,
                      const TextOptions&) {
  return no_failure(sets.rounds) + counted(sets.sets.size(), "set") + " of configurations, " +
         counted(sets.nodes.size(), "BDD node") + ")\n";
}

std::string kind_text(const model::ProgramTask&, const answer::TurnFacts& facts,
                      const TextOptions&) {
  return no_failure(facts.rounds) + counted(facts.sets.size(), "set") + " of turns, " +
         counted(facts.nodes.size(), "BDD node") + ")\n";
}

std::string kind_text(const model::ProgramTask&, const answer::ProgramStacks& stacks,
                      const TextOptions&) {
  const bool bounded = std::ranges::any_of(
      stacks.sets.products, [](const answer::StackProduct& product) { return product.turn > 0; });
  return "  no failure " +
         std::string(bounded ? "within the bound" : "in any reachable configuration") +
         ", however deep the calls (" + counted(stacks.sets.products.size(), "set") +
         " of stacks over " + counted(stacks.shared.size(), "valuation") +
         " of the shared variables and " + counted(stacks.frames.size(), "frame") + ")\n";
}

std::string kind_text(const model::CTask&, const answer::Exploration& exploration,
                      const TextOptions&) {
  if (exploration.states == 0)
    return "  the formula for all interleavings within the bound is unsatisfiable: none violates "
           "the "
           "property\n";
  return "  all interleavings were explored (" +
         counted(base::Integer(std::to_string(exploration.states)), "state") +
         " after reduction), and none violates the property\n";
}

std::string kind_text(const model::CTask&, const answer::ThreadInvariants& invariants,
                      const TextOptions&) {
  const bool any_number = std::ranges::any_of(
      invariants.covering.threads, [](const auto& thread) { return thread.is_replicated; });
  std::size_t places = 0;
  for (const auto& thread : invariants.covering.threads) places += thread.places.size();
  return "  no step of any thread leads to a violation: " +
         counted(invariants.proof.invariants.size(), "invariant") + " over " +
         counted(invariants.covering.threads.size(), "thread") +
         (any_number ? " (some of them any number of times)" : "") + " with " +
         counted(places, "place") + "\n";
}

std::string kind_text(const model::CTask&, const answer::RaceFreedom& freedom, const TextOptions&) {
  const bool any_number = std::ranges::any_of(
      freedom.covering.threads, [](const auto& thread) { return thread.is_replicated; });
  const std::string how =
      freedom.proof.invariants.empty()
          ? "the mutexes held and the order in which threads are created and joined"
          : counted(freedom.proof.invariants.size(), "invariant") +
                ", the mutexes held and the order in which threads are created and joined";
  return "  no two threads access the same bytes at the same time, by " + how + ", over " +
         counted(freedom.covering.threads.size(), "thread") +
         (any_number ? " (some of them any number of times)" : "") + "\n";
}

std::string kind_text(const model::CTask&, const answer::TerminationProof& proof,
                      const TextOptions&) {
  const std::string loops = proof.ranking.empty()
                                ? "there are no loops"
                                : counted(proof.ranking.size(), "rank") + " for the loops";
  return "  no run is infinite (" + loops + ", " +
         counted(proof.proof.invariants.size(), "invariant") + " over " +
         counted(proof.covering.threads.size(), "thread") + "), and no thread waits for ever\n";
}

std::string kind_text(const model::CTask&, const answer::DeadlockFreedom& freedom,
                      const TextOptions&) {
  const bool any_number = std::ranges::any_of(
      freedom.covering.threads, [](const auto& thread) { return thread.is_replicated; });
  return "  in every reachable state some thread can step, or all have ended (" +
         counted(freedom.proof.invariants.size(), "invariant") + " over " +
         counted(freedom.covering.threads.size(), "thread") +
         (any_number ? ", some of them any number of times" : "") + ")\n";
}

}  // namespace

std::string certificate_text(const model::AnyTask& any, const answer::Certificate& certificate,
                             const TextOptions& options) {
  return std::visit(
      [&]<class Model, class Kind>(const model::Task<Model>& task, const Kind& kind) {
        if constexpr (answer::kIsAbout<Kind, Model>)
          return kind_text(task, kind, options);
        else
          return std::string("  the certificate is about another kind of model\n");
      },
      any, certificate);
}

}  // namespace heddle::output
