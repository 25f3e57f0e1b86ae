#include "engine/compositional/race_freedom.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "base/integer.hpp"
#include "engine/compositional/compositional.hpp"
#include "engine/compositional/linear_equalities.hpp"
#include "engine/compositional/simplify.hpp"
#include "engine/compositional/template_invariants.hpp"
#include "solver/horn.hpp"
#include "solver/smt.hpp"
#include "term/substitute.hpp"
#include "transform/c_threads/threads_of_c.hpp"
#include "transform/races/allocations.hpp"
#include "transform/races/instances.hpp"
#include "transform/races/report.hpp"

/// Race freedom as reachability. Two threads race iff they can be at conflicting accesses at the
/// same time. transform/races excludes what mutexes and the order of threads exclude; this is all
/// that most programs need, and no clause is solved. Each pair that is left becomes an error
/// condition over two threads:
///
///   R(t,p)(G, L) ∧ R(u,q)(G, M) ∧ both are enabled ∧ the bytes overlap  →  false
///
/// or, in the product, over each tuple that has t at p and u at q. Both points are made boundaries
/// of blocks, since reduction preserves only which boundaries are reached together; a point in an
/// atomic section, at which no other thread steps, is made a cut, and a block begins at the
/// section. So flags that hand data over, and whatever else depends on data, are proved by
/// invariants. As for assertions, there are also forms in which the lemma about counts of threads
/// (linear_equalities.cpp) is in every body: a semaphore that is 1 at first is 1 minus the number
/// of threads between waiting and posting, so that two of them are never there.

namespace heddle::engine::compositional {

using model::threads::PointInfo;
using model::threads::ThreadProgram;
using model::threads::ThreadProof;
using term::HornAtom;
using term::HornClause;
using term::Term;
using transform::races::Conflicts;
using transform::races::MemoryAccess;
using transform::races::Pair;
using transform::races::Reason;

namespace {

constexpr std::uint64_t kEffortOfAStep = 10'000;
/// Of the solver, without a time limit and before the other kind of arithmetic is tried.
constexpr std::uint64_t kMostRaceEffort = 6'000'000;

/// A failure ends the process, and is not what is asked.
void end_at_errors(ThreadProgram& program) {
  for (auto& thread : program.threads)
    for (PointInfo& point : thread.points)
      if (point.kind == PointInfo::Kind::Error) point.kind = PointInfo::Kind::End;
}

bool has_bad_points(const ThreadProgram& program, const transform::blocks::Facts& facts) {
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    for (std::size_t p = 0; p < program.threads[t].points.size(); ++p)
      if (model::threads::is_bad(program.threads[t].points[p].kind) &&
          facts.is_reachable(model::threads::ThreadIndex(t), model::threads::Point(p)))
        return true;
  return false;
}

ThreadProof proof_of(const Prepared& prepared) {
  ThreadProof out;
  out.is_out = prepared.blocks.partition.is_out;
  out.is_cut = prepared.blocks.partition.is_cut;
  for (std::size_t t = 0; t < prepared.program.threads.size(); ++t) {
    auto& facts = out.facts.emplace_back();
    for (std::size_t p = 0; p < prepared.program.threads[t].points.size(); ++p)
      facts.push_back(
          prepared.facts.formula(model::threads::ThreadIndex(t), model::threads::Point(p)));
  }
  return out;
}

/// One way to write clauses.
struct Form {
  ThreadProof::Rule rule = ThreadProof::Rule::Modular;
  std::string name;
  Encoding encoding;
  Term lemma = term::constant(true);
  bool is_refuted = false;
  std::string why = "not tried";
};

class Prover {
 public:
  Prover(std::shared_ptr<const Prepared> prepared, const Conflicts& conflicts,
         base::RunContext& context)
      : prepared_(std::move(prepared)) {
    has_copies_ = std::ranges::any_of(prepared_->program.threads,
                                      [](const auto& thread) { return thread.is_replicated; });
    has_numbers_ = has_copies_ || std::ranges::any_of(conflicts.accesses, [](const auto& a) {
                     return a.number.has_value();
                   });
    add_modular_form("thread-modular", {}, conflicts);
    lemma_ = term::conjunction(
        inductive_equalities(*prepared_, linear_equalities(*prepared_, context, true), context));
    if (lemma_.op() != term::Operator::Boolean)
      add_modular_form("with equalities", {lemma_, false}, conflicts);
    if (!has_numbers_) add_other_forms(conflicts);
  }

