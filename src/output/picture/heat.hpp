#pragma once

#include <string>

namespace heddle::output::picture {

/// A colour from near white (0) to a blue on which black text is still legible (1), for cells that
/// stand for counts.
std::string heat_colour(double share);

}  // namespace heddle::output::picture
