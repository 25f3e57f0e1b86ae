#include "engine/compositional/compositional.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "engine/compositional/bounds.hpp"
#include "engine/compositional/linear_equalities.hpp"
#include "engine/compositional/plain_runs.hpp"
#include "engine/compositional/refutation.hpp"
#include "engine/compositional/remaining_clauses.hpp"
#include "engine/compositional/simplify.hpp"
#include "solver/horn.hpp"
#include "solver/smt.hpp"
#include "term/print.hpp"
#include "transform/blocks/sections.hpp"
#include "transform/c_threads/threads_of_c.hpp"

/// The order of attempts. Thread-modular clauses are the cheapest proof and prove most programs; a
/// refutation of them means nothing. The product of all threads, one predicate for each tuple of
/// points, is exact, if there are few enough tuples. Both exist for wrapping and for checked
/// arithmetic (transform/c_threads): which of the four succeeds cannot be told beforehand, so they
/// take turns, with twice the effort in each round; effort is counted by the solver, so that runs
/// are repeatable. A refutation with checked arithmetic may be an overflow, which is no violation:
/// it ends that attempt only if the clauses are not exact for the program, so the wrapping product
/// decides.
///
/// Before all that, two plain schedules are executed: many violations need no particular one.
///
/// Some states that the clauses derive are computed first (samples.cpp): they refute most clauses
/// without a solution at once, and if there are few and no others, they are the solution.
///
/// Spacer is good at invariants with cases, less so at finding which two of many variables are to
/// be compared. So invariants made of bounds are looked for (bounds.cpp), with little effort before
/// Spacer's first turn and with more after it. If they do not prove everything, they are added to
/// the bodies.
///
/// Spacer's formulas for predicates that it inlined can be wrong. So every solution is validated
/// here, and if a clause fails, the clauses are solved again without inlining. This is not the
/// check of the answer, which is done elsewhere by other code and another solver.

namespace heddle::engine::compositional {

using term::HornSolution;
using term::Term;

namespace {

/// Of bounds.
constexpr std::uint64_t kEffortPerQuery = 500;

/// Effort of the solver that counts as one step.
constexpr std::uint64_t kEffortPerStep = 10'000;

/// Counts work that was done, at most one step beyond the limit.
void charge(base::RunContext& context, std::uint64_t steps) {
  const auto limit = context.limits().steps;
  if (limit) steps = std::min(steps, *limit + 1 - std::min(context.steps(), *limit + 1));
  context.add_steps(steps);
}

/// What a solver may spend of `effort` without going beyond the limit of steps.
std::uint64_t affordable(const base::RunContext& context, std::uint64_t effort) {
  const auto limit = context.limits().steps;
  if (!limit) return effort;
  const std::uint64_t left = *limit + 1 - std::min(context.steps(), *limit);
  return std::min(effort, left > effort / kEffortPerStep ? effort : left * kEffortPerStep);
}

bool is_valid(const Encoding& encoding, const HornSolution& solution, base::RunContext& context) {
  const auto smt = solver::make_smt_solver(solver::SmtBackend::Z3);
  for (const term::HornClause& clause : encoding.system.clauses) {
    if (context.step()) return false;
    smt->push();
    smt->add(term::negation(term::instance(encoding.system, solution, clause)));
    const solver::SmtAnswer answer = smt->check(context);
    smt->pop();
    if (answer != solver::SmtAnswer::Unsatisfiable) return false;
  }
  return true;
}

using model::threads::ThreadProof;

/// One encoding of one thread program, to be solved with more and more time.
class Attempt {
 public:
  Attempt(std::string name, ThreadProof::Rule rule, std::shared_ptr<const Prepared> prepared,
          Encoding encoding, bool is_exact, Term lemma = term::constant(true))
      : name_(std::move(name)),
        rule_(rule),
        is_exact_(is_exact),
        lemma_(std::move(lemma)),
        prepared_(std::move(prepared)),
        encoding_(std::move(encoding)) {}

  /// Predicates speak about how many threads stand where.
  void count() { counts_ = true; }

