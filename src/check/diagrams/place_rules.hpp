#pragma once

/// What a thread at a place can do, as rules over diagrams, for claims whose sets go by places.

#include <optional>
#include <string>
#include <vector>

#include "answer/report.hpp"
#include "check/diagrams/configuration_copies.hpp"
#include "check/diagrams/diagrams.hpp"
#include "check/proof.hpp"
#include "model/task.hpp"

namespace heddle::check {

/// The program that a claim is about.
struct ClaimedProgram {
  model::boolean::Flow flow;
  std::vector<model::boolean::NodeId> starts;  ///< of its threads
};

using Substitution = std::vector<std::uint32_t>;

/// An edge from a place: whatever is in `from` and in the relation is at the target, once the
/// target's variables are replaced.
struct StepRule {
  Diagrams::Set from = 0;
  Diagrams::Set relation = 0;
  std::uint32_t target = 0;  ///< a place; 0: nothing should be in both
  Substitution after;
  std::string name;
};

class PlaceRules {
 public:
  /// All must outlive it.
  PlaceRules(const model::boolean::Flow& flow, const std::vector<model::boolean::NodeId>& starts,
             const ConfigurationCopies& copies, Diagrams& diagrams);

  const Substitution& identity() const { return identity_; }

  /// Throws Broken if a thread has failed there.
  void refuse_failure(const answer::CallStack& stack) const;

  Diagrams::Set at(std::uint32_t thread, std::uint32_t place);
  /// All threads are at their starts, or behind steps there that do nothing.
  Diagrams::Set initial();
  const std::vector<model::boolean::EdgeId>& edges_from(model::boolean::NodeId node) const {
    return by_source_[node.index()];
  }
  /// What the edge does to a set of the place.
  StepRule step(std::uint32_t thread, const answer::CallStack& stack, model::boolean::EdgeId edge,
                Diagrams::Set here);

  /// Does a step follow that touches shared variables, outside of atomic sections? So it is counted
  /// for the place where the thread's first turn begins, too.
  bool ends_turns(std::uint32_t thread, const answer::CallStack& stack) const;
  /// May a turn end at a place because the thread stops there for good? By number, less 1. The
  /// shared variables may just have changed, outside of atomic sections, and steps that touch none
  /// of them need not lead on to one of the places where turns end.
  std::vector<bool> stops(std::uint32_t thread, const std::vector<answer::CallStack>& places);
  /// Shared variables that the thread may assign at these places.
  std::vector<std::uint32_t> assigned(const std::vector<answer::CallStack>& places) const;

 private:
  using Set = Diagrams::Set;
  using FlowEdge = model::boolean::FlowEdge;
  using EdgeId = model::boolean::EdgeId;

  Set both(Set a, Set b) { return diagrams_.conjunction(a, b); }
  bool follows_change(model::boolean::NodeId node) const;
  bool goes_on(std::uint32_t thread, const answer::CallStack& stack,
               const std::vector<bool>& going_on);
  bool does_nothing(const FlowEdge& edge) const;
  answer::CallStack first_stack(model::boolean::NodeId start) const;
  StepCopies step_copies(std::uint32_t thread, std::size_t first) const;
  void narrow(StepRule& rule, Set factor);
  void assign(StepRule& rule, const EdgeSets& sets,
              std::span<const model::boolean::Assignment> list,
              std::span<const std::uint32_t> copy);
  void plain(StepRule& rule, std::uint32_t thread, const answer::CallStack& stack, EdgeId edge,
             const EdgeSets& sets);
  void call(StepRule& rule, std::uint32_t thread, const answer::CallStack& stack, EdgeId edge,
            const EdgeSets& sets);
  void leave(StepRule& rule, std::uint32_t thread, const answer::CallStack& stack, EdgeId edge,
             const EdgeSets& sets);

  const model::boolean::Flow& flow_;
  const ConfigurationCopies& copies_;
  Diagrams& diagrams_;
  std::vector<std::vector<EdgeId>> by_source_;
  std::vector<answer::CallStack> firsts_;  ///< by thread: where its first turn begins
  Substitution identity_;
};

/// What a claim by places is read into, for its check.
struct ClaimedPlaces {
  /// Throws Broken if the claim is about other rounds, or its diagrams do not have the right form.
  ClaimedPlaces(const model::ProgramTask& task, const answer::PlaceDiagrams& claim,
                const std::optional<base::Integer>& rounds);
  ClaimedPlaces(const ClaimedPlaces&) = delete;
  ClaimedPlaces& operator=(const ClaimedPlaces&) = delete;

  const ClaimedProgram program;
  const ConfigurationCopies copies;
  Diagrams diagrams;
  PlaceRules rules;
};

}  // namespace heddle::check
