#include "engine/concolic/summary.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::engine::concolic {

using base::Integer;

Update then(const Update& first, const Update& second) {
  return {first.shift + second.shift, std::max(first.floor + second.shift, second.floor)};
}

Integer repeat(const Update& update, const Integer& rounds, const Integer& count) {
  if (rounds == 0) return count;
  const Integer shifted = count + rounds * update.shift;
  const Integer floor = update.floor + (rounds - 1) * std::max<std::int64_t>(update.shift, 0);
  return std::max(shifted, floor);
}

Summary then(const Summary& first, const Summary& second) {
  Summary result;
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() || b != second.end()) {
    if (b == second.end() || (a != first.end() && a->first < b->first)) {
      result.push_back(*a++);
    } else if (a == first.end() || b->first < a->first) {
      result.push_back(*b++);
    } else {
      result.emplace_back(a->first, then(a->second, b->second));
      ++a, ++b;
    }
  }
  return result;
}

bool is_summable(const model::ThreadTransition& transition) {
  return transition.has_constant_effect();
}

Summary summary_of(const model::ThreadTransition& transition) {
  HEDDLE_INVARIANT(is_summable(transition), "a summarised transition should be summable");
  const Summary leave{{transition.target.local.value, {-1, 0}}};
  const Update there = transition.kind == model::StepKind::Spawn ? Update{0, 1} : Update{1, 1};
  return then(leave, Summary{{transition.source.local.value, there}});
}

}  // namespace heddle::engine::concolic
