#include "check/c/thread_proof.hpp"

#include <algorithm>

#include "check/c/proof_parts.hpp"
#include "term/print.hpp"

/// The check of a proof about a thread program, in the order in which its parts rest on each other:
///
/// Atomic sections without cuts are single transitions (thread_sections.cpp). Then
///
///   form        the proof has the shape of the program and speaks only about what it may
///   ranges      every assignment keeps its variable in range, so ranges may be assumed
///   facts       hold initially, and every transition of every thread preserves them
///   reduction   blocks are such that they need not be interrupted (reduction.cpp)
///   lemma       about all threads at cuts: holds initially, every step preserves it
///   invariants  hold initially, every step preserves them, no step leads to a bad point
///               (both invariants.cpp)
///
/// Every obligation is a formula that cvc5 must find valid. They are derived here from the thread
/// program alone; of the engine's, only the proof is used.
///
/// What is not checked here: that the thread program covers the C program. See covering.cpp.

namespace heddle::check::c {

using namespace model::threads;
using term::Substitution;
using term::Term;

Validity::Validity(const base::RunContext& context)
    : context_(context), solver_(solver::make_smt_solver(solver::SmtBackend::Cvc5)) {}

bool Validity::is_valid(const Term& formula) {
  if (formula.op() == term::Operator::Boolean) return formula.boolean();
  const std::string key = term::to_smtlib(formula);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  if (context_.stopped()) throw Objection{"the time is over", false};
  solver_->push();
  solver_->add(term::negation(formula));
  const solver::SmtAnswer answer = solver_->check(context_);
  solver_->pop();
  if (answer == solver::SmtAnswer::Unknown) throw Objection{"cvc5 did not decide a formula", false};
  ++formulas_;
  const bool valid = answer == solver::SmtAnswer::Unsatisfiable;
  known_.emplace(key, valid);
  return valid;
}

void Validity::demand(const Term& formula, const std::string& what) {
  if (!is_valid(formula)) throw Objection{what};
}

Subject::Subject(const ThreadProgram& p, const ThreadProof& claim) : program(p), proof(claim) {
  std::vector<Term> ranges;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    ids_.emplace(program.variables[i].term.name(), VariableId(i));
  for (const VariableId v : program.globals) {
    globals_.insert(name(v));
    ranges.push_back(in_range(program.variable(v), program.variable(v).term));
  }
  global_ranges_ = term::conjunction(std::move(ranges));
  for (const Thread& t : program.threads) {
    auto& locals = locals_.emplace_back();
    std::vector<Term> own;
    for (const VariableId v : t.locals) {
      locals.emplace(name(v), program.variable(v).term);
      own.push_back(in_range(program.variable(v), program.variable(v).term));
    }
    auto& leaving = leaving_.emplace_back(t.points.size());
    for (std::size_t i = 0; i < t.transitions.size(); ++i)
      leaving[t.transitions[i].from.index()].push_back(static_cast<std::uint32_t>(i));
    local_ranges_.push_back(term::conjunction(std::move(own)));
  }
}

term::Sort Subject::sort_of(const std::string& variable) const {
  const auto id = ids_.find(variable);
  return id == ids_.end() ? term::Sort::Integer : program.variable(id->second).term.sort();
}

Term Subject::rename(std::uint32_t t, const Term& term, const std::string& mark) const {
  Substitution names;
  for (const Term& v : term::variables({term}))
    if (locals_[t].contains(v.name()) || !is_global(v.name()))
      names.emplace(v.name(), term::variable(v.name() + mark, v.sort()));
  return term::substitute(term, names);
}

Term Subject::input_ranges(const std::vector<Input>& inputs) {
  std::vector<Term> parts;
  for (const Input& input : inputs) parts.push_back(in_range(input));
  return term::conjunction(std::move(parts));
}

Term Subject::known(std::uint32_t t, std::uint32_t point) const {
  return term::conjunction({proof.facts[t][point], global_ranges_, local_ranges_[t]});
}

Term Subject::ranges_of(std::uint32_t t, const std::vector<Term>& terms) const {
  std::vector<Term> parts;
  for (const Term& v : term::variables(terms)) {
    const auto id = ids_.find(v.name());
    if (id == ids_.end()) continue;
    const Variable& variable = program.variable(id->second);
    if (!variable.owner || variable.owner->value == t) parts.push_back(in_range(variable, v));
  }
  return term::conjunction(std::move(parts));
}

Term Subject::different(std::uint32_t t, std::uint32_t u, const std::string& mark) const {
  const Term a = self_of(program, ThreadIndex(t));
  const Term b = rename(u, self_of(program, ThreadIndex(u)), mark);
  return term::negation(term::equal(a, b));
}

Term Subject::initial(VariableId v) const {
  const Variable& variable = program.variable(v);
  if (!variable.initial) return term::variable(name(v) + "!first", variable.term.sort());
  if (variable.term.sort() == term::Sort::Boolean) return term::constant(*variable.initial != 0);
  return term::constant(*variable.initial);
}

std::string Subject::place(std::uint32_t t, std::uint32_t point) const {
  const std::string where =
      point < thread(t).points.size()
          ? " at line " + std::to_string(thread(t).points[point].position.line)
          : "";
  return "thread " + thread(t).name + where + " (point " + std::to_string(point) + ")";
}

namespace {

/// The inputs of a transition. Where a path takes it again, each time with names of their own: what
/// is read the second time is another word.
std::vector<Input> inputs_again(const Effect& effect, const Transition& t, Substitution& names) {
  std::vector<Input> out;
  for (Input input : t.inputs) {
    const std::string& name = input.term.name();
    const auto times = std::ranges::count_if(effect.inputs, [&](const Input& earlier) {
      return earlier.term.name() == name || earlier.term.name().starts_with(name + "!again");
    });
    if (times > 0) {
      input.term = term::variable(name + "!again" + std::to_string(times), input.term.sort());
      names.insert_or_assign(name, input.term);
    }
    out.push_back(std::move(input));
  }
  return out;
}

}  // namespace

Effect followed_by(const Subject& subject, const Effect& effect, const Transition& t) {
  Effect out = effect;
  Substitution state = effect.after;
  const std::vector<Input> inputs = inputs_again(effect, t, state);
  const auto now = [&](const Term& term) { return term::substitute(term, state); };
  out.guard = term::conjunction({effect.guard, now(t.guard)});
  for (const Assignment& a : t.assignments)
    out.after.insert_or_assign(subject.name(a.variable), now(a.value));
  out.inputs.insert(out.inputs.end(), inputs.begin(), inputs.end());
  if (t.creation) {
    Creation creation = *t.creation;
    for (Assignment& a : creation.locals) a.value = now(a.value);
    out.creations.push_back(std::move(creation));
  }
  return out;
}

Term is_fresh(const Subject& subject, std::uint32_t creator, const Term& number) {
  const auto threads = static_cast<unsigned long>(subject.program.threads.size());
  std::vector<Term> parts = {
      term::at_least(number, term::constant(base::Integer(threads + 1))),
      term::negation(term::equal(number, self_of(subject.program, ThreadIndex(creator))))};
  for (const VariableId v : subject.program.globals)
    if (subject.program.variable(v).kind == Variable::Kind::Owner)
      parts.push_back(term::negation(term::equal(number, subject.program.variable(v).term)));
  return term::conjunction(std::move(parts));
}

namespace {

/// The name of a local of the second thread of a pair, without its mark.
std::string without_mark(const std::string& name) {
  const std::string mark = kSecondMark;
  return name.ends_with(mark) && !name.starts_with("at!")
             ? name.substr(0, name.size() - mark.size())
             : name;
}

void only_mentions(const Subject& subject, const Term& formula,
                   const std::set<std::string>& allowed, const std::string& where) {
  for (const Term& v : term::variables({formula})) {
    if (!subject.is_global(v.name()) && !allowed.contains(v.name()))
      throw Objection{where + ": mentions " + v.name() + ", which it may not"};
    if (v.sort() !=
        subject.sort_of(subject.is_global(v.name()) ? v.name() : without_mark(v.name())))
      throw Objection{where + ": " + v.name() + " is of another sort"};
  }
}

/// Two places where two threads can stand, in order.
void check_pair(const Subject& subject, const ThreadProof::Invariant& invariant) {
  const auto [t, p] = invariant.at[0];
  const auto [u, q] = invariant.at[1];
  if (std::pair(u.value, q) < std::pair(t.value, p))
    throw Objection{"an invariant about two threads names them in the wrong order"};
  if (t == u && !subject.thread(t.value).self)
    throw Objection{"an invariant is about two threads of which there is one"};
  for (const auto& [thread, point] : invariant.at)
    if (!subject.proof.is_cut[thread.index()][point] ||
        subject.thread(thread.value).points[point].kind != PointInfo::Kind::Ordinary)
      throw Objection{"an invariant about two threads is not about cuts"};
}

}  // namespace

void check_form(const Subject& subject) {
  const ThreadProof& proof = subject.proof;
  const std::size_t threads = subject.program.threads.size();
  if (proof.is_out.size() != threads || proof.is_cut.size() != threads ||
      proof.facts.size() != threads)
    throw Objection{"the proof has not as many threads as the program"};
  for (std::uint32_t t = 0; t < threads; ++t) {
    const std::size_t points = subject.thread(t).points.size();
    if (proof.is_out[t].size() != points || proof.is_cut[t].size() != points ||
        proof.facts[t].size() != points)
      throw Objection{"thread " + subject.thread(t).name + ": the proof has not as many points"};
    std::set<std::string> own;
    if (subject.thread(t).self) own.insert(subject.name(*subject.thread(t).self));
    for (std::uint32_t p = 0; p < points; ++p)
      only_mentions(subject, proof.facts[t][p], own, "fact of " + subject.place(t, p));
  }
  const bool is_modular = proof.rule == ThreadProof::Rule::Modular;
  std::set<std::string> counts, shared;
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (std::uint32_t p = 0; p < subject.thread(t).points.size(); ++p)
      if (is_modular && is_counted(subject.program, proof.is_cut, t, p))
        counts.insert(count_at(ThreadIndex(t), p).name());
    if (!subject.thread(t).is_replicated && is_modular)
      for (const VariableId v : subject.thread(t).locals) shared.insert(subject.name(v));
  }
  shared.insert(counts.begin(), counts.end());
  only_mentions(subject, proof.lemma, shared, "lemma");
  for (const ThreadProof::Invariant& invariant : proof.invariants) {
    std::set<std::string> own = counts;
    const std::size_t about = invariant.at.size();
    if (is_modular ? about != 1 && about != 2 : about != threads)
      throw Objection{"an invariant is about the wrong number of threads"};
    if (is_modular) own.insert("busy");
    for (std::uint32_t i = 0; i < about; ++i) {
      const auto [t, p] = invariant.at[i];
      if (t.index() >= threads || (!is_modular && t.value != i))
        throw Objection{"an invariant is about a thread that there is not"};
      if (!is_modular && (p == kUnborn || p == kEnded)) continue;
      if (p >= subject.thread(t.value).points.size())
        throw Objection{"an invariant is about a point that there is not"};
      const std::string mark = is_modular && i == 1 ? kSecondMark : "";
      for (const VariableId v : subject.thread(t.value).locals) own.insert(subject.name(v) + mark);
    }
    if (is_modular && about == 2) check_pair(subject, invariant);
    only_mentions(subject, invariant.formula, own, "invariant");
  }
}

