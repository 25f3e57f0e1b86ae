#pragma once

/// Short ways to write down models, questions and traces in tests.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "answer/trace.hpp"
#include "model/counting.hpp"
#include "model/oracle.hpp"

namespace heddle::test {

using PassivePairs = std::vector<std::pair<unsigned, unsigned>>;

/// `s l -> s' l'` with passive moves `from ~> to`.
model::ThreadTransition move(unsigned s, unsigned l, unsigned s2, unsigned l2,
                             const PassivePairs& passive = {});
/// `s l +> s' l'`.
model::ThreadTransition spawn(unsigned s, unsigned l, unsigned s2, unsigned l2);
/// `s l ~> s' l'`.
model::ThreadTransition transfer(unsigned s, unsigned l, unsigned s2, unsigned l2);

model::ThreadSystem thread_system(unsigned shared, unsigned local,
                                  std::vector<model::ThreadTransition> transitions);

/// Counts by position: `counts({0, 2, 1})` is two of counter 1 and one of counter 2.
model::Counts counts(const std::vector<unsigned>& amounts);
model::Configuration configuration(unsigned shared, const std::vector<unsigned>& amounts);

/// The initial states `s|l,l,...` and `s/l,...` (none or more threads in each).
model::Region exactly(unsigned shared, const std::vector<unsigned>& locals);
model::Region any_number(unsigned shared, const std::vector<unsigned>& locals);

/// The target `s|l,l,...`, a multiset.
model::Region target(unsigned shared, const std::vector<unsigned>& locals);

/// Initial and target regions of nets, by place: the marking itself, and at least so many tokens.
model::Region marking(const std::vector<unsigned>& tokens);
model::Region at_least(const std::vector<unsigned>& tokens);

/// A net with places p0, p1, … and no transitions.
model::PetriNet net(unsigned places);
/// A rule with guards p ≥ lower for the positive entries, and any updates.
model::PetriTransition rule(const std::vector<unsigned>& lower,
                            std::vector<model::PlaceUpdate> updates);
/// place' = Σ sources (each with weight 1, given again for more) + constant.
model::PlaceUpdate update(unsigned place, const std::vector<unsigned>& sources, int constant = 0);

/// The task as one about that kind of model.
model::NetTask of_net(const model::CountingTask& task);
model::ThreadTask of_threads(const model::CountingTask& task);
model::ThreadTask threads(model::ThreadSystem system, std::vector<model::Region> initial,
                          std::vector<model::Region> targets);

model::CountingTask task(model::CountingModel model, std::vector<model::Region> initial,
                         std::vector<model::Region> targets);

answer::Trace trace(model::Configuration initial, const std::vector<model::OracleStep>& steps);
answer::Trace to_trace(const model::Reached& reached);

}  // namespace heddle::test