  /// Those that take time to write.
  void add_other_forms(const Conflicts& conflicts) {
    if (has_copies_) add_modular_form("with counts", {lemma_, true}, conflicts);
    constexpr std::size_t kMostAboutThree = 1500;
    if (auto pairs = encode_pairs(*prepared_, {lemma_, false}, kMostAboutThree))
      add({ThreadProof::Rule::Modular, "pairs", std::move(*pairs), lemma_}, conflicts);
    constexpr std::size_t kMostTuples = 600;
    if (auto product = encode_product(*prepared_, kMostTuples))
      add({ThreadProof::Rule::Product, "product", std::move(*product)}, conflicts);
  }

  /// Whether there are copies of threads or objects that have numbers.
  bool has_numbers() const { return has_numbers_; }

  std::size_t forms() const { return forms_.size(); }

  /// By simple invariants of one form; none if there are not so many forms.
  std::optional<ThreadProof> fit(std::size_t form, Stock stock, base::RunContext& context) const {
    if (form >= forms_.size()) return std::nullopt;
    const auto solution = fit_templates(forms_[form].encoding.system, stock, context);
    return solution ? std::optional(proof_from(forms_[form], *solution)) : std::nullopt;
  }

  /// Gives up when one attempt has had the greatest effort.
  std::optional<ThreadProof> run(std::uint64_t most, base::RunContext& context) {
    constexpr std::uint64_t kFirst = 1'500'000;
    for (std::uint64_t effort = kFirst; effort <= most; effort *= 2) {
      bool is_any_left = false;
      for (Form& form : forms_) {
        if (form.is_refuted || context.stopped()) continue;
        is_any_left = true;
        if (auto proof = solve(form, effort, context)) return proof;
      }
      if (!is_any_left) break;
    }
    return std::nullopt;
  }

  std::string why() const {
    std::string out;
    for (const Form& form : forms_) out += (out.empty() ? "" : "; ") + form.name + ": " + form.why;
    return out;
  }

 private:
  void add_modular_form(const char* name, const Counting& counting, const Conflicts& conflicts) {
    add({ThreadProof::Rule::Modular, name, encode_modular(*prepared_, counting), counting.lemma},
        conflicts);
  }

  void add(Form form, const Conflicts& conflicts) {
    add_pairs(form, conflicts);
    forms_.push_back(std::move(form));
  }

  void add_pairs(Form& form, const Conflicts& conflicts) const {
    for (const Pair& pair : conflicts.pairs) {
      if (pair.reason != Reason::Open) continue;
      const MemoryAccess& a = conflicts.accesses[pair.first];
      const MemoryAccess& b = conflicts.accesses[pair.second];
      if (form.rule == ThreadProof::Rule::Modular)
        add_modular(form, a, b);
      else
        add_product(form.encoding, a, b);
    }
  }

  std::optional<std::size_t> predicate_at(const Encoding& encoding, const MemoryAccess& a) const {
    for (std::size_t i = 0; i < encoding.meanings.size(); ++i) {
      const auto& at = encoding.meanings[i].at;
      if (at.size() == 1 && at[0].first == a.thread && at[0].second == a.point.value) return i;
    }
    return std::nullopt;
  }

  /// The predicate about two threads at these accesses, of which the first is the smaller place.
  std::optional<HornAtom> pair_atom(const Encoding& encoding, const MemoryAccess& a,
                                    const MemoryAccess& b) const {
    for (std::size_t i = 0; i < encoding.meanings.size(); ++i) {
      const auto& at = encoding.meanings[i].at;
      if (at.size() != 2 || at[0] != place_of(a) || at[1] != place_of(b)) continue;
      std::map<std::string, std::string> names;
      for (const model::threads::VariableId v : prepared_->program.thread(b.thread).locals) {
        const std::string& name = prepared_->program.variable(v).term.name();
        names.emplace(name + model::threads::kSecondMark, name + "!o");
      }
      HornAtom out{term::HornPredicate(i), encoding.system.predicates[i].parameters};
      for (Term& parameter : out.arguments)
        if (const auto renamed = names.find(parameter.name()); renamed != names.end())
          parameter = term::variable(renamed->second, parameter.sort());
      return out;
    }
    return std::nullopt;
  }

  static std::pair<model::threads::ThreadIndex, std::uint32_t> place_of(const MemoryAccess& a) {
    return {a.thread, a.point.value};
  }

  HornAtom atom(const Encoding& encoding, std::size_t predicate, const std::string& mark) const {
    HornAtom out{term::HornPredicate(predicate), encoding.system.predicates[predicate].parameters};
    for (Term& parameter : out.arguments)
      if (is_local(parameter))
        parameter = term::variable(parameter.name() + mark, parameter.sort());
    return out;
  }

