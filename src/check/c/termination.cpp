/// Claims that every run ends: none is infinite, and in none do threads wait for ever. The thread
/// program is derived from the C program (covering.cpp); each instruction that the C program
/// executes is a transition of it, so an infinite run of the one is an infinite run of the other.
/// Failed assertions end the process. Then
///
///   invariants    as for reachability (thread_proof.cpp); bad points are overflows, where the
///                 proof assumes that there are none, and what the model does not have
///   ranking       no run is infinite (ranks.cpp)
///   waiting       no run stops while threads wait (waiting.cpp)
///   definedness   no run reaches what C does not define (definedness.cpp)
///
/// Fairness is not made use of: if all runs end, the weakly fair ones do.

#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "check/certificates.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

using model::threads::ThreadProgram;

class TerminationCheck {
 public:
  TerminationCheck(const model::CTask& task, const answer::TerminationProof& claim,
                   base::RunContext& context)
      : task_(task), claim_(claim), validity_(context) {}

  Problem well_formed() {
    const auto& asked = task_.question.targets;
    if (asked.size() != 1 || !is_about_ending(asked.front()))
      return refuted("the evidence is about termination");
    return c::problem_of([&] {
      derived_ = c::covered_program_where_failures_end(task_.model, claim_.covering);
      program_ = c::with_whole_sections(derived_.program, claim_.proof);
      subject_.emplace(program_, claim_.proof);
    });
  }

  Problem keeps_to_its_scope() {
    return c::problem_of([&] { c::check_form(*subject_); });
  }

  NotNeeded contains_beginning() const {
    return "that facts and invariants hold at the beginning is shown together with the steps";
  }

  Problem is_closed() {
    return c::problem_of([&] {
      c::check_ranges(*subject_, validity_);
      c::check_facts(*subject_, validity_);
      c::check_reduction(*subject_, validity_);
      c::check_invariants(*subject_, validity_);
    });
  }

  Problem excludes_end() {
    return c::problem_of([&] {
      c::check_ranking(*subject_, claim_.ranking, derived_.waiting, validity_);
      c::check_waiting(*subject_, {task_.model, claim_.covering, derived_, claim_.monitors},
                       validity_);
      const c::Subject instructions(derived_.program, claim_.proof);
      c::check_definedness(instructions, task_.model, claim_.covering, derived_, validity_);
    });
  }

  std::string confirmation() const {
    return "cvc5 proved " +
           base::counted(base::Integer(std::to_string(validity_.formulas())), "formula") +
           " about the program, derived again from the source";
  }

 private:
  const model::CTask& task_;
  const answer::TerminationProof& claim_;
  c::Validity validity_;
  c::CoveredAccesses derived_;
  ThreadProgram program_;
  std::optional<c::Subject> subject_;
};

}  // namespace

answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::TerminationProof& proof,
                                      base::RunContext& context) {
  return prove(TerminationCheck(task, proof, context));
}

}  // namespace heddle::check
