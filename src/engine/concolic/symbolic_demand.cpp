#include "engine/concolic/symbolic_demand.hpp"

#include <algorithm>

namespace heddle::engine::concolic {

Maximum& SymbolicDemand::count(std::uint32_t counter) {
  const auto it =
      std::ranges::lower_bound(counts_, counter, {}, &std::pair<std::uint32_t, Maximum>::first);
  if (it != counts_.end() && it->first == counter) return it->second;
  return counts_.insert(it, {counter, {}})->second;
}

void SymbolicDemand::drop_zeros() {
  std::erase_if(counts_, [](const auto& entry) { return entry.second.is_zero(); });
}

void SymbolicDemand::fire(const Summary& step) {
  for (const auto& [counter, update] : step) count(counter).shift(update.shift, update.floor);
  drop_zeros();
}

void SymbolicDemand::repeat(const Summary& round, std::uint32_t component) {
  for (const auto& [counter, update] : round)
    count(counter).repeat(update.shift, update.floor, component);
  drop_zeros();
}

void SymbolicDemand::raise(std::uint32_t counter, const base::Integer& amount) {
  count(counter).raise({amount, {}});
  drop_zeros();
}

bool SymbolicDemand::below(const SymbolicDemand& other) const {
  auto at = other.counts_.begin();
  for (const auto& [counter, value] : counts_) {
    while (at != other.counts_.end() && at->first < counter) ++at;
    if (at == other.counts_.end() || at->first != counter || !value.below(at->second)) return false;
  }
  return std::ranges::all_of(ceilings_, [&](const Affine& ceiling) {
    return ceiling.never_positive() ||
           std::ranges::any_of(other.ceilings_,
                               [&](const Affine& above) { return ceiling.below(above); });
  });
}

}  // namespace heddle::engine::concolic
