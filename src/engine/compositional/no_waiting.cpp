#include "engine/compositional/no_waiting.hpp"

#include <algorithm>

#include "engine/compositional/bounds.hpp"
#include "engine/compositional/compositional.hpp"
#include "engine/compositional/linear_equalities.hpp"
#include "engine/compositional/waiting.hpp"
#include "solver/horn.hpp"
#include "solver/smt.hpp"
#include "transform/c_threads/threads_of_c.hpp"

/// For termination and for the absence of deadlock. The program is prepared as for assertions:
/// thread program, blocks, thread-modular clauses. Failed assertions are ends like others; what is
/// left to be shown unreachable are overflows, where arithmetic is checked, and what the model does
/// not have.
///
/// That no state is reached in which all threads wait is decided in waiting.cpp. Often facts
/// suffice: which mutexes are held where, and which threads have been joined. Then blocks are as
/// large as they can be. Otherwise blocks end wherever a thread may wait, so that invariants hold
/// there, and threads that have ended have invariants, too: "after the end of the producer, the
/// flag is set". If these do not suffice, equalities that count threads are added ("as many have
/// arrived at the barrier as wait there"), and then predicates say where the other threads stand.
///
/// Invariants come from bounds (bounds.cpp), which suffice for most programs, together with a
/// solution of Spacer if a bad point is left.

namespace heddle::engine::compositional {

using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::ThreadProof;
using term::HornSolution;
using term::Term;
using transform::c_threads::Arithmetic;

namespace {

constexpr std::size_t kMostQueriesForBounds = 6000;
constexpr std::uint64_t kSpacerEffort = 6'000'000;
constexpr std::uint64_t kSpacerEffortOfAStep = 10'000;
constexpr std::size_t kMostPlaces = 60;  ///< at which a predicate may say that a thread stands

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

constexpr const char* kNoInvariants =
    "no invariants were found that exclude overflows and unsupported operations";

/// One reading of a program.
class OneReading {
 public:
  OneReading(const model::c::Program& source, transform::c_threads::Covered covered,
             const std::function<std::string(NoWaiting)>& accept, base::RunContext& context)
      : source_(source), covered_(std::move(covered)), accept_(accept), context_(context) {
    end_at_failures(covered_.program);
  }

  bool run() {
    if (auto refused = find_waits(source_, covered_.covering, covered_.program, waits_)) {
      why = std::move(*refused);
      return false;
    }
    Prepared prepared = prepare(covered_.program, true, context_);
    if (context_.stopped()) return false;
    if (!waits_.has_sleepers() && is_excluded(prepared, {}, nullptr))
      return offer_without_counts(std::move(prepared));
    return run_with_boundaries();
  }

  std::string why;

 private:
  bool is_excluded(const Prepared& prepared, const WaitingKnowledge& known,
                   model::threads::Monitors* monitors) {
    WaitingResult result = exclude_waiting(prepared, covered_.covering, waits_, known, context_);
    if (monitors != nullptr) *monitors = std::move(result.monitors);
    if (!result.is_excluded) why = std::move(result.why);
    return result.is_excluded;
  }

  bool offer_without_counts(Prepared prepared) {
    Encoding encoding = encode_modular(prepared);
    auto invariants = find_invariants(encoding, context_);
    if (!invariants) {
      why = kNoInvariants;
      return false;
    }
    return offer(std::move(prepared), std::move(encoding), std::move(*invariants),
                 term::constant(true), {});
  }

  bool offer(Prepared prepared, Encoding encoding, HornSolution invariants, const Term& lemma,
             model::threads::Monitors monitors) {
    why = accept_({covered_.covering, waits_, std::move(prepared), std::move(encoding),
                   std::move(invariants), lemma, std::move(monitors)});
    return why.empty();
  }

