#include <algorithm>
#include <expected>
#include <set>

#include "check/cutoff_parts.hpp"
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
  WitnessReplay(const model::Task& task, const answer::Cutoff& cutoff, base::RunContext& context)
      : task_(task), cutoff_(cutoff), context_(context) {
    if (const auto* system = std::get_if<model::ThreadSystem>(&task.model))
      for (const model::ThreadTransition& t : system->transitions) note_passive(t);
  }

  CutoffProblem run() {
    nodes_.reserve(cutoff_.witnesses.size());
    for (const WitnessNode& node : cutoff_.witnesses) {
      if (auto problem = cutoff_stopped(context_)) return problem;
      auto reached = reach(node);
      if (!reached)
        return cutoff_refuted("node " + std::to_string(nodes_.size()) +
                              " of the witnesses: " + reached.error());
      nodes_.push_back(std::move(*reached));
    }
    for (const answer::ReachedState& state : cutoff_.reachable)
      if (auto problem = check_state(state)) return problem;
    return std::nullopt;
  }

 private:
  using Result = std::expected<Reached, std::string>;

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
      if (auto why = misfit(task_.model, node.initial)) return std::unexpected("it names " + *why);
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
        return std::unexpected("a thread is born where nothing is");
      if (moved_.contains(counter))
        return std::unexpected("a thread is born where passive threads are moved");
      reached.initial.counts.add(counter, count);
      reached.now.counts.add(counter, count);
    }
    if (!is_initial(reached.initial))
      return std::unexpected("with its births it does not start in an initial configuration");
    return reached;
  }

  Result step(Reached reached, const answer::TraceStep& step) const {
    const auto* net = std::get_if<model::PetriNet>(&task_.model);
    auto next = net ? model::step(*net, reached.now, step.transition)
                    : model::step(std::get<model::ThreadSystem>(task_.model), reached.now,
                                  step.transition, step.flows);
    if (!next) return std::unexpected(next.error());
    reached.pool += reached.now.counts.total() - next->counts.total();
    if (reached.pool < 0) reached.pool = 0;
    reached.now = std::move(*next);
    return reached;
  }

  CutoffProblem check_state(const answer::ReachedState& claim) const {
    const std::string name = state_name(task_.model, claim.state);
    if (claim.witness >= nodes_.size()) return cutoff_refuted(name + " has no witness");
    const Reached& reached = nodes_[claim.witness];
    if (reached.now.shared != claim.state.shared || reached.now.counts[claim.state.local] < 1)
      return cutoff_refuted("the witness of " + name + " does not contain it");
    if (reached.threads() != claim.threads)  // with fewer, the number would not be the least
      return cutoff_refuted("the witness of " + name + " has " +
                            base::to_string(reached.threads()) + " threads instead of " +
                            std::to_string(claim.threads));
    return std::nullopt;
  }

  const model::Task& task_;
  const answer::Cutoff& cutoff_;
  base::RunContext& context_;
  std::set<model::Counter> moved_;  ///< local states that passive moves leave
  std::vector<Reached> nodes_;
};

}  // namespace

CutoffProblem cutoff_stopped(base::RunContext& context) {
  const auto reason = context.step();
  if (!reason) return std::nullopt;
  return answer::CheckResult{answer::EvidenceStatus::NotChecked,
                             std::string(base::to_string(*reason))};
}

std::string state_name(const model::Model& model, const model::ThreadState& state) {
  if (std::holds_alternative<model::PetriNet>(model))
    return model::counter_name(model, state.local);
  return model::to_string(model, {state.shared, {{state.local, 1}}});
}

CutoffProblem check_witnesses(const model::Task& task, const answer::Cutoff& cutoff,
                              base::RunContext& context) {
  return WitnessReplay(task, cutoff, context).run();
}

}  // namespace heddle::check
