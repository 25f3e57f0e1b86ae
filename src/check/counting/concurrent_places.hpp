#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/certificate.hpp"
#include "model/petri_net.hpp"

namespace heddle::check {

/// Concurrent places with look-up in constant time.
class Together {
 public:
  explicit Together(const answer::ConcurrentPlaces& places);

  bool is_markable(std::uint32_t place) const {
    return std::ranges::binary_search(markable_, place);
  }
  bool may_be(std::uint32_t a, std::uint32_t b) const {
    if (a > b) std::swap(a, b);
    return a < rows_.size() && b - a < rows_[a].size() && rows_[a][b - a];
  }
  const std::vector<std::uint32_t>& markable() const { return markable_; }

 private:
  std::vector<std::uint32_t> markable_;  ///< sorted
  std::vector<std::vector<bool>> rows_;  ///< row a: with a, a + 1, … as far as the last partner
};

/// Nothing if every initial marking respects the relation and every step keeps it, else what could
/// not be shown. Costs, per transition, the number of places times the places that it gives tokens
/// to; for a transition with resets or sums, the square of the number of places.
/// Precondition: the places and the initial regions fit the net.
std::optional<std::string> why_not_inductive(const model::PetriNet& net,
                                             const std::vector<model::Region>& initial,
                                             const answer::ConcurrentPlaces& places);

}  // namespace heddle::check