  /// Looks at some states that the clauses derive. If they are all, that is a proof or refutes.
  std::optional<ThreadProof> run_samples(base::RunContext& context) {
    constexpr std::size_t kFewStates = 200;  // with more, the check takes longer than other proofs
    if (std::exchange(is_sampled_, true)) return std::nullopt;
    samples_ = sample(encoding_.system, context);
    if (samples_.is_refuted) refute();
    std::size_t states = 0;
    for (const auto& of_predicate : samples_.states) states += of_predicate.size();
    if (is_refuted_ || !samples_.are_all || states > kFewStates) return std::nullopt;
    const HornSolution all = solution_of(encoding_.system, samples_);
    if (!is_valid(encoding_, all, context)) return std::nullopt;
    return proof(all);
  }

  /// A proof by intervals of single variables.
  std::optional<ThreadProof> run_intervals(base::RunContext& context) {
    constexpr std::size_t kQueries = 150;
    if (has_bounds_ || is_refuted_) return std::nullopt;
    const auto found =
        find_bounds(encoding_.system, BoundForms::Intervals, kQueries, context, samples_);
    if (!found) return std::nullopt;
    if (found->is_proof) return proof(found->solution);
    strengthen(found->solution);
    return std::nullopt;
  }

  /// Many clauses that count threads are left to Spacer for longer: pairs are more likely to help.
  std::size_t first_round_of_bounds() const { return counts_ && !is_worth_early_bounds() ? 2 : 1; }

  /// Few clauses that count threads: their proofs are often made of bounds, and soon found.
  bool is_worth_early_bounds() const {
    constexpr std::size_t kFewClauses = 40;
    return counts_ && encoding_.system.clauses.size() <= kFewClauses;
  }

  /// Enough for bounds where derived states leave little to loosen.
  std::uint64_t early_effort() const {
    return (2 * encoding_.system.clauses.size() + 60) * kEffortPerQuery;
  }

  /// Invariants made of bounds. Perhaps that is all; otherwise they are added to the bodies.
  std::optional<ThreadProof> run_bounds(std::uint64_t effort, base::RunContext& context) {
    if (has_bounds_ || is_refuted_) return std::nullopt;
    const auto found =
        find_bounds(encoding_.system, BoundForms::All, effort / kEffortPerQuery, context, samples_);
    if (!found) return std::nullopt;
    if (found->is_proof) return proof(found->solution);
    has_bounds_ = true;
    strengthen(found->solution);
    return std::nullopt;
  }

  std::optional<ThreadProof> run(std::uint64_t effort, base::RunContext& context) {
    if (is_refuted_) return std::nullopt;
    // Products need inlining; for thread-modular clauses it is good for refutations, but its
    // formulas can often not be read back.
    const bool is_modular = rule_ == ThreadProof::Rule::Modular;
    for (const bool inlining : {!is_modular, is_modular}) {
      if (context.stopped()) return std::nullopt;
      solver::HornOptions options;
      options.inlining = inlining;
      options.effort = affordable(context, effort);
      solver::HornResult result =
          solver::solve_horn(clauses_ ? *clauses_ : encoding_.system, options, context);
      charge(context, result.effort / kEffortPerStep + 1);
      if (result.answer == solver::HornResult::Answer::Refuted) {
        refute();
        return std::nullopt;
      }
      why_ = result.why;
      if (result.answer == solver::HornResult::Answer::Partly) complete(result, options, context);
      if (context.stopped()) return std::nullopt;
      if (result.answer != solver::HornResult::Answer::Solved) continue;
      if (clauses_)
        for (std::size_t i = 0; i < result.solution.formulas.size(); ++i)
          result.solution.formulas[i] =
              term::conjunction({bounds_->formulas[i], result.solution.formulas[i]});
      if (is_valid(encoding_, result.solution, context)) return proof(result.solution);
      why_ = "a solution of the clauses was wrong";
    }
    return std::nullopt;
  }

