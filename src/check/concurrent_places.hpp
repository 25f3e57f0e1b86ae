#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "answer/certificate.hpp"
#include "model/petri_net.hpp"

namespace heddle::check {

/// Concurrent places with look-up in constant time.
class Together {
 public:
  explicit Together(const answer::ConcurrentPlaces& places);

  bool is_markable(std::uint32_t place) const { return markable_.contains(place); }
  bool may_be(std::uint32_t a, std::uint32_t b) const {
    return a <= b ? pairs_.contains(code(a, b)) : pairs_.contains(code(b, a));
  }
  const std::unordered_set<std::uint32_t>& markable() const { return markable_; }

 private:
  static std::uint64_t code(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }
  std::unordered_set<std::uint32_t> markable_;
  std::unordered_set<std::uint64_t> pairs_;
};

/// Nothing if every initial marking respects the relation and every step keeps it, else what could
/// not be shown. Costs, per transition, the number of places times the places that it gives tokens
/// to; for a transition with resets or sums, the square of the number of places.
/// Precondition: the places and the initial regions fit the net.
std::optional<std::string> why_not_inductive(const model::PetriNet& net,
                                             const std::vector<model::Region>& initial,
                                             const answer::ConcurrentPlaces& places);

}  // namespace heddle::check
