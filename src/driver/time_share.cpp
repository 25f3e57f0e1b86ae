#include "driver/time_share.hpp"

#include <algorithm>

namespace heddle::driver {

namespace {

constexpr double kPartOfTheFirst = 0.6;
constexpr Seconds kFirstSlice{0.05};
constexpr Seconds kLongestSlice{0.25};
constexpr double kGrowth = 0.25;  // a slice is this part of what was used before
constexpr double kLeastCharge = 0.25;

}  // namespace

double search_weight(std::size_t position, std::size_t searches, unsigned processors) {
  const double equal = 1.0 / static_cast<double>(searches);
  if (searches <= processors) return equal;
  const double first = kPartOfTheFirst / processors;
  const double later = (1 - kPartOfTheFirst) / static_cast<double>(searches - processors);
  if (later >= first) return equal;
  return position < processors ? first : later;
}

Seconds slice_after(Seconds used) { return std::clamp(kGrowth * used, kFirstSlice, kLongestSlice); }

Seconds charge_for(Seconds processor_time, Seconds wall_clock) {
  return std::clamp(processor_time, kLeastCharge * wall_clock, wall_clock);
}

}  // namespace heddle::driver