  bool is_refuted() const { return is_refuted_; }
  /// Whether a refutation is one of the program, as far as it is not abstract.
  bool is_exact() const { return is_exact_; }
  std::string why() const { return name_ + ": " + why_; }
  const std::string& name() const { return name_; }
  /// Those with many parameters wait until the others have had a turn.
  void wait_until(std::size_t round) { first_round_ = round; }
  std::size_t first_round() const { return first_round_; }
  const std::shared_ptr<const Prepared>& prepared() const { return prepared_; }

 private:
  void refute() {
    is_refuted_ = true;
    why_ = "the clauses have no solution";
  }

  /// Takes invariants into the bodies.
  void strengthen(const HornSolution& known) {
    bounds_ = known;
    clauses_ = strengthened(encoding_.system, known);
  }

  /// Finds the formulas that could not be read, with the others in place.
  void complete(solver::HornResult& result, solver::HornOptions options,
                base::RunContext& context) const {
    const RemainingClauses left =
        remaining_clauses(clauses_ ? *clauses_ : encoding_.system, result.solution, result.is_read);
    options.inlining = false;
    const solver::HornResult more = solver::solve_horn(left.system, options, context);
    charge(context, more.effort / kEffortPerStep + 1);
    if (more.answer != solver::HornResult::Answer::Solved) return;
    for (std::size_t i = 0; i < left.original.size(); ++i)
      result.solution.formulas[left.original[i]] = more.solution.formulas[i];
    result.answer = solver::HornResult::Answer::Solved;
  }

  ThreadProof proof(const HornSolution& solution) const {
    ThreadProof out;
    out.rule = rule_;
    out.lemma = lemma_;
    out.is_out = prepared_->blocks.partition.is_out;
    out.is_cut = prepared_->blocks.partition.is_cut;
    for (std::size_t t = 0; t < prepared_->program.threads.size(); ++t) {
      auto& facts = out.facts.emplace_back();
      for (std::size_t p = 0; p < prepared_->program.threads[t].points.size(); ++p)
        facts.push_back(
            prepared_->facts.formula(model::threads::ThreadIndex(t), model::threads::Point(p)));
    }
    for (std::size_t i = 0; i < encoding_.meanings.size(); ++i)
      out.invariants.push_back({encoding_.meanings[i].at, solution.formulas[i]});
    return out;
  }

  std::string name_;
  ThreadProof::Rule rule_;
  bool is_exact_;
  Term lemma_;
  std::shared_ptr<const Prepared> prepared_;
  Encoding encoding_;
  bool is_sampled_ = false;
  Samples samples_;
  std::optional<HornSolution> bounds_;       ///< known invariants
  std::optional<term::HornSystem> clauses_;  ///< with the bounds, if there are any
  bool has_bounds_ = false;                  ///< not only intervals
  bool counts_ = false;
  std::size_t first_round_ = 0;
  bool is_refuted_ = false;
  std::string why_ = "not tried";
};

/// Looks for a violation in one exact thread program.
class Refutation {
 public:
  Refutation(const model::c::Program& program, std::shared_ptr<const Prepared> prepared,
             std::size_t most_steps)
      : program_(program),
        prepared_(std::move(prepared)),
        most_steps_(most_steps),
        search_(*prepared_) {}

  /// Whether a run was found that the interpreter executes.
  bool run(std::size_t length, base::RunContext& context, CompositionalResult& result) {
    const auto interleaving = search_.run(std::min(length, most_steps_), context);
    is_over = length >= most_steps_;
    if (!interleaving) return false;
    result.run = replay(program_, *prepared_, *interleaving);
    if (!result.run) {
      why = "an interleaving was found that the interpreter does not execute";
      is_over = true;
      return false;
    }
    result.answer = CompositionalResult::Answer::Unsafe;
    result.prepared = prepared_;
    result.why = std::to_string(interleaving->steps.size()) + " steps of blocks";
    return true;
  }

  bool is_over = false;
  std::string why = "no run was found";

