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

const Maximum& SymbolicDemand::count_of(std::uint32_t counter) const {
  static const Maximum zero;
  const auto it =
      std::ranges::lower_bound(counts_, counter, {}, &std::pair<std::uint32_t, Maximum>::first);
  return it != counts_.end() && it->first == counter ? it->second : zero;
}

bool SymbolicDemand::below(const SymbolicDemand& other) const {
  return std::ranges::all_of(
             counts_,
             [&](const auto& entry) { return entry.second.below(other.count_of(entry.first)); }) &&
         ceiling_.below(other.ceiling_);
}

bool SymbolicDemand::below(const SymbolicDemand& other, const Renaming& renaming) const {
  const auto lower = [&](const auto& entry) {
    return entry.second.below(other.count_of(entry.first), renaming);
  };
  return std::ranges::all_of(counts_, lower) && ceiling_.below(other.ceiling_, renaming);
}

}  // namespace heddle::engine::concolic
