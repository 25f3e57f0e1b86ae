#include "driver/projection.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/invariant.hpp"
#include "check/pushdown/pushdown_through.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "transform/visits.hpp"

namespace heddle::driver {

namespace {

using answer::OnErrorTrace;
using answer::Projection;
using answer::SafeUpTo;
using answer::Unknown;
using answer::Unsafe;
using answer::Verdict;
using model::BooleanProgram;
using model::PushdownRule;
using model::PushdownSystem;
using model::boolean::Flow;
using model::boolean::State;
using transform::StatementPlace;

/// Where a rule of a pushdown system stands.
StatementPlace place_of_rule(const PushdownRule& rule) { return {rule.line, 1}; }

/// All that is to be marked.
std::set<StatementPlace> places_in(const BooleanProgram& program) {
  return transform::statements_of(program);
}

std::set<StatementPlace> places_in(const PushdownSystem& system) {
  std::set<StatementPlace> out;
  for (const PushdownRule& rule : system.transitions) out.insert(place_of_rule(rule));
  return out;
}

std::string_view marked_thing(const BooleanProgram&) { return "statement"; }
std::string_view marked_thing(const PushdownSystem&) { return "rule"; }

std::set<std::uint32_t> lines_of(const std::set<StatementPlace>& places) {
  std::set<std::uint32_t> lines;
  for (const StatementPlace& place : places) lines.insert(place.first);
  return lines;
}

/// Asks for a failure through one of the places.
model::ProgramTask through(const model::ProgramTask& task, const std::set<StatementPlace>& places) {
  model::ProgramTask out = task;
  out.model.through.assign(places.begin(), places.end());
  return out;
}

model::PushdownTask through(const model::PushdownTask& task,
                            const std::set<StatementPlace>& places) {
  return transform::reach_through(task, lines_of(places));
}

/// Answers are checked on the system that asks for runs through open rules; that this is the system
/// to ask about is shown here, by the checker's code. Of a program, what is asked about is the
/// program itself: through which statements failures count is a part of what it means.
std::optional<std::string> why_not_asked_for(const model::ProgramTask&, const model::ProgramTask&,
                                             const std::set<StatementPlace>&) {
  return std::nullopt;
}

std::optional<std::string> why_not_asked_for(const model::PushdownTask& task,
                                             const model::PushdownTask& question,
                                             const std::set<StatementPlace>& open) {
  return check::why_not_through(task, question, lines_of(open));
}

/// Where threads are at failure labels. (Nothing leads away from where assertions have failed.)
std::set<StatementPlace> labels_in(const Flow& flow, const State& state) {
  std::set<StatementPlace> out;
  for (const model::boolean::ThreadConfiguration& thread : state.threads) {
    const model::boolean::FlowNode& node = flow.nodes[thread.node.index()];
    const auto leads_on = [&](const auto& edge) { return edge.source == thread.node; };
    if (node.failed && (node.waits || std::ranges::any_of(flow.edges, leads_on)))
      out.insert(transform::place_of(node.at));
  }
  return out;
}

/// The statements of the run's steps, up to the first failure, and the label where it is.
std::set<StatementPlace> passed(const BooleanProgram& program, const answer::ProgramRun& run) {
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  HEDDLE_INVARIANT(flow, "a program with a run should have a flow graph");
  std::set<StatementPlace> out;
  State state = run.initial;
  for (const model::boolean::Step& step : run.steps) {
    if (has_failed(*flow, state)) break;
    out.insert(transform::place_of(flow->edges[step.edge.index()].at));
    auto next = take(*flow, state, step);
    HEDDLE_INVARIANT(next, "a run that was checked should be one");
    state = std::move(*next);
  }
  out.merge(labels_in(*flow, state));
  return out;
}

std::set<StatementPlace> passed(const PushdownSystem& system, const answer::PushdownRun& run) {
  std::set<StatementPlace> out;
  for (const answer::PushdownStep& step : run.steps)
    out.insert(place_of_rule(system.transitions[step.rule.index()]));
  return out;
}

template <class Model>
class Projector {
 public:
  Projector(const model::Task<Model>& task, const Ask& ask)
      : task_(task), ask_(ask), all_(places_in(task.model)), open_(all_) {
    if (task.question.contexts) out_.bound = answer::context_bound(*task.question.contexts);
    out_.what = marked_thing(task.model);
  }

  Projection run(const Verdict& first) {
    bool more = learn(task_.model, first);
    while (more && !open_.empty()) {
      const model::Task<Model> question = through(task_, open_);
      if (const auto difference = why_not_asked_for(task_, question, open_)) {
        rest_ = OnErrorTrace::Undecided;
        out_.why_undecided = "the further question is not the intended one: " + *difference;
        break;
      }
      const std::size_t before = open_.size();
      more = learn(question.model, ask_(question));
      ++out_.questions;
      HEDDLE_INVARIANT(!more || open_.size() < before,
                       "a run should go through a statement that it was asked for");
    }
    fill();
    return std::move(out_);
  }

 private:
  /// Is there more to learn?
  bool learn(const Model& model, const Verdict& verdict) {
    if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      for (const StatementPlace& place :
           passed(model, std::get<answer::RunOf<Model>>(unsafe->trace)))
        open_.erase(place);
      return true;
    }
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) {
      rest_ = OnErrorTrace::Undecided;
      out_.why_undecided =
          unknown->detail.empty() ? std::string(to_string(unknown->reason)) : unknown->detail;
      return false;
    }
    if (const auto* bounded = std::get_if<SafeUpTo>(&verdict)) out_.bound = bounded->bound;
    return false;
  }

  void fill() {
    for (const StatementPlace& place : all_)
      out_.statements.push_back(
          {{place.first, place.second}, open_.contains(place) ? rest_ : OnErrorTrace::Yes});
  }

  const model::Task<Model>& task_;
  const Ask& ask_;
  std::set<StatementPlace> all_;
  std::set<StatementPlace> open_;  ///< through which no run has gone
  OnErrorTrace rest_ = OnErrorTrace::No;
  Projection out_;
};

}  // namespace

Projection project(const model::AnyTask& any, const Verdict& first, const Ask& ask) {
  return std::visit(
      [&]<class Model>(const model::Task<Model>& task) -> Projection {
        if constexpr (base::kContains<Model, ProjectedKinds>)
          return Projector<Model>(task, ask).run(first);
        base::fail_invariant("kind", "the model should have statements", __FILE__, __LINE__);
      },
      any);
}

}  // namespace heddle::driver