 private:
  const model::c::Program& program_;
  std::shared_ptr<const Prepared> prepared_;
  std::size_t most_steps_;
  InterleavingSearch search_;
};

/// At how many places threads may stand of which there is one.
std::size_t places_of(const Prepared& prepared) {
  std::size_t out = 0;
  for (std::size_t t = 0; t < prepared.program.threads.size(); ++t)
    if (!prepared.program.threads[t].is_replicated)
      out +=
          static_cast<std::size_t>(std::ranges::count(prepared.blocks.partition.is_out[t], true));
  return out;
}

void add_attempts(std::vector<Attempt>& attempts, const std::string& name,
                  const std::shared_ptr<const Prepared>& prepared, const ProveOptions& options,
                  base::RunContext& context) {
  const auto add = [&](const std::string& how, const Counting& counting) {
    attempts.emplace_back(name + how, ThreadProof::Rule::Modular, prepared,
                          encode_modular(*prepared, counting), false, counting.lemma);
  };
  const bool any_number = std::ranges::any_of(
      prepared->program.threads, [](const auto& thread) { return thread.is_replicated; });
  Term lemma = term::constant(true);
  if (options.modular) add("thread-modular", {});
  if (options.modular && options.reduction) {  // without it, it is the plain rule, for comparison
    lemma = term::conjunction(linear_equalities(*prepared, context));
    const bool has_lemma = lemma.op() != term::Operator::Boolean;
    if (has_lemma) add("thread-modular with equalities", {lemma, false});
    if (any_number) {
      add("thread-modular with counts", {lemma, true});
      attempts.back().count();
    }
    if (any_number && options.pairs) {
      const Counting counting{lemma, false};
      if (auto pairs = encode_pairs(*prepared, counting, options.most_clauses_about_three))
        attempts.emplace_back(name + "pairs of threads", ThreadProof::Rule::Modular, prepared,
                              std::move(*pairs), false, lemma);
    }
  }
  if (options.product)
    if (auto encoding = encode_product(*prepared, options.most_tuples))
      attempts.emplace_back(name + "product", ThreadProof::Rule::Product, prepared,
                            std::move(*encoding), name.empty());
  if (options.modular && options.reduction && places_of(*prepared) <= options.most_places) {
    add("thread-modular with places", {lemma, any_number, true});
    attempts.back().wait_until(1);
  }
}

/// How a C program is read.
struct Reading {
  transform::c_threads::Arithmetic arithmetic;
  /// Threads created in a loop are any number, even if it ends after a constant one.
  bool as_many = false;
};
constexpr std::uint64_t kEarlyEffort = 200'000;  ///< for bounds in the first round
constexpr std::size_t kFewThreads = 6;
constexpr std::uint32_t kCopiesOfMany = 2;

std::string name_of(const Reading& reading) {
  std::string out;
  if (reading.as_many) out += "any number of threads, ";
  if (reading.arithmetic == transform::c_threads::Arithmetic::Checked)
    out += "checked arithmetic, ";
  return out;
}

bool checks_ranges(const model::threads::ThreadProgram& program) {
  return std::ranges::any_of(program.threads, [](const auto& thread) {
    return std::ranges::any_of(thread.transitions,
                               [](const auto& t) { return t.range_check_of.has_value(); });
  });
}

/// The attempts for one reading of a program, made when their first turn comes.
struct Group {
  std::function<std::vector<Attempt>()> make;
  std::vector<Attempt> attempts = {};
  bool is_made = false;
};

/// Bounds before Spacer's first turn: for the cheapest clauses, or if these have no solution, for
/// those that count threads.
std::optional<ThreadProof> run_early(Group& group, base::RunContext& context) {
  Attempt& first = group.attempts.front();
  if (!first.is_refuted()) {
    auto proof = first.run_bounds(first.early_effort(), context);
    return proof ? proof : first.run_intervals(context);
  }
  for (Attempt& attempt : group.attempts) {
    if (!attempt.is_worth_early_bounds()) continue;
    auto proof = attempt.run_samples(context);
    if (!proof) proof = attempt.run_bounds(kEarlyEffort, context);
    if (proof) return proof;
  }
  return std::nullopt;
}

/// All attempts, in rounds with more and more time. `refutation` gives the search for a run, if
/// there is to be one.
CompositionalResult run_rounds(std::vector<Group>& groups,
                               const std::function<Refutation*()>& refutation,
                               const ProveOptions& options, base::RunContext& context) {
  CompositionalResult result;
  std::size_t length = options.first_length, round = 0;
  const bool is_timed = context.limits().deadline.has_value();
  bool is_refuted = false;  // nothing is left to prove: search for the run only
  for (std::uint64_t effort = options.first_effort;
       !context.stopped() && (is_timed || effort <= options.most_effort);
       effort *= 2, length *= 2, ++round) {
    bool is_any_left = false;
    for (Group& group : groups) {
      if (is_refuted || context.stopped()) break;
      if (!std::exchange(group.is_made, true)) group.attempts = group.make();
      for (Attempt& attempt : group.attempts) {
        if (attempt.is_refuted() || context.stopped()) continue;
        is_any_left = true;
        if (round < attempt.first_round()) continue;
        context.emit({"looking for invariants: " + attempt.name(),
                      {{"round", static_cast<double>(round + 1)}}});
        const bool is_first = round == 0 && &attempt == &group.attempts.front();
        result.proof = attempt.run_samples(context);
        if (!result.proof && is_first) result.proof = run_early(group, context);
        if (!result.proof && round >= attempt.first_round_of_bounds())
          result.proof = attempt.run_bounds(effort, context);
        if (!result.proof) result.proof = attempt.run(effort, context);
        if (result.proof) {
          result.answer = CompositionalResult::Answer::Safe;
          result.prepared = attempt.prepared();
          result.why = attempt.name();
          return result;
        }
        if (attempt.is_refuted() && attempt.is_exact()) {
          is_refuted = true;
          break;
        }
      }
    }
    if (context.stopped()) break;
    Refutation* search = refutation ? refutation() : nullptr;
    if (search != nullptr && !search->is_over) {
      is_any_left = true;
      context.emit({"looking for a run", {{"blocks", static_cast<double>(length)}}});
      if (search->run(length, context, result)) return result;
    }
    if (!is_any_left) break;
  }
  for (const Group& group : groups)
    for (const Attempt& attempt : group.attempts)
      result.why += (result.why.empty() ? "" : "; ") + attempt.why();
  if (refutation && !context.stopped())
    if (const Refutation* search = refutation()) result.why += "; " + search->why;
  return result;
}

/// The readings of a C program and what was made of them.
class Readings {
 public:
  Readings(const model::c::Program& program, const ProveOptions& options, base::RunContext& context)
      : program_(program), options_(options), context_(context) {}