  bool is_local(const Term& variable) const {
    return variable.name() != "busy" && !variable.name().starts_with("at!") &&
           std::ranges::none_of(prepared_->program.globals, [&](model::threads::VariableId v) {
             return prepared_->program.variable(v).term.name() == variable.name();
           });
  }

  /// What is known about the counts when two threads stand at their accesses: they are counted.
  Term counted(const Form& form, const MemoryAccess& a, const MemoryAccess& b) const {
    const ThreadProgram& program = prepared_->program;
    const auto number = [](long value) { return term::constant(base::Integer(value)); };
    std::vector<Term> parts;
    for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
      const bool is_one = !program.threads[t].is_replicated;
      const bool is_here = t == a.thread.value || t == b.thread.value;
      std::vector<Term> all;
      for (std::uint32_t p = 0; p < program.threads[t].points.size(); ++p) {
        if (!is_counted(program, prepared_->blocks.partition.is_cut, t, p)) continue;
        const auto stands = [&](const MemoryAccess& m) {
          return m.thread.value == t && m.point.value == p ? 1L : 0L;
        };
        all.push_back(count_at(model::threads::ThreadIndex(t), p));
        const Term least = number(stands(a) + stands(b));
        parts.push_back(is_one && is_here ? term::equal(all.back(), least)
                                          : term::at_least(all.back(), least));
      }
      if (is_one && !all.empty()) parts.push_back(term::at_most(term::sum(all), number(1)));
    }
    term::Substitution names;
    for (const model::threads::VariableId v : program.thread(b.thread).locals) {
      const Term& local = program.variable(v).term;
      names.emplace(local.name(), term::variable(local.name() + "!o", local.sort()));
    }
    parts.push_back(term::substitute(form.lemma, names));
    return term::conjunction(std::move(parts));
  }

  void add_modular(Form& form, const MemoryAccess& a, const MemoryAccess& b) const {
    if (place_of(b) < place_of(a)) return add_modular(form, b, a);
    Encoding& encoding = form.encoding;
    const auto first = predicate_at(encoding, a), second = predicate_at(encoding, b);
    if (!first || !second) return;  // not reached
    std::vector<Term> parts = {
        transform::races::together(prepared_->program, prepared_->facts, a, b, "!o"),
        counted(form, a, b)};
    for (const MemoryAccess* m : {&a, &b})
      if (m->in_section)
        parts.push_back(
            term::equal(term::variable("busy", term::Sort::Integer),
                        term::constant(base::Integer(static_cast<long>(m->thread.value) + 1))));
    std::vector<HornAtom> body = {atom(encoding, *first, ""), atom(encoding, *second, "!o")};
    if (auto both = pair_atom(encoding, a, b)) body = {std::move(*both)};
    encoding.system.clauses.push_back(
        {std::move(body), term::conjunction(std::move(parts)), {}, "a race"});
  }

  void add_product(Encoding& encoding, const MemoryAccess& a, const MemoryAccess& b) const {
    for (std::size_t i = 0; i < encoding.meanings.size(); ++i) {
      const auto& at = encoding.meanings[i].at;
      if (at[a.thread.index()].second != a.point.value ||
          at[b.thread.index()].second != b.point.value)
        continue;
      term::Substitution statuses;
      for (const auto& [t, p] : at)
        if (const auto status = prepared_->program.thread(t).status)
          statuses.emplace(prepared_->program.variable(*status).term.name(),
                           term::constant(base::Integer(p == model::threads::kUnborn  ? 0
                                                        : p == model::threads::kEnded ? 2
                                                                                      : 1)));
      const Term both = transform::races::together(prepared_->program, prepared_->facts, a, b, "");
      encoding.system.clauses.push_back(
          {{atom(encoding, i, "")}, term::substitute(both, statuses), {}, "a race"});
    }
  }

  std::optional<ThreadProof> solve(Form& form, std::uint64_t effort, base::RunContext& context) {
    for (const bool inlining : {true, false}) {
      if (context.stopped()) return std::nullopt;
      solver::HornOptions options;
      options.inlining = inlining;
      options.effort = effort;
      const solver::HornResult result = solver::solve_horn(form.encoding.system, options, context);
      if (const auto limit = context.limits().steps)
        context.add_steps(std::min(result.effort / kEffortOfAStep + 1,
                                   *limit + 1 - std::min(context.steps(), *limit + 1)));
      if (result.answer == solver::HornResult::Answer::Refuted) {
        form.is_refuted = true;
        form.why = "the clauses have no solution";
        return std::nullopt;
      }
      form.why = result.why;
      if (result.answer != solver::HornResult::Answer::Solved) continue;
      if (is_solution(form.encoding, result.solution, context))
        return proof_from(form, result.solution);
      form.why = "a solution of the clauses was wrong";
    }
    return std::nullopt;
  }

