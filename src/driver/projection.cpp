#include "driver/projection.hpp"

#include <set>
#include <utility>

#include "base/invariant.hpp"
#include "model/boolean_program/flow.hpp"
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
using transform::StatementPlace;

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

class Projector {
 public:
  Projector(const model::Task& task, const Ask& ask)
      : task_(task),
        program_(std::get<BooleanProgram>(task.model)),
        ask_(ask),
        all_(transform::statements_of(program_)),
        open_(all_) {
    if (task.question.contexts) out_.bound = {"contexts", base::Integer(*task.question.contexts)};
  }

  Projection run(const Verdict& first) {
    bool more = learn(program_, first);
    while (more && !open_.empty()) {
      model::Task through = task_;
      auto& program = through.model.emplace<BooleanProgram>();
      program = transform::fail_through(program_, open_);
      const std::size_t before = open_.size();
      const Verdict verdict = ask_(through);
      ++out_.questions;
      more = learn(program, verdict);
      HEDDLE_INVARIANT(!more || open_.size() < before,
                       "a run should go through a statement that it was asked for");
    }
    fill();
    return std::move(out_);
  }

 private:
  /// Is there more to learn?
  bool learn(const BooleanProgram& program, const Verdict& verdict) {
    if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      for (const StatementPlace& place : passed(program, *unsafe->trace.run)) open_.erase(place);
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
  const BooleanProgram& program_;
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