  bool run_with_boundaries() {
    const auto wanted = boundaries_for(waits_, covered_.program);
    Prepared prepared = prepare(covered_.program, true, context_, wanted);
    Counting counting;
    for (std::uint32_t t = 0; t < waits_.ends.size(); ++t)
      for (const std::uint32_t p : waits_.ends[t])
        counting.ends.emplace_back(model::threads::ThreadIndex(t), p);
    const bool any_number = std::ranges::any_of(
        prepared.program.threads, [](const auto& thread) { return thread.is_replicated; });
    for (int attempt = 0; attempt < 3 && !context_.stopped(); ++attempt) {
      if (attempt == 1) {
        counting.lemma = term::conjunction(
            inductive_equalities(prepared, linear_equalities(prepared, context_, true), context_));
        if (counting.lemma.op() == term::Operator::Boolean) continue;
      }
      if (attempt == 2) {
        counting.has_places = places_of(prepared) <= kMostPlaces;
        counting.has_parameters = any_number;
        if (!counting.has_places && !any_number) continue;
      }
      Encoding encoding = encode_modular(prepared, counting);
      auto invariants = find_invariants(encoding, context_);
      if (!invariants) {
        why = kNoInvariants;
        continue;
      }
      model::threads::Monitors monitors;
      if (is_excluded(prepared, {&encoding, &*invariants, counting.lemma}, &monitors))
        return offer(std::move(prepared), std::move(encoding), std::move(*invariants),
                     counting.lemma, std::move(monitors));
    }
    return false;
  }

  static std::size_t places_of(const Prepared& prepared) {
    std::size_t out = 0;
    for (std::size_t t = 0; t < prepared.program.threads.size(); ++t)
      if (!prepared.program.threads[t].is_replicated)
        out +=
            static_cast<std::size_t>(std::ranges::count(prepared.blocks.partition.is_out[t], true));
    return out;
  }

  const model::c::Program& source_;
  transform::c_threads::Covered covered_;
  const std::function<std::string(NoWaiting)>& accept_;
  base::RunContext& context_;
  Waits waits_;
};

}  // namespace

ThreadProof NoWaiting::proof() const {
  using model::threads::Point;
  using model::threads::ThreadIndex;
  ThreadProof out;
  out.is_out = prepared.blocks.partition.is_out;
  out.is_cut = prepared.blocks.partition.is_cut;
  out.lemma = lemma;
  for (std::size_t t = 0; t < prepared.program.threads.size(); ++t) {
    auto& facts = out.facts.emplace_back();
    for (std::size_t p = 0; p < prepared.program.threads[t].points.size(); ++p)
      facts.push_back(prepared.facts.formula(ThreadIndex(t), Point(p)));
  }
  for (std::size_t i = 0; i < encoding.meanings.size(); ++i)
    out.invariants.push_back({encoding.meanings[i].at, invariants.formulas[i]});
  return out;
}

NoWaitingResult exclude_waiting_for_ever(const model::c::Program& program,
                                         const std::function<std::string(NoWaiting)>& accept,
                                         base::RunContext& context) {
  NoWaitingResult result;
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
    OneReading attempt(program, std::move(*covered), accept, context);
    const bool is_accepted = attempt.run();
    // That checked arithmetic may overflow says little.
    if (result.why.empty() || attempt.why != kNoInvariants) result.why = attempt.why;
    if (is_accepted || context.stopped()) return result;
  }
  return result;
}

DeadlockFreedomResult prove_deadlock_freedom(const model::c::Program& program,
                                             base::RunContext& context) {
  DeadlockFreedomResult out;
  const NoWaitingResult result = exclude_waiting_for_ever(
      program,
      [&](NoWaiting found) {
        model::threads::ThreadProof proof = found.proof();
        out.proof = answer::DeadlockFreedom{std::move(found.covering), std::move(proof),
                                            std::move(found.monitors)};
        return std::string();
      },
      context);
  out.why = result.why;
  out.is_refused = result.is_refused;
  return out;
}

}  // namespace heddle::engine::compositional
