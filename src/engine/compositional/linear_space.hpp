#pragma once

/// Linear spaces of vectors over the integers, and what vanishes on them.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/integer.hpp"
#include "term/term.hpp"

namespace heddle::engine::compositional {

/// A vector with few entries that are not 0, by index. Of a point (1, x), and of an equality over
/// it, entry 0 is the one that belongs to the 1.
using LinearVector = std::map<std::uint32_t, base::Integer>;

/// a·x + b·y, divided by what all entries have in common
LinearVector combine(const base::Integer& a, const LinearVector& x, const base::Integer& b,
                     const LinearVector& y);
base::Integer product(const LinearVector& a, const LinearVector& b);
void normalise(LinearVector& v);

/// A linear space by a basis in echelon form: each vector begins with another index.
class LinearSpace {
 public:
  /// Whether the vector is new.
  bool add(LinearVector v);
  std::vector<LinearVector> basis() const;
  /// A basis of what vanishes on the space.
  std::vector<LinearVector> equalities(std::uint32_t size) const;

 private:
  std::map<std::uint32_t, LinearVector> rows_;
};

/// The product with the vector of the names is 0. The first name stands for 1.
term::Term vanishing(std::span<const term::Term> names, const LinearVector& equality);

}  // namespace heddle::engine::compositional