void check_ranges(const Subject& subject, Validity& validity) {
  for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
    for (const Transition& transition : subject.thread(t).transitions) {
      std::vector<Assignment> all = transition.assignments;
      if (transition.creation)
        all.insert(all.end(), transition.creation->locals.begin(),
                   transition.creation->locals.end());
      for (const Assignment& a : all) {
        const Term wanted = in_range(subject.program.variable(a.variable), a.value);
        const Term given =
            term::conjunction({transition.guard, Subject::input_ranges(transition.inputs),
                               subject.ranges_of(t, {a.value, transition.guard})});
        validity.demand(term::implication(given, wanted), subject.place(t, transition.from.value) +
                                                              ": " + subject.name(a.variable) +
                                                              " may leave its range");
      }
    }
}

void check_facts(const Subject& subject, Validity& validity) {
  const auto fact_after = [&](std::uint32_t t, std::uint32_t p, const Substitution& after) {
    return term::substitute(subject.proof.facts[t][p], after);
  };
  Substitution first;
  for (const VariableId v : subject.program.globals)
    first.emplace(subject.name(v), subject.initial(v));
  validity.demand(fact_after(0, subject.thread(0).entry.value, first),
                  "a fact does not hold at the beginning");
  for (std::uint32_t t = 0; t < subject.program.threads.size(); ++t)
    for (const Transition& transition : subject.thread(t).transitions) {
      const std::uint32_t from = transition.from.value;
      const Effect effect = followed_by(subject, {}, transition);
      const Term given = term::conjunction(
          {subject.known(t, from), effect.guard, Subject::input_ranges(effect.inputs)});
      const auto demand = [&](const Term& more, const Term& wanted, const std::string& what) {
        validity.demand(term::implication(term::conjunction({given, more}), wanted),
                        subject.place(t, from) + ": " + what);
      };
      demand(term::constant(true), fact_after(t, transition.to.value, effect.after),
             "the fact behind it does not follow");
      if (transition.creation) {
        const std::uint32_t u = transition.creation->thread.value;
        Substitution after = effect.after;
        Term fresh = term::constant(true);
        if (subject.thread(u).self) {
          const Term number = term::variable("self!new", term::Sort::Integer);
          fresh = is_fresh(subject, t, number);
          after.insert_or_assign(subject.name(*subject.thread(u).self), number);
        }
        demand(fresh, fact_after(u, subject.thread(u).entry.value, after),
               "the first fact of " + subject.thread(u).name + " does not follow");
      }
      std::set<std::string> changed;
      for (const auto& [name, value] : effect.after)
        if (subject.is_global(name)) changed.insert(name);
      if (changed.empty()) continue;
      for (std::uint32_t u = 0; u < subject.program.threads.size(); ++u) {
        if (u == t && !subject.thread(u).self) continue;
        std::set<std::string> done;
        for (std::uint32_t p = 0; p < subject.thread(u).points.size(); ++p) {
          const Term fact = subject.rename(u, subject.proof.facts[u][p], "!o");
          const auto touched = [&](const Term& v) { return changed.contains(v.name()); };
          const auto mentioned = term::variables({fact});
          if (std::ranges::none_of(mentioned, touched)) continue;
          if (!done.insert(term::to_smtlib(fact)).second) continue;
          demand(term::conjunction({fact, subject.different(t, u, "!o")}),
                 term::substitute(fact, effect.after),
                 "does not preserve the fact of " + subject.place(u, p));
        }
      }
    }
}

ProofCheck check_thread_proof(const ThreadProgram& program, const ThreadProof& proof,
                              const base::RunContext& context) {
  ProofCheck result;
  Validity validity(context);
  try {
    const ThreadProgram whole = with_whole_sections(program, proof);
    const Subject subject(whole, proof);
    check_form(subject);
    check_ranges(subject, validity);
    check_facts(subject, validity);
    check_reduction(subject, validity);
    check_invariants(subject, validity);
    result.status = ProofCheck::Status::Confirmed;
  } catch (const Objection& objection) {
    result.status =
        objection.is_final ? ProofCheck::Status::Refuted : ProofCheck::Status::Unfinished;
    result.why = objection.why;
  }
  result.formulas = validity.formulas();
  return result;
}

}  // namespace heddle::check::c
