#pragma once

#include <string>

#include "answer/trace.hpp"
#include "model/counting.hpp"
#include "output/picture/expanded_diagram.hpp"

namespace heddle::output::picture {

/// Three pictures in one, as SVG: (a) the diagram of a thread system, (b) the expanded diagram, (c)
/// its quotient, in which each simple loop is a black disc and each tangle of loops an orange one.
/// With a witness its path is drawn in bold and each loop says how often the path goes round.
/// Too large a system is summarised. Precondition: the task's model is a thread system.
std::string quotient_svg(const model::CountingTask& task, const DiagramParts& parts,
                         const answer::Trace* witness, const std::string& name,
                         const std::string& warning);

}  // namespace heddle::output::picture
