#include <algorithm>
#include <expected>
#include <set>

#include "check/cutoff/cutoff_steps.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

using answer::WitnessNode;
using base::Integer;
using model::Configuration;

/// The configuration of a node, with what is needed to go on from it.
struct Reached {
  Configuration initial;  ///< of its root, with all births since
  Configuration now;
  Integer pool;  ///< threads that are no tokens any more

  Integer threads() const { return now.counts.total() + pool; }
};

class WitnessReplay {
 public:
  WitnessReplay(const model::CountingTask& task, const answer::Cutoff& cutoff,
                base::RunContext& context)
      : task_(task), cutoff_(cutoff), context_(context) {
    std::visit(
        [&](const auto& model) {
          for (const auto& t : model.transitions) note_passive(t);
        },
        task.model);
  }

  Problem run() {
    nodes_.reserve(cutoff_.witnesses.size());
    for (const WitnessNode& node : cutoff_.witnesses) {
      if (auto problem = count_step(context_)) return problem;
      auto reached = reach(node);
      if (!reached)
        return refuted("node " + std::to_string(nodes_.size()) +
                       " of the witnesses: " + reached.error());
      nodes_.push_back(std::move(*reached));
    }
    for (const answer::ReachedState& state : cutoff_.reachable)
      if (auto problem = check_state(state)) return problem;
    return std::nullopt;
  }

 private:
  using Result = std::expected<Reached, std::string>;

  void note_passive(const model::PetriTransition&) {}
  void note_passive(const model::ThreadTransition& t) {
    if (t.kind == model::StepKind::Transfer) moved_.insert(t.source.local);
    if (t.kind == model::StepKind::Move)
      for (const model::PassiveMove& move : t.passive) moved_.insert(move.from);
  }

  bool is_initial(const Configuration& configuration) const {
    return std::ranges::any_of(task_.question.initial, [&](const model::Region& region) {
      return model::initial_region_contains(region, configuration);
    });
  }

  Result reach(const WitnessNode& node) const {
    if (!node.parent) {
      if (auto why = mismatch(task_.model, node.initial))
        return std::unexpected("it names " + *why);
      if (!is_initial(node.initial)) return std::unexpected("it is not initial");
      return Reached{node.initial, node.initial, 0};
    }
    if (*node.parent >= nodes_.size()) return std::unexpected("its parent comes after it");
    auto born = give_birth(nodes_[*node.parent], node.births);
    if (!born || !node.step) return born;
    return step(std::move(*born), *node.step);
  }

  Result give_birth(Reached reached, const model::Counts& births) const {
    if (births.empty()) return reached;
    for (const auto& [counter, count] : births.entries()) {
      if (counter.index() >= model::counter_count(task_.model))
        return std::unexpected("a thread starts in a local state that the model does not have");
      if (moved_.contains(counter))
        return std::unexpected(
            "a thread starts in a local state whose threads are moved passively");
      reached.initial.counts.add(counter, count);
      reached.now.counts.add(counter, count);
    }
    if (!is_initial(reached.initial))
      return std::unexpected(
          "with the threads that are added it does not start in an initial configuration");
    return reached;
  }

  Result step(Reached reached, const answer::TraceStep& step) const {
    auto next = model::step(task_.model, reached.now, step.transition, step.flows);
    if (!next) return std::unexpected(next.error());
    reached.pool += reached.now.counts.total() - next->counts.total();
    if (reached.pool < 0) reached.pool = 0;
    reached.now = std::move(*next);
    return reached;
  }

  Problem check_state(const answer::ReachedState& claim) const {
    const std::string name = state_name(task_.model, claim.state);
    if (claim.witness >= nodes_.size()) return refuted(name + " has no witness");
    const Reached& reached = nodes_[claim.witness];
    if (reached.now.shared != claim.state.shared || reached.now.counts[claim.state.local] < 1)
      return refuted("the witness of " + name + " does not contain it");
    if (reached.threads() != claim.threads)  // with fewer, the number would not be the least
      return refuted("the witness of " + name + " has " +
                     base::counted(reached.threads(), "thread") + " instead of " +
                     std::to_string(claim.threads));
    return std::nullopt;
  }

  const model::CountingTask& task_;
  const answer::Cutoff& cutoff_;
  base::RunContext& context_;
  std::set<model::Counter> moved_;  ///< local states that passive moves leave
  std::vector<Reached> nodes_;
};

}  // namespace

namespace {

std::string name_in(const model::PetriNet& net, const model::ThreadState& state) {
  return model::counter_name(net, state.local);
}

std::string name_in(const model::ThreadSystem& system, const model::ThreadState& state) {
  return model::to_string(system, {state.shared, {{state.local, 1}}});
}

}  // namespace

std::string state_name(const model::CountingModel& model, const model::ThreadState& state) {
  return std::visit([&](const auto& which) { return name_in(which, state); }, model);
}

Problem check_witnesses(const model::CountingTask& task, const answer::Cutoff& cutoff,
                        base::RunContext& context) {
  return WitnessReplay(task, cutoff, context).run();
}

}  // namespace heddle::check
