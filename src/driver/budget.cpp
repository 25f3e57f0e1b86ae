#include "driver/budget.hpp"

namespace heddle::driver {

using std::chrono::steady_clock;

base::Limits Budget::from(steady_clock::time_point start) const {
  base::Limits limits;
  if (time) limits.deadline = start + std::chrono::duration_cast<steady_clock::duration>(*time);
  limits.memory_mb = memory_mb;
  limits.steps = steps;
  return limits;
}

}  // namespace heddle::driver
