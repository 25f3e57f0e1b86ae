#include "output/certificate_text.hpp"

#include <algorithm>

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
using model::Model;

constexpr std::size_t kShown = 10;

std::string term_text(const Model& model, const model::WeightedPlace& term, bool first) {
  const base::Integer size = abs(term.weight);
  const std::string sign = term.weight < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  return sign + (size == 1 ? "" : base::to_string(size) + "·") +
         model::counter_name(model, term.place);
}

std::string invariant_text(const Model& model, const LinearInvariant& invariant) {
  std::string sum;
  for (const model::WeightedPlace& term : invariant.weights)
    sum += term_text(model, term, sum.empty());
  const bool equal = invariant.relation == LinearInvariant::Relation::Equal;
  return sum + (equal ? " = " : " ≤ ") + base::to_string(invariant.bound);
}

std::string invariant_text(const Model&, const ClosedThreadStates& closed) {
  return "every thread is in one of " + counted(closed.states.size(), "thread state") + " over " +
         counted(closed.shared.size(), "shared state");
}

std::string invariant_text(const Model& model, const ConcurrentPlaces& places) {
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
  if (size == 0) return "  the target contradicts what always holds\n";
  if (size == 1) return "  no reachable state covers this minimal state:\n";
  return "  no reachable state covers any of these " + std::to_string(size) + " minimal states:\n";
}

std::string basis_text(const Model& model, const BackwardBasis& basis, const TextOptions& options) {
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

/// Its shared states, each with the local states of the threads in it.
std::string closed_text(const Model& model, const ClosedThreadStates& closed,
                        const TextOptions& options) {
  return "  no target fits into what is reachable: " + invariant_text(model, closed) + "\n" +
         list_text(closed.shared, options, [&](model::SharedState shared) {
           std::string locals;
           for (const model::ThreadState& state : closed.states)
             if (state.shared == shared)
               locals += (locals.empty() ? "" : ",") + std::to_string(state.local.value);
           return std::to_string(shared.value) + "|" + locals;
         });
}

std::string pathwise_text(const Model& model, const PathwiseProof& proof,
                          const TextOptions& options) {
  std::string out = "  no path through simple loops leads to the target\n";
  if (proof.spaghetti.minimal.empty()) return out;
  return out + "  on the other paths:\n" + basis_text(model, proof.spaghetti, options);
}

std::string context_text(const answer::ContextRelations& relations) {
  return "  what threads can do in " + counted(relations.rounds, "round") + " lies in " +
         counted(relations.relations.size(), "relation") + " (" +
         counted(relations.nodes.size(), "diagram node") + "), in which none has failed\n";
}

std::string configurations_text(const answer::ConfigurationSets& sets) {
  const std::string when = sets.rounds == 0 ? "at all" : "in " + counted(sets.rounds, "round");
  return "  the configurations that threads can reach " + when + " lie in " +
         counted(sets.sets.size(), "set") + " (" + counted(sets.nodes.size(), "diagram node") +
         "), in which none has failed\n";
}

std::string turns_text(const answer::TurnFacts& facts) {
  const std::string when = facts.rounds == 0 ? "ever" : "in " + counted(facts.rounds, "round");
  return "  what threads can " + when + " do in a turn lies in " +
         counted(facts.sets.size(), "set") + " (" + counted(facts.nodes.size(), "diagram node") +
         "), in which none has failed\n";
}

std::string stacks_text(const answer::ProgramStacks& stacks) {
  const bool bounded = std::ranges::any_of(
      stacks.sets.products, [](const answer::StackProduct& product) { return product.turn > 0; });
  return "  the configurations that threads can reach " +
         std::string(bounded ? "within the bound" : "at all") + ", with all their calls, lie in " +
         counted(stacks.sets.products.size(), "set") + " of stacks (over " +
         counted(stacks.shared.size(), "valuation") + " of the shared variables and " +
         counted(stacks.frames.size(), "frame") + "), in which none has failed\n";
}

}  // namespace

std::string certificate_text(const model::Task& task, const answer::Certificate& certificate,
                             const TextOptions& options) {
  if (const auto* basis = std::get_if<answer::ProgramBasis>(&certificate))
    return program_basis_text(task, *basis, options);
  if (const auto* invariant = std::get_if<answer::PushdownInvariant>(&certificate))
    return pushdown_invariant_text(task, *invariant, options);
  if (const auto* relations = std::get_if<answer::ContextRelations>(&certificate))
    return context_text(*relations);
  if (const auto* sets = std::get_if<answer::ConfigurationSets>(&certificate))
    return configurations_text(*sets);
  if (const auto* facts = std::get_if<answer::TurnFacts>(&certificate)) return turns_text(*facts);
  if (const auto* stacks = std::get_if<answer::ProgramStacks>(&certificate))
    return stacks_text(*stacks);
  if (const auto* closed = std::get_if<ClosedThreadStates>(&certificate))
    return closed_text(task.model, *closed, options);
  if (const auto* proof = std::get_if<PathwiseProof>(&certificate))
    return pathwise_text(task.model, *proof, options);
  return basis_text(task.model, std::get<BackwardBasis>(certificate), options);
}

}  // namespace heddle::output
