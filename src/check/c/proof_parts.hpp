#pragma once

/// What the parts of the check share: validity by cvc5, and terms of transitions.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/run_context.hpp"
#include "check/c/covering.hpp"
#include "check/proof.hpp"
#include "model/threads/monitor.hpp"
#include "model/threads/ranking.hpp"
#include "model/threads/thread_proof.hpp"
#include "solver/smt.hpp"
#include "term/substitute.hpp"

namespace heddle::check::c {

/// Thrown when a claim is wrong, and when the time is over.
struct Objection {
  std::string why;
  bool is_final = true;  ///< false: not decided
};

/// What a part of a check objects to, as a step of the skeleton says it.
template <class Part>
Problem problem_of(const Part& part) {
  try {
    part();
    return std::nullopt;
  } catch (const Objection& found) {
    return found.is_final ? refuted(found.why) : not_checked(found.why);
  }
}

class Validity {
 public:
  explicit Validity(const base::RunContext& context);

  /// Objects with `what` if the formula is not valid.
  void demand(const term::Term& formula, const std::string& what);
  bool is_valid(const term::Term& formula);
  std::uint64_t formulas() const { return formulas_; }

 private:
  const base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::unordered_map<std::string, bool> known_;
  std::uint64_t formulas_ = 0;
};

/// A program with its proof, and the vocabulary of formulas about it.
class Subject {
 public:
  Subject(const model::threads::ThreadProgram& program, const model::threads::ThreadProof& proof);

  const model::threads::ThreadProgram& program;
  const model::threads::ThreadProof& proof;

  const model::threads::Thread& thread(std::uint32_t t) const { return program.threads[t]; }
  const std::string& name(model::threads::VariableId v) const {
    return program.variable(v).term.name();
  }
  bool is_global(const std::string& name) const { return globals_.contains(name); }
  bool is_local(std::uint32_t t, const std::string& name) const {
    return locals_[t].contains(name);
  }
  term::Sort sort_of(const std::string& variable) const;  ///< of `busy` and others: Integer

  /// Locals and inputs of a thread under new names.
  term::Term rename(std::uint32_t t, const term::Term& term, const std::string& mark) const;
  /// Ranges of all globals; of all locals of a thread; of inputs.
  term::Term global_ranges() const { return global_ranges_; }
  term::Term local_ranges(std::uint32_t t) const { return local_ranges_[t]; }
  /// Of the variables in these terms of a thread.
  term::Term ranges_of(std::uint32_t t, const std::vector<term::Term>& terms) const;
  static term::Term input_ranges(const std::vector<model::threads::Input>& inputs);
  /// What holds when a thread stands at a point: its fact and all ranges.
  term::Term known(std::uint32_t t, std::uint32_t point) const;
  /// The numbers of two threads differ, the second one renamed.
  term::Term different(std::uint32_t t, std::uint32_t u, const std::string& mark) const;
  /// The value of a variable at the beginning of the program or of its thread.
  term::Term initial(model::threads::VariableId v) const;
  /// Points with their transitions.
  const std::vector<std::uint32_t>& leaving(std::uint32_t t, std::uint32_t point) const {
    return leaving_[t][point];
  }
  std::string place(std::uint32_t t, std::uint32_t point) const;

 private:
  std::map<std::string, model::threads::VariableId> ids_;
  std::set<std::string> globals_;
  std::vector<std::map<std::string, term::Term>> locals_;
  term::Term global_ranges_ = term::constant(true);
  std::vector<term::Term> local_ranges_;
  std::vector<std::vector<std::vector<std::uint32_t>>> leaving_;
};

/// A transition or a path of them: terms over the state at its beginning.
struct Effect {
  term::Term guard = term::constant(true);
  term::Substitution after;  ///< values of the variables assigned, by name
  std::vector<model::threads::Input> inputs;
  std::vector<model::threads::Creation> creations;
};
/// `effect` followed by a transition.
Effect followed_by(const Subject& subject, const Effect& effect,
                   const model::threads::Transition& t);

/// From a cut to the next.
struct Path {
  std::uint32_t thread = 0;
  std::uint32_t from = 0, to = 0;
  Effect effect;
};
/// All of a thread. Objects to a cycle without a cut.
std::vector<Path> paths_between_cuts(const Subject& subject, std::uint32_t thread);

/// The program in which atomic sections without cuts are single transitions (thread_sections.cpp).
model::threads::ThreadProgram with_whole_sections(const model::threads::ThreadProgram& program,
                                                  const model::threads::ThreadProof& proof);

// The parts of the check. Each objects if something is wrong.
void check_form(const Subject& subject);
void check_ranges(const Subject& subject, Validity& validity);
void check_facts(const Subject& subject, Validity& validity);
void check_reduction(const Subject& subject, Validity& validity);
void check_invariants(const Subject& subject, Validity& validity);

/// Objects unless the ranking shows that no run is infinite. Invariants have been checked
/// (ranks.cpp).
void check_ranking(const Subject& subject, const model::threads::Ranking& ranking,
                   const std::vector<WaitingPlace>& waiting, Validity& validity);

/// A claim that is about waiting, and the program that the covering describes.
struct WaitingClaim {
  const model::c::Program& source;
  const model::threads::Covering& covering;
  const CoveredAccesses& derived;
  const model::threads::Monitors& monitors;
};
/// Objects, not finally, unless in no state that is reached all threads that have not ended wait.
/// Invariants have been checked (waiting.cpp).
void check_waiting(const Subject& subject, const WaitingClaim& claim, Validity& validity);
/// Whether steps that wake others, fall asleep or wake up are blocks of their own, outside
/// sections, so that nothing is moved across them.
bool are_blocks_of_their_own(const Subject& subject, const std::vector<WaitingPlace>& waiting);

/// Objects, not finally, unless no run reaches something that C does not define. Invariants have
/// been checked (definedness.cpp).
void check_definedness(const Subject& subject, const model::c::Program& source,
                       const model::threads::Covering& covering, const CoveredAccesses& derived,
                       Validity& validity);

/// By place: what is known of a thread there. False where there is no invariant: it is not reached.
term::Term invariant_at(const Subject& subject, std::uint32_t thread, std::uint32_t point);

/// The number of a new copy of a replicated thread: nobody's, nor any owner's.
term::Term is_fresh(const Subject& subject, std::uint32_t creator, const term::Term& number);

}  // namespace heddle::check::c