  ThreadProof proof_from(const Form& form, const term::HornSolution& solution) const {
    ThreadProof out = proof_of(*prepared_);
    out.rule = form.rule;
    out.lemma = form.lemma;
    for (std::size_t i = 0; i < form.encoding.meanings.size(); ++i)
      out.invariants.push_back({form.encoding.meanings[i].at, solution.formulas[i]});
    return out;
  }

  static bool is_solution(const Encoding& encoding, const term::HornSolution& solution,
                          base::RunContext& context) {
    const auto smt = solver::make_smt_solver(solver::SmtBackend::Z3);
    return std::ranges::all_of(encoding.system.clauses, [&](const HornClause& clause) {
      if (context.step()) return false;
      smt->push();
      smt->add(term::negation(term::instance(encoding.system, solution, clause)));
      const solver::SmtAnswer answer = smt->check(context);
      smt->pop();
      return answer == solver::SmtAnswer::Unsatisfiable;
    });
  }

  std::shared_ptr<const Prepared> prepared_;
  std::vector<Form> forms_;
  Term lemma_ = term::constant(true);  ///< equalities that count threads
  bool has_copies_ = false;            ///< of replicated threads
  bool has_numbers_ = false;           ///< of copies or of objects
};

/// A section in the middle of a block would be executed before others have had their turn.
void begin_at_sections(const ThreadProgram& program, model::threads::ThreadIndex t,
                       transform::blocks::Partition& partition) {
  const auto& thread = program.thread(t);
  for (const auto& transition : thread.transitions)
    if (!thread.points[transition.from.index()].in_section &&
        thread.points[transition.to.index()].in_section)
      partition.is_out[t.index()][transition.from.index()] =
          partition.is_cut[t.index()][transition.from.index()] = true;
}

/// Blocks in which the points of open pairs are boundaries, or cuts inside atomic sections.
Prepared prepare_for(ThreadProgram program, const Conflicts& conflicts,
                     const base::RunContext& context) {
  transform::blocks::Facts facts(program);
  transform::blocks::Movers movers = transform::blocks::classify(program, facts, context);
  transform::blocks::Partition partition = transform::blocks::partition(program, movers);
  for (const Pair& pair : conflicts.pairs) {
    if (pair.reason != Reason::Open) continue;
    for (const std::size_t i : {pair.first, pair.second}) {
      const MemoryAccess& access = conflicts.accesses[i];
      partition.is_cut[access.thread.index()][access.point.index()] = true;
      if (access.in_section)
        begin_at_sections(program, access.thread, partition);
      else
        partition.is_out[access.thread.index()][access.point.index()] = true;
    }
  }
  // A boundary in the middle of a block begins another one, which may commit before it blocks.
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    for (std::size_t p = 0; p < program.threads[t].points.size(); ++p) {
      const PointInfo& point = program.threads[t].points[p];
      if (point.may_block && !point.in_section && point.kind == PointInfo::Kind::Ordinary)
        partition.is_out[t][p] = partition.is_cut[t][p] = true;
    }
  transform::blocks::BlockProgram blocks =
      transform::blocks::compose(program, std::move(partition));
  Prepared out{std::move(program), std::move(facts), std::move(movers), std::move(blocks), {}};
  decide_choices(out, context);
  return out;
}

/// The first pairs that are left, for people.
std::string open_pairs(const model::c::Program& program, const ThreadProgram& threads,
                       const model::threads::Covering& covering,
                       const transform::blocks::Facts& facts, const Conflicts& conflicts) {
  constexpr std::size_t kMost = 3;
  const auto warnings = transform::races::warnings(program, threads, covering, facts, conflicts);
  if (warnings.empty()) return "accesses that cannot be placed";
  std::string out = base::counted(warnings.size(), "pair") + " of accesses could not be excluded";
  for (std::size_t i = 0; i < std::min(kMost, warnings.size()); ++i)
    out += "; " + transform::races::to_text(program, warnings[i]);
  return warnings.size() > kMost ? out + "; …" : out;
}

/// A program read with one kind of arithmetic.
struct RaceReading {
  model::threads::Covering covering;
  Conflicts conflicts;
  Prover prover;
};

/// Proves what facts prove; otherwise the result has no proof, and a reading is made.
std::optional<RaceReading> read_program(const model::c::Program& program,
                                        transform::c_threads::Arithmetic arithmetic,
                                        RaceFreedomResult& result, base::RunContext& context) {
  transform::c_threads::Options options;
  options.arithmetic = arithmetic;
  options.try_lock_may_fail = true;
  options.stops = [&] { return context.step().has_value(); };
  auto covered = transform::c_threads::cover(program, options);
  if (!covered) {
    result.is_refused = !covered.error().is_stopped;
    result.why = covered.error().why;
    if (covered.error().position.line != 0)
      result.why += " (line " + std::to_string(covered.error().position.line) + ")";
    return std::nullopt;
  }
  if (transform::races::has_rival_joins(program, covered->covering)) {
    result.why = "several threads join the same one";
    return std::nullopt;
  }
  end_at_errors(covered->program);
  transform::races::number_instances(program, covered->covering, covered->program);
  transform::races::Allocations(program, covered->covering, covered->program)
      .number_objects(covered->program);
  const transform::blocks::Facts facts(covered->program);
  Conflicts conflicts =
      transform::races::conflicts(program, covered->program, covered->covering, facts, context);
  if (!conflicts.is_complete) return std::nullopt;
  const bool is_open = std::ranges::any_of(
      conflicts.pairs, [](const Pair& pair) { return pair.reason == Reason::Open; });
  if (!is_open && !has_bad_points(covered->program, facts)) {
    Prepared prepared{covered->program, facts, {}, {}, {}};
    for (const auto& thread : covered->program.threads) {
      prepared.blocks.partition.is_out.emplace_back(thread.points.size());
      prepared.blocks.partition.is_cut.emplace_back(thread.points.size());
    }
    result.proof = answer::RaceFreedom{std::move(covered->covering), proof_of(prepared)};
    result.why = "by mutexes and the order of threads";
    return std::nullopt;
  }
  result.why = open_pairs(program, covered->program, covered->covering, facts, conflicts);
  const auto prepared = std::make_shared<const Prepared>(
      prepare_for(std::move(covered->program), conflicts, context));
  if (context.stopped()) return std::nullopt;
  Prover prover(prepared, conflicts, context);
  return RaceReading{std::move(covered->covering), std::move(conflicts), std::move(prover)};
}

}  // namespace

