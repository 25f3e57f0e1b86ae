#pragma once

/// Is a thread system the given net, seen as threads? A cutoff of a net with resets and transfers
/// is one of such a thread system (docs/translations.md); what is proved about the system says
/// something about the net only if the answer is yes.
///
/// The system has a local state for each place and one more, the pool. Shared state 0 is the base.
/// Rule after rule, each that changes something is a chain of steps of one thread each, which leads
/// from the base through shared states of its own back to the base. So a run from base to base is a
/// sequence of whole chains, and it remains to show that a chain does what its rule does: that from
/// a marking, with enough threads in the pool, it can be taken exactly if the rule is enabled, and
/// leads to the rule's successor.
///
/// For that the chain is followed on an unknown marking m. At any time the threads in a local state
/// x are those that were tokens of some places Y when the chain began, all of them, and c more (or
/// fewer): Σ m(Y) + c. A step of a thread from x asks for Σ m(Y) + c ≥ 1, passive moves join the
/// sets Y, and at the end both must be what the rule's update of x says. What the steps ask for
/// together must be what the rule asks for: m(p) ≥ g for its guards, and no place below 0.
///
/// Cost: for each step of the system, the places that its chain has moved so far.

#include <optional>
#include <string>

#include "model/counting.hpp"

namespace heddle::check {

/// The first difference in words, or nothing. Initial states are compared, targets are not.
/// Precondition: `net` holds a Petri net, `threads` a thread system.
std::optional<std::string> why_not_the_net(const model::NetTask& net,
                                           const model::ThreadTask& threads);

}  // namespace heddle::check
