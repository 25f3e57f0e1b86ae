#include "driver/projection.hpp"

#include <set>
#include <utility>

#include "base/invariant.hpp"
#include "check/pushdown_through.hpp"
#include "model/boolean_program/flow.hpp"
#include "transform/pushdown_visits.hpp"
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
using transform::StatementPlace;

/// Where a rule of a pushdown system stands.
StatementPlace place_of_rule(const PushdownRule& rule) { return {rule.line, 1}; }

/// All that is to be marked.
std::set<StatementPlace> places_in(const model::Model& model) {
  if (const auto* program = std::get_if<BooleanProgram>(&model))
    return transform::statements_of(*program);
  std::set<StatementPlace> out;
  for (const PushdownRule& rule : std::get<PushdownSystem>(model).transitions)
    out.insert(place_of_rule(rule));
  return out;
}

std::set<std::uint32_t> lines_of(const std::set<StatementPlace>& places) {
  std::set<std::uint32_t> lines;
  for (const StatementPlace& place : places) lines.insert(place.first);
  return lines;
}

/// Asks for a failure through one of the places.
model::Task through(const model::Task& task, const std::set<StatementPlace>& places) {
  if (const auto* program = std::get_if<BooleanProgram>(&task.model)) {
    model::Task out{transform::fail_through(*program, places), task.question};
    out.question.labels.clear();
    return out;
  }
  return transform::reach_through(task, lines_of(places));
}

/// The statements of the run's steps, up to the first failure.
std::set<StatementPlace> passed(const BooleanProgram& program, const answer::ProgramRun& run) {
  const auto flow =
      run.keeps_calls ? model::boolean::keep_calls(program) : model::boolean::unfold(program);
  HEDDLE_INVARIANT(flow, "a program with a run should have a flow graph");
  std::set<StatementPlace> out;
  for (const model::boolean::Step& step : run.steps) {
    const model::boolean::FlowEdge& edge = flow->edges[step.edge.index()];
    out.insert(transform::place_of(edge.at));
    if (flow->nodes[edge.target.index()].failed) break;
  }
  return out;
}

std::set<StatementPlace> passed(const model::Model& model, const answer::Trace& trace) {
  if (const auto* program = std::get_if<BooleanProgram>(&model))
    return passed(*program, *trace.run);
  std::set<StatementPlace> out;
  for (const answer::TraceBlock& block : trace.blocks)
    for (const answer::TraceStep& step : block.body)
      out.insert(
          place_of_rule(std::get<PushdownSystem>(model).transitions[step.transition.index()]));
  return out;
}

class Projector {
 public:
  Projector(const model::Task& task, const Ask& ask)
      : task_(task), ask_(ask), all_(places_in(task.model)), open_(all_) {
    if (task.question.contexts) out_.bound = {"contexts", base::Integer(*task.question.contexts)};
    if (model::is_pushdown(task.model)) out_.what = "rule";
  }

  Projection run(const Verdict& first) {
    bool more = learn(task_.model, first);
    while (more && !open_.empty()) {
      const model::Task question = through(task_, open_);
      if (const auto difference = why_not_asked_for(question)) {
        rest_ = OnErrorTrace::Undecided;
        out_.why_undecided = "the question is not the one to ask: " + *difference;
        break;
      }
      const std::size_t before = open_.size();
      more = learn(question.model, ask_(question));
      ++out_.questions;
      HEDDLE_INVARIANT(!more || open_.size() < before,
                       "a run should go through a statement that it was asked for");
    }
    out_.checked_on_translation = model::is_program(task_.model) && out_.questions > 0;
    fill();
    return std::move(out_);
  }

 private:
  /// Answers are checked on the system that asks for runs through open rules; that this is the
  /// system to ask about is shown here, by the checker's code. Of programs it is not: their answers
  /// stand and fall with the statements that the translation adds, and the projection says so.
  std::optional<std::string> why_not_asked_for(const model::Task& question) const {
    if (!model::is_pushdown(task_.model)) return std::nullopt;
    return check::why_not_through(task_, question, lines_of(open_));
  }

  /// Is there more to learn?
  bool learn(const model::Model& model, const Verdict& verdict) {
    if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      for (const StatementPlace& place : passed(model, unsafe->trace)) open_.erase(place);
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

  const model::Task& task_;
  const Ask& ask_;
  std::set<StatementPlace> all_;
  std::set<StatementPlace> open_;  ///< through which no run has gone
  OnErrorTrace rest_ = OnErrorTrace::No;
  Projection out_;
};

}  // namespace

Projection project(const model::Task& task, const Verdict& first, const Ask& ask) {
  return Projector(task, ask).run(first);
}

}  // namespace heddle::driver
