#include "engine/context/diagram_work.hpp"

#include <ctime>

namespace heddle::engine::context {

std::chrono::nanoseconds cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

bool is_small_part(std::chrono::nanoseconds since, int parts, const base::RunContext& context) {
  const auto& deadline = context.limits().deadline;
  if (!deadline) return true;
  const std::chrono::nanoseconds left = *deadline - std::chrono::steady_clock::now();
  const std::chrono::nanoseconds used = cpu_time() - since;
  return used < (used + left) / parts;
}

}  // namespace heddle::engine::context
