#include "coverability/cover_predecessors.hpp"

#include <algorithm>

namespace heddle::coverability {

CandidateIndex::CandidateIndex(const CounterSystem& system)
    : always_(system.controls), givers_(system.controls), giver_transitions_(system.controls) {
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i) {
    const Transition& t = system.transitions[i];
    if (t.from != t.to || !t.ordinary()) {
      always_[t.to].push_back(i);
      continue;
    }
    for (const Touched& touched : t.touched)
      if (touched.give > touched.take) givers_[t.to].push_back({touched.counter, i});
  }
  for (Control control = 0; control < system.controls; ++control) {
    std::ranges::stable_sort(givers_[control], {}, &Giver::counter);
    for (const Giver& giver : givers_[control])
      giver_transitions_[control].push_back(giver.transition);
  }
}

std::span<const std::uint32_t> CandidateIndex::giving(Control to, std::uint32_t counter) const {
  const auto range = std::ranges::equal_range(givers_[to], counter, {}, &Giver::counter);
  const auto begin = static_cast<std::size_t>(range.begin() - givers_[to].begin());
  return std::span(giver_transitions_[to]).subspan(begin, range.size());
}

}  // namespace heddle::coverability
