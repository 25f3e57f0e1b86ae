/// Claims that invariants of threads exclude every violation. The thread program is derived from
/// the C program (covering.cpp), and the proof is checked on it (thread_proof.cpp).

#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "check/certificates.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

class ThreadInvariantsCheck {
 public:
  ThreadInvariantsCheck(const model::CTask& task, const answer::ThreadInvariants& claim,
                        base::RunContext& context)
      : task_(task), claim_(claim), validity_(context) {}

  Problem well_formed() {
    if (task_.question.targets != std::vector{model::c::Property::Reach})
      return refuted("the evidence is about reachability");
    return c::problem_of([&] {
      program_ =
          c::with_whole_sections(c::covered_program(task_.model, claim_.covering), claim_.proof);
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

  NotNeeded excludes_end() const {
    return "the invariant of a bad point is false, so that no step leads there";
  }

  std::string confirmation() const {
    return "cvc5 proved " +
           base::counted(base::Integer(std::to_string(validity_.formulas())), "formula") +
           " about the program, derived again from the source";
  }

 private:
  const model::CTask& task_;
  const answer::ThreadInvariants& claim_;
  c::Validity validity_;
  model::threads::ThreadProgram program_;
  std::optional<c::Subject> subject_;
};

}  // namespace

answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::ThreadInvariants& invariants,
                                      base::RunContext& context) {
  return prove(ThreadInvariantsCheck(task, invariants, context));
}

}  // namespace heddle::check