  CompositionalResult run() {
    using transform::c_threads::Arithmetic;
    auto first = cover({Arithmetic::Wrapping});
    if (context_.stopped()) return refused_;
    std::vector<Group> groups;
    const auto add = [&](const Reading& reading) {
      groups.push_back({[this, reading] { return attempts_of(reading); }});
    };
    threads_ = first ? first->program.threads.size() : 0;
    // A proof for any number of threads is the cheaper one if there are many.
    if (threads_ > kFewThreads) {
      add({Arithmetic::Checked, true});
      add({Arithmetic::Wrapping, true});
    }
    const bool any_number = first && std::ranges::any_of(first->program.threads, [](const auto& t) {
                              return t.is_replicated;
                            });
    if (first) exact_ = std::move(*first);
    add({Arithmetic::Wrapping});
    add({Arithmetic::Checked});
    const bool refutes = exact_ && !any_number && options_.refutation;
    CompositionalResult result = run_rounds(
        groups, refutes ? [this] { return refutation(); } : std::function<Refutation*()>(),
        options_, context_);
    const bool is_nothing =
        std::ranges::all_of(groups, [](const Group& g) { return g.attempts.empty(); });
    return is_nothing && !refused_.why.empty() ? refused_ : result;
  }

 private:
  std::optional<transform::c_threads::Covered> cover(const Reading& reading) {
    transform::c_threads::Options how;
    how.arithmetic = reading.arithmetic;
    if (reading.as_many) how.max_copies = kCopiesOfMany;
    how.stops = [&] { return context_.step().has_value(); };
    auto covered = transform::c_threads::cover(program_, how);
    if (covered) return std::move(*covered);
    refused_.is_refused = !covered.error().is_stopped;
    refused_.why = covered.error().why;
    if (covered.error().position.line != 0)
      refused_.why += " (line " + std::to_string(covered.error().position.line) + ")";
    return std::nullopt;
  }

