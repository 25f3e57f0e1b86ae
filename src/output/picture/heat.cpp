#include "output/picture/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::output::picture {

std::string heat_colour(double share) {
  const double s = std::sqrt(std::clamp(share, 0.0, 1.0));
  const auto mix = [&](double light, double deep) {
    return static_cast<int>(std::lround(light + s * (deep - light)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(247, 120), mix(249, 160), mix(253, 220));
}

}  // namespace heddle::output::picture
