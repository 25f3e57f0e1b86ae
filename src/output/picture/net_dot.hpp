#pragma once

#include <string>

#include "model/counting.hpp"

namespace heddle::output::picture {

/// Nets with more places and transitions than this are drawn in part.
constexpr std::size_t kMostDrawnNetNodes = 100;

/// A net in Graphviz' language: places as circles with their initial tokens, transitions as boxes,
/// weights on arcs. Tests without taking are dashed, resets and transfers have colours of their
/// own, upper bounds end in a circle. Of a large net the part nearest to its target and initially
/// marked places is drawn, and the picture says what is left out.
std::string net_dot(const model::PetriNet& net, const model::CountingQuestion& question,
                    const std::string& name);

}  // namespace heddle::output::picture
