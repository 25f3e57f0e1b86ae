#pragma once

/// The checks of certificates, one overload for each kind (answer::CertificateKinds). Each goes
/// through the skeleton of proof.hpp; what it proves, and why that suffices, stands at the head of
/// its file. Kinds that prove bounds get the bound, or nothing if the claim is safety.
///
/// Precondition of all: the task's question fits its model, and the model is one that the kind is
/// about.

#include <optional>

#include "answer/certificate.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

using ClaimedBound = std::optional<answer::Bound>;

/// counting/backward_basis.cpp. For n elements of k entries and t transitions that may serve the
/// demand of an element, n·t predecessors (more where passive threads choose or sums are demanded:
/// then one per split), each looked up in a trie; memory about 40·n·k bytes.
answer::CheckResult check_certificate(const model::CountingTask& task,
                                      const answer::BackwardBasis& basis,
                                      base::RunContext& context);

/// counting/forward_cover.cpp. A look-up per element and transition, and per way in which passive
/// threads can choose that ranges of them do not decide; exact integers throughout.
answer::CheckResult check_certificate(const model::CountingTask& task,
                                      const answer::ForwardCover& cover, base::RunContext& context);

/// counting/closed_thread_states.cpp. Linear in the model times the logarithm of the set.
answer::CheckResult check_certificate(const model::CountingTask& task,
                                      const answer::ClosedThreadStates& closed,
                                      base::RunContext& context);

/// pathwise/pathwise.cpp. One query of linear arithmetic.
answer::CheckResult check_certificate(const model::ThreadTask& task,
                                      const answer::PathwiseProof& proof,
                                      base::RunContext& context);

/// program/program_basis.cpp. A query for each element, edge and view of it.
answer::CheckResult check_certificate(const model::ProgramTask& task,
                                      const answer::ProgramBasis& basis, base::RunContext& context);

/// pushdown/pushdown_invariant.cpp. Linear in products times rules but for inclusions of languages,
/// which are remembered.
answer::CheckResult check_certificate(const model::PushdownTask& task,
                                      const answer::PushdownInvariant& invariant,
                                      const ClaimedBound& bound, base::RunContext& context);

/// pushdown/program_stacks.cpp. Linear in products times the steps from their tops but for
/// inclusions of languages, which are remembered.
answer::CheckResult check_certificate(const model::ProgramTask& task,
                                      const answer::ProgramStacks& stacks,
                                      const ClaimedBound& bound, base::RunContext& context);

/// diagrams/context_relations.cpp. Linear in the number of rules, each a few operations on
/// diagrams.
answer::CheckResult check_certificate(const model::ProgramTask& task,
                                      const answer::ContextRelations& relations,
                                      const ClaimedBound& bound, base::RunContext& context);

/// diagrams/configuration_sets.cpp. Likewise.
answer::CheckResult check_certificate(const model::ProgramTask& task,
                                      const answer::ConfigurationSets& sets,
                                      const ClaimedBound& bound, base::RunContext& context);

/// diagrams/turn_facts.cpp. A few operations on diagrams for each edge of each place and, once
/// more, for each turn.
answer::CheckResult check_certificate(const model::ProgramTask& task,
                                      const answer::TurnFacts& facts, const ClaimedBound& bound,
                                      base::RunContext& context);

/// c/check_safe.cpp. A second search, in which what cannot conflict is one step.
answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::Exploration& exploration,
                                      const ClaimedBound& bound, base::RunContext& context);

/// c/thread_invariants.cpp. The C program is executed once for each place, symbolically; then a
/// query for each step and each invariant that it might break.
answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::ThreadInvariants& invariants,
                                      base::RunContext& context);

/// c/race_freedom.cpp. Likewise; then a query for each pair of accesses in conflict that facts do
/// not keep apart.
answer::CheckResult check_certificate(const model::CTask& task, const answer::RaceFreedom& freedom,
                                      base::RunContext& context);

/// c/termination.cpp. Likewise; then queries for each rank, step of a loop and step of another
/// thread that changes it, and for each access to memory at an address that is not constant.
answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::TerminationProof& proof,
                                      base::RunContext& context);

/// c/deadlock_freedom.cpp. Likewise; then one query about all threads, and some for each step and
/// formula about a condition variable.
answer::CheckResult check_certificate(const model::CTask& task,
                                      const answer::DeadlockFreedom& freedom,
                                      base::RunContext& context);

/// The rounds of a bound on contexts; nothing: any number.
inline std::optional<base::Integer> rounds_of(const ClaimedBound& bound) {
  return bound ? std::optional(bound->value) : std::nullopt;
}

}  // namespace heddle::check
