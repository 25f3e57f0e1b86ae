#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::coverability {

/// Weights w ≥ 0 are wanted with row·w ≤ 0 for each row and gain·w > 0 for each gain. Rows and
/// gains list their coefficients that are not 0, by column.
struct LinearCone {
  using Row = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  std::size_t columns = 0;
  std::vector<Row> rows;
  std::vector<Row> gains;
};

/// Weights without a common divisor, one for each column. Nothing if there are none, if a number of
/// the computation does not fit 64 bits, or if it takes too long: `work` entries of tableaus may be
/// looked at, and those that were are taken off. Depends on nothing but the cone and `work`.
std::optional<std::vector<std::int64_t>> find_in(const LinearCone& cone, std::uint64_t& work);

}  // namespace heddle::coverability
