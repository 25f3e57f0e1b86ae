#pragma once

/// Is a set of thread states an invariant of a Boolean program, for any number of threads?

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/program_evidence.hpp"
#include "base/run_context.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::check {

/// The claimed thread states by node. Without any claim every thread state is allowed.
class ThreadInvariant {
 public:
  ThreadInvariant(const model::boolean::Flow& flow, const std::vector<answer::ThreadFact>& facts);

  /// Those at the node: one full fact if nothing is claimed at all.
  std::span<const answer::ThreadFact> at(model::boolean::NodeId node) const {
    return facts_[node.index()];
  }
  bool claims_something() const { return claims_; }

 private:
  bool claims_ = false;
  std::vector<std::vector<answer::ThreadFact>> facts_;
};

/// Does the flow graph keep at most one thread inside atomic sections? True of every graph that
/// model::boolean::unfold makes; seen from guards and assignments of its edges alone.
bool sections_exclude(const model::boolean::Flow& flow);

/// Why the thread states are no invariant; or, if that is open, why the check came to no end.
struct InvariantProblem {
  std::string why;
  bool is_open = false;
};
std::optional<InvariantProblem> why_not_invariant(const model::boolean::Flow& flow,
                                                  const ThreadInvariant& invariant,
                                                  base::RunContext& context);

}  // namespace heddle::check
