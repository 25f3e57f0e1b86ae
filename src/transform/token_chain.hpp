#pragma once

/// One transition of a Petri net as a sequence of steps of one token each.

#include <expected>
#include <string>
#include <vector>

#include "model/petri_net.hpp"
#include "model/thread_system.hpp"

namespace heddle::transform {

/// One thread goes from `from` to `to`; then every other thread follows `passive`.
struct ChainStep {
  model::LocalState from;
  model::LocalState to;
  std::vector<model::PassiveMove> passive;  ///< sorted, one target for each source
  friend bool operator==(const ChainStep&, const ChainStep&) = default;
};

/// The steps of a monotone rule; none if the rule changes nothing. `pool` is the local state of
/// threads that are no tokens. The error says what the rule does that threads cannot.
///
/// Guarantee: from a marking m with enough threads in the pool, all steps can be taken one after
/// the other if and only if the rule is enabled in m, and they lead to its successor.
std::expected<std::vector<ChainStep>, std::string> token_chain(const model::PetriNet& net,
                                                               const model::PetriTransition& rule,
                                                               model::LocalState pool);

}  // namespace heddle::transform
