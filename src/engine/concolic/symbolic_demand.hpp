#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/concolic/affine.hpp"
#include "engine/concolic/summary.hpp"

namespace heddle::engine::concolic {

/// The demands of all runs along one path, as a function of the loops' unknowns, and which unknowns
/// are out of the question because somewhere on the way a demand would have been one that nothing
/// reachable meets.
class SymbolicDemand {
 public:
  using Counts = std::vector<std::pair<std::uint32_t, Maximum>>;

  const Counts& counts() const { return counts_; }     ///< sorted by counter, none zero
  const Maximum& ceiling() const { return ceiling_; }  ///< must be 0

  /// Fires backward: once, or as often as the unknowns of the component say.
  void fire(const Summary& step);
  void repeat(const Summary& round, std::uint32_t component);
  void raise(std::uint32_t counter, const base::Integer& count);

  /// Requires that each counter for which `possible(counter)` is false be 0, and says whether that
  /// can be.
  template <class Possible>
  bool require(Possible possible) {
    std::erase_if(counts_, [&](const auto& entry) {
      if (possible(entry.first)) return false;
      for (const Affine& form : entry.second.forms()) ceiling_.raise(form);
      return true;
    });
    return !ceiling_.always_above(0);
  }

  /// Whatever can be done from the other demand can be done from this one, with the same unknowns.
  bool below(const SymbolicDemand& other) const;
  /// The same, with the other one's unknowns put in for those of this one.
  bool below(const SymbolicDemand& other, const Renaming& renaming) const;

 private:
  Maximum& count(std::uint32_t counter);
  const Maximum& count_of(std::uint32_t counter) const;
  void drop_zeros();

  Counts counts_;
  Maximum ceiling_;
};

}  // namespace heddle::engine::concolic
