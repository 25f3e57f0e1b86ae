#include "engine/compositional/termination.hpp"

#include <algorithm>

#include "engine/compositional/bounds.hpp"
#include "engine/compositional/compositional.hpp"
#include "engine/compositional/rank_search.hpp"
#include "model/threads/waiting.hpp"
#include "solver/horn.hpp"
#include "solver/smt.hpp"
#include "transform/c_threads/threads_of_c.hpp"

/// Termination for data without bound. The program is prepared as for assertions: thread program,
/// blocks, thread-modular clauses. Failed assertions are ends like others; what is left to be shown
/// unreachable are overflows, where arithmetic is checked, and what the model does not have.
///
/// Invariants come from bounds (bounds.cpp), which suffice for most loops, together with a solution
/// of Spacer if a bad point is left. Then each loop gets its rank (rank_search.cpp).
///
/// That no thread waits for ever is decided by the order in which mutexes are taken
/// (model/threads/waiting.cpp). Whether everything is defined is left to the checker.

namespace heddle::engine::compositional {

using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::ThreadProof;
using term::HornSolution;
using transform::c_threads::Arithmetic;

namespace {

constexpr std::size_t kMostQueriesForBounds = 6000;
constexpr std::uint64_t kSpacerEffort = 6'000'000;
constexpr std::uint64_t kSpacerEffortOfAStep = 10'000;

bool is_solution(const term::HornSystem& system, const HornSolution& solution,
                 base::RunContext& context) {
  const auto smt = solver::make_smt_solver(solver::SmtBackend::Z3);
  return std::ranges::all_of(system.clauses, [&](const term::HornClause& clause) {
    if (context.step()) return false;
    smt->push();
    smt->add(term::negation(term::instance(system, solution, clause)));
    const solver::SmtAnswer answer = smt->check(context);
    smt->pop();
    return answer == solver::SmtAnswer::Unsatisfiable;
  });
}

/// Invariants that exclude all bad points.
std::optional<HornSolution> find_invariants(const Encoding& encoding, base::RunContext& context) {
  const auto bounds = find_bounds(encoding.system, BoundForms::All, kMostQueriesForBounds, context);
  if (bounds && bounds->is_proof) return bounds->solution;
  const term::HornSystem clauses =
      bounds ? strengthened(encoding.system, bounds->solution) : encoding.system;
  for (const bool inlining : {false, true}) {
    if (context.stopped()) return std::nullopt;
    solver::HornOptions options;
    options.inlining = inlining;
    options.effort = kSpacerEffort;
    solver::HornResult result = solver::solve_horn(clauses, options, context);
    if (const auto limit = context.limits().steps)
      context.add_steps(std::min(result.effort / kSpacerEffortOfAStep + 1,
                                 *limit + 1 - std::min(context.steps(), *limit + 1)));
    if (result.answer == solver::HornResult::Answer::Refuted) return std::nullopt;
    if (result.answer != solver::HornResult::Answer::Solved) continue;
    if (bounds)
      for (std::size_t i = 0; i < result.solution.formulas.size(); ++i)
        result.solution.formulas[i] =
            term::conjunction({bounds->solution.formulas[i], result.solution.formulas[i]});
    if (is_solution(encoding.system, result.solution, context)) return result.solution;
  }
  return std::nullopt;
}

ThreadProof proof_of(const Prepared& prepared, const Encoding& encoding,
                     const HornSolution& solution) {
  using model::threads::Point;
  using model::threads::ThreadIndex;
  ThreadProof out;
  out.is_out = prepared.blocks.partition.is_out;
  out.is_cut = prepared.blocks.partition.is_cut;
  for (std::size_t t = 0; t < prepared.program.threads.size(); ++t) {
    auto& facts = out.facts.emplace_back();
    for (std::size_t p = 0; p < prepared.program.threads[t].points.size(); ++p)
      facts.push_back(prepared.facts.formula(ThreadIndex(t), Point(p)));
  }
  for (std::size_t i = 0; i < encoding.meanings.size(); ++i)
    out.invariants.push_back({encoding.meanings[i].at, solution.formulas[i]});
  return out;
}

void end_at_failures(ThreadProgram& program) {
  for (auto& thread : program.threads)
    for (PointInfo& point : thread.points)
      if (point.kind == PointInfo::Kind::Error) point.kind = PointInfo::Kind::End;
}

bool has_range_checks(const ThreadProgram& program) {
  return std::ranges::any_of(program.threads, [](const auto& thread) {
    return std::ranges::any_of(thread.transitions,
                               [](const auto& t) { return t.range_check_of.has_value(); });
  });
}

/// With one way to write arithmetic. Without a proof, says why.
void attempt(transform::c_threads::Covered covered, TerminationResult& result,
             base::RunContext& context) {
  const Prepared prepared = prepare(std::move(covered.program), true, context);
  if (context.stopped()) return;
  const Encoding encoding = encode_modular(prepared);
  const auto invariants = find_invariants(encoding, context);
  if (!invariants) {
    result.why = "no invariants were found that exclude overflows and unsupported operations";
    return;
  }
  RankSearchResult found = find_ranking(prepared, encoding, *invariants, context);
  if (!found.ranking) {
    result.why = found.why;
    return;
  }
  result.proof = answer::TerminationProof{std::move(covered.covering),
                                          proof_of(prepared, encoding, *invariants),
                                          std::move(*found.ranking)};
}

}  // namespace

TerminationResult prove_termination(const model::c::Program& program, base::RunContext& context) {
  TerminationResult result;
  for (const Arithmetic arithmetic : {Arithmetic::Wrapping, Arithmetic::Checked}) {
    transform::c_threads::Options reading;
    reading.arithmetic = arithmetic;
    reading.stops = [&] { return context.step().has_value(); };
    auto covered = transform::c_threads::cover(program, reading);
    if (!covered) {
      result.is_refused = !covered.error().is_stopped;
      result.why = covered.error().why;
      if (covered.error().position.line != 0)
        result.why += " (line " + std::to_string(covered.error().position.line) + ")";
      return result;
    }
    if (arithmetic == Arithmetic::Checked && !has_range_checks(covered->program)) return result;
    if (const auto why =
            model::threads::may_wait_for_ever(program, covered->covering, covered->program)) {
      result.why = *why;
      return result;
    }
    end_at_failures(covered->program);
    attempt(std::move(*covered), result, context);
    if (result.proof || context.stopped()) return result;
  }
  return result;
}

}  // namespace heddle::engine::compositional
