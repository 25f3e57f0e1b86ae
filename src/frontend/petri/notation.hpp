#pragma once

/// Targets and initial markings of nets as users write them (docs/formats/mist-spec.md):
/// conjunctions such as `p >= 1, q in [0, 2]`, separated by line ends or ';', which mean their
/// union. What is not listed is anything in a target and 0 in an initial marking. Targets may also
/// be XML, a property file of the Model Checking Contest (property_set.hpp), or a question in the
/// language of LoLA (lola_question.hpp).

#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "model/petri_net.hpp"

namespace heddle::frontend::petri {

base::Parsed<std::vector<model::Region>> parse_targets(const model::PetriNet& net,
                                                       const SourceText& source);
base::Parsed<std::vector<model::Region>> parse_initial(const model::PetriNet& net,
                                                       const SourceText& source);

}  // namespace heddle::frontend::petri
