#pragma once

/// The property files of the Model Checking Contest, XML with an element `property-set`
/// (docs/formats/pnml.md). What is read are properties `EF f` and `AG f` where f joins comparisons
/// of sums of places and asks which transitions can fire, or whether any.

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

/// The markings whose reachability decides the property: those of f for `EF f`, those of its
/// negation for `AG f`. The property is the file's only one, or the one whose id stands behind a
/// '#' at the end of `source.name`.
base::Parsed<std::vector<model::Region>> parse_property_set(const model::PetriNet& net,
                                                            const SourceText& source);

}  // namespace heddle::frontend::petri
