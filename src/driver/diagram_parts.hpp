#pragma once

#include <optional>

#include "model/counting.hpp"
#include "output/picture/expanded_diagram.hpp"

namespace heddle::driver {

/// The live edges and the loops of a thread system, as the engine `concolic` sees them; nothing if
/// it has too many thread states to tell.
std::optional<output::picture::DiagramParts> diagram_parts(const model::ThreadSystem& system,
                                                           const model::CountingQuestion& question);

}  // namespace heddle::driver
