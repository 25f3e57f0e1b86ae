/// Proves that a set of thread states shows that no target can be reached: whatever is reachable
/// consists of them, and every target asks for something else. Its states must be ones of the
/// model; it speaks about nothing else.

#include "check/certificates.hpp"
#include "check/counting/demand.hpp"
#include "check/counting/invariants.hpp"
#include "check/proof.hpp"
#include "check/well_formed.hpp"

namespace heddle::check {

namespace {

class ThreadStatesCheck {
 public:
  ThreadStatesCheck(const model::CountingTask& task, const answer::ClosedThreadStates& closed)
      : task_(task), closed_(closed) {}

  Problem well_formed() const {
    if (const auto found = mismatch(task_.model, answer::Invariant(closed_)))
      return refuted("the set names " + *found);
    return std::nullopt;
  }

  NotNeeded keeps_to_its_scope() const {
    return "a set of thread states speaks about nothing else";
  }

  NotNeeded contains_beginning() const {
    return "to be inductive is to hold initially, too: is_closed shows both";
  }

  Problem is_closed() const {
    if (const auto why = why_not_inductive(task_, closed_)) return refuted("the set " + *why);
    return std::nullopt;
  }

  Problem excludes_end() const {
    const Exclusion exclusion({closed_});
    for (const model::Region& target : task_.question.targets)
      if (!exclusion.excludes(Demand<base::Integer>(model::least_element(target))))
        return refuted("the set has room for the target " +
                       model::target_to_string(task_.model, target));
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the set contains every initial thread state and all successors, and excludes the "
           "targets (" +
           base::counted(closed_.states.size(), "thread state") + ")";
  }

 private:
  const model::CountingTask& task_;
  const answer::ClosedThreadStates& closed_;
};

}  // namespace

answer::CheckResult check_certificate(const model::CountingTask& task,
                                      const answer::ClosedThreadStates& closed, base::RunContext&) {
  return prove(ThreadStatesCheck(task, closed));
}

}  // namespace heddle::check
