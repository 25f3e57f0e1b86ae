#pragma once

/// Solutions of homogeneous linear inequalities, by a module that is loaded when the first is
/// wanted. What is found is a candidate: it was computed with rounding, and whoever asks proves it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::solver {

/// Weights w ≥ 0 are wanted with row·w ≤ 0 for each row and gain·w > 0 for each gain. Rows and
/// gains list their coefficients by column; those of the same column are added.
struct LinearCone {
  using Row = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  std::size_t columns = 0;
  std::vector<Row> rows;
  std::vector<Row> gains;
};

/// Weights that should do, without a common divisor, one for each column. Nothing if there are
/// none, if they are no fractions with small denominators, or if it takes too long: `work` units
/// may be spent, about a nanosecond each, and those that were are taken off. Depends on nothing but
/// the cone and `work`. Throws InternalError if the module cannot be loaded.
std::optional<std::vector<std::int64_t>> find_in(const LinearCone& cone, std::uint64_t& work);

}  // namespace heddle::solver
