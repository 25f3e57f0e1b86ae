/// Claims that no deadlock is reached: no state in which no thread can step although one has not
/// ended. The thread program is derived from the C program (covering.cpp). Failed assertions end
/// the process, and what C does not define ends an execution. Then
///
///   invariants    as for reachability (thread_proof.cpp); bad points are overflows, where the
///                 proof assumes that there are none, and what the model does not have
///   waiting       no state is reached in which all threads that have not ended wait (waiting.cpp)

#include "check/c/covering.hpp"
#include "check/c/proof_parts.hpp"
#include "check/certificates.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

class DeadlockFreedomCheck {
 public:
  DeadlockFreedomCheck(const model::CTask& task, const answer::DeadlockFreedom& claim,
                       base::RunContext& context)
      : task_(task), claim_(claim), validity_(context) {}

  Problem well_formed() {
    if (task_.question.targets != std::vector{model::c::Property::NoDeadlock})
      return refuted("the evidence is about deadlocks");
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
      c::check_waiting(*subject_, {task_.model, claim_.covering, derived_, claim_.monitors},
                       validity_);
    });
  }

  std::string confirmation() const {
    return "cvc5 proved " +
           base::counted(base::Integer(std::to_string(validity_.formulas())), "formula") +
           " about the program, derived again from the source";
  }

 private:
  const model::CTask& task_;
  const answer::DeadlockFreedom& claim_;
  c::Validity validity_;
  c::CoveredAccesses derived_;
  model::threads::ThreadProgram program_;
  std::optional<c::Subject> subject_;
};

}  // namespace

answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::DeadlockFreedom& freedom,
                                      base::RunContext& context) {
  return prove(DeadlockFreedomCheck(task, freedom, context));
}

}  // namespace heddle::check
