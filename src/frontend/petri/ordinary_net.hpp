#pragma once

/// Ordinary nets: weighted arcs and one initial marking, no resets, transfers or upper bounds. They
/// are all that `.pnet` and `.lola` can hold; PNML and TINA's format have inhibitor arcs as well.

#include <optional>
#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// What a transition takes and gives.
struct Arcs {
  model::Counts consume;
  model::Counts produce;
};

/// Why the transition has no such form, as a clause; nothing if it has.
std::optional<std::string> not_ordinary(const model::PetriTransition& transition);

/// Precondition: the transition is ordinary. Where its effect takes more tokens than its guard
/// demands, what it takes is what it needs, which is the same step.
Arcs arcs_of(const model::PetriTransition& transition);

/// Takes the upper bounds out of the guard and returns them: inhibitor arcs.
std::vector<model::CounterBound> take_upper_bounds(model::PetriTransition& transition);

/// Why the file is not an ordinary net with one initial marking, as a clause.
std::optional<std::string> not_ordinary(const NetFile& file);

/// The same of a net that may have inhibitor arcs as well.
std::optional<std::string> not_ordinary_but_for_inhibitors(const NetFile& file);

/// Precondition: `not_ordinary`, but for inhibitors perhaps, finds no reason.
model::Counts initial_marking(const NetFile& file);

/// The region that holds this marking alone.
model::Region exactly(const model::Counts& marking);

}  // namespace heddle::frontend::petri
