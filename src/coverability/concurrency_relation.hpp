#pragma once

/// Which places of a net may be marked together: a symmetric relation that every reachable marking
/// respects, in the sense that any two marked places are related, and a place with two or more
/// tokens is related to itself. Computed as the least relation that contains the initial markings
/// and is closed under steps, so it is an over-approximation (exact for live, bounded free-choice
/// nets: Kovalyov and Esparza 1996). It finds, without being told, that a control component has one
/// token and that what it excludes stays excluded.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "answer/certificate.hpp"
#include "model/petri_net.hpp"

namespace heddle::coverability {

/// The places that may be marked at all, and a symmetric relation over them, one row of bits each.
class ConcurrencyRelation {
 public:
  explicit ConcurrencyRelation(std::size_t places)
      : words_((places + 63) / 64), bits_(places * words_, 0), markable_(places, false) {}

  std::size_t places() const { return markable_.size(); }
  bool markable(std::uint32_t place) const { return markable_[place]; }
  bool related(std::uint32_t a, std::uint32_t b) const {
    return (bits_[a * words_ + b / 64] >> (b % 64) & 1) != 0;
  }
  /// True if this is new.
  bool mark(std::uint32_t place);
  bool relate(std::uint32_t a, std::uint32_t b);  ///< marks both
  std::span<const std::uint64_t> row(std::uint32_t place) const {
    return {bits_.data() + place * words_, words_};
  }

  answer::ConcurrentPlaces to_certificate() const;

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<bool> markable_;
};

/// Nothing if the net has more places than is worthwhile.
std::optional<ConcurrencyRelation> concurrency_relation(const model::PetriNet& net,
                                                        const std::vector<model::Region>& initial);

}  // namespace heddle::coverability
