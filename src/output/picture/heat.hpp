#pragma once

#include <string>

namespace heddle::output::picture {

/// A colour from white (0) to deep blue (1), for cells that stand for counts.
std::string heat_colour(double share);

/// Is the colour so deep that black text on it would be hard to read?
inline bool is_deep(double share) { return share > 0.55; }

}  // namespace heddle::output::picture