  /// None if the reading is not worth it: another one is the same.
  std::vector<Attempt> attempts_of(const Reading& reading) {
    using transform::c_threads::Arithmetic;
    std::vector<Attempt> attempts;
    const bool is_exact = reading.arithmetic == Arithmetic::Wrapping && !reading.as_many;
    if (is_exact) {
      if (prepare_exact()) add_attempts(attempts, "", prepared_, options_, context_);
      return attempts;
    }
    auto covered = cover(reading);
    if (!covered || context_.stopped()) return attempts;
    if (reading.as_many && covered->program.threads.size() >= threads_) return attempts;
    if (reading.arithmetic == Arithmetic::Checked && !checks_ranges(covered->program))
      return attempts;
    Prepared prepared = prepare(std::move(covered->program), options_.reduction, context_);
    prepared.covering = std::move(covered->covering);
    charge(context_, prepared.movers.formulas);
    if (context_.stopped()) return attempts;
    add_attempts(attempts, name_of(reading), std::make_shared<const Prepared>(std::move(prepared)),
                 options_, context_);
    return attempts;
  }

  bool prepare_exact() {
    if (!exact_ || prepared_) return prepared_ != nullptr;
    Prepared prepared = prepare(std::move(exact_->program), options_.reduction, context_);
    prepared.covering = std::move(exact_->covering);
    charge(context_, prepared.movers.formulas);
    if (context_.stopped()) return false;
    prepared_ = std::make_shared<const Prepared>(std::move(prepared));
    return true;
  }

  Refutation* refutation() {
    if (!refutation_ && prepare_exact())
      refutation_.emplace(program_, prepared_, options_.most_steps);
    return refutation_ ? &*refutation_ : nullptr;
  }

  const model::c::Program& program_;
  const ProveOptions& options_;
  base::RunContext& context_;
  CompositionalResult refused_;
  std::size_t threads_ = 0;  ///< of the first reading
  std::optional<transform::c_threads::Covered> exact_;
  std::shared_ptr<const Prepared> prepared_;  ///< of it
  std::optional<Refutation> refutation_;
};

}  // namespace

Prepared prepare(model::threads::ThreadProgram instructions, bool reduction,
                 const base::RunContext& context,
                 const std::vector<std::vector<bool>>& boundaries) {
  model::threads::ThreadProgram program = transform::blocks::compose_sections(instructions);
  transform::blocks::Facts facts(program);
  transform::blocks::Movers movers = reduction
                                         ? transform::blocks::classify(program, facts, context)
                                         : transform::blocks::no_movers(program);
  transform::blocks::BlockProgram blocks = transform::blocks::compose(
      program, transform::blocks::partition(program, movers, boundaries));
  Prepared out{std::move(program),     std::move(facts), std::move(movers), std::move(blocks), {},
               std::move(instructions)};
  decide_choices(out, context);
  return out;
}

CompositionalResult prove(model::threads::ThreadProgram program, const ProveOptions& options,
                          base::RunContext& context) {
  const auto prepared =
      std::make_shared<const Prepared>(prepare(std::move(program), options.reduction, context));
  std::vector<Group> groups;
  groups.push_back({[&] {
    std::vector<Attempt> attempts;
    add_attempts(attempts, "", prepared, options, context);
    return attempts;
  }});
  return run_rounds(groups, {}, options, context);
}

CompositionalResult prove(const model::c::Program& program, const ProveOptions& options,
                          base::RunContext& context) {
  if (options.refutation) {
    CompositionalResult found;
    found.run = find_plain_run(program, options.most_instructions, context);
    found.answer = CompositionalResult::Answer::Unsafe;
    found.why = "a plain run";
    if (found.run) return found;
    if (context.stopped()) return {};
  }
  return Readings(program, options, context).run();
}

}  // namespace heddle::engine::compositional