RaceFreedomResult prove_race_freedom(const model::c::Program& program, base::RunContext& context) {
  using transform::c_threads::Arithmetic;
  RaceFreedomResult result;
  std::deque<RaceReading> readings;
  const auto prove = [&](const RaceReading& reading, std::optional<ThreadProof> proof) {
    if (!proof) return false;
    result.proof = answer::RaceFreedom{reading.covering, std::move(*proof)};
    result.why = "by invariants";
    return true;
  };
  const auto run = [&](RaceReading& reading, bool is_last) {
    const bool is_endless = is_last && context.limits().deadline;
    if (prove(reading, reading.prover.run(is_endless ? UINT64_MAX / 4 : kMostRaceEffort, context)))
      return true;
    result.why += " (" + reading.prover.why() + ")";
    return context.stopped().has_value();
  };
  const auto fit = [&](const RaceReading& reading, std::size_t form, Stock stock) {
    return prove(reading, reading.prover.fit(form, stock, context)) || context.stopped();
  };
  for (const Arithmetic arithmetic : {Arithmetic::Wrapping, Arithmetic::Checked}) {
    auto made = read_program(program, arithmetic, result, context);
    if (!made) return result;
    RaceReading& reading = readings.emplace_back(std::move(*made));
    // Equalities come first: they are all that a semaphore needs.
    if (!reading.prover.has_numbers()) {
      if (run(reading, arithmetic == Arithmetic::Checked)) return result;
    } else if (fit(reading, 1, Stock::Signs) || fit(reading, 0, Stock::All)) {
      return result;
    }
  }
  if (!readings.front().prover.has_numbers()) return result;
  // Simple invariants are looked for in both readings and all forms before others are.
  std::size_t forms = 0;
  for (RaceReading& reading : readings) {
    reading.prover.add_other_forms(reading.conflicts);
    forms = std::max(forms, reading.prover.forms());
  }
  for (const Stock stock : {Stock::Signs, Stock::All})
    for (std::size_t form = 1; form < forms; ++form)
      for (const RaceReading& reading : readings)
        if (fit(reading, form, stock)) return result;
  for (RaceReading& reading : readings)
    if (run(reading, &reading == &readings.back())) return result;
  return result;
}

}  // namespace heddle::engine::compositional
