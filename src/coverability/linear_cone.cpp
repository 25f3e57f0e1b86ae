#include "coverability/linear_cone.hpp"

/// The linear program "the greatest s ≤ 1 with s ≤ gain·w and row·w ≤ 0, w ≥ 0" by the simplex
/// algorithm on a tableau of integers (integer_tableau.cpp).
///
/// Nearly all limits are 0, so that exchanges would gain nothing and choosing among them would be
/// blind. So limits are moved up a little, each by another amount, and exchanges are chosen by
/// these; the true limits are carried along in a column of their own, in which the solution is
/// read off. Coefficients are exact throughout. Whether the solution holds for the true limits too
/// is looked at in the end.

#include <algorithm>
#include <numeric>

#include "coverability/integer_tableau.hpp"

namespace heddle::coverability {

namespace {

/// By how much limits are moved, at most, and what stands for 1 beside it.
constexpr std::uint64_t kMoves = 1021;
constexpr std::int64_t kOne = std::int64_t{1} << 26;

/// Column 0 is s, column 1 + k weight k; then the true limits and the moved ones.
class ConeRows {
 public:
  explicit ConeRows(const LinearCone& cone) : columns_(cone.columns + 1) {
    add({{0, -1}}, 0, 0);  // the objective
    for (const LinearCone::Row& row : cone.rows) add(shifted(row, 1), 0, next_move());
    for (const LinearCone::Row& gain : cone.gains) {
      LinearCone::Row row = shifted(gain, -1);
      row.emplace_back(0, 1);
      add(row, 0, next_move());
    }
    add({{0, 1}}, 1, kOne);
  }

  IntegerTableau take() { return {columns_, std::move(rows_)}; }

 private:
  static LinearCone::Row shifted(LinearCone::Row row, std::int64_t factor) {
    for (auto& [column, coefficient] : row) {
      ++column;
      coefficient *= factor;
    }
    return row;
  }

  /// Numbers without a pattern, the same on every machine.
  std::int64_t next_move() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>(1 + (state_ >> 33) % kMoves);
  }

  void add(const LinearCone::Row& coefficients, std::int64_t limit, std::int64_t moved) {
    IntegerTableau::Row row(columns_, 0);
    for (const auto& [column, coefficient] : coefficients) row[column] += coefficient;
    row.push_back(limit);
    row.push_back(moved);
    rows_.push_back(std::move(row));
  }

  std::size_t columns_;
  std::vector<IntegerTableau::Row> rows_;
  std::uint64_t state_ = 1;
};

std::optional<std::size_t> best_column(const IntegerTableau& tableau) {
  const auto first = tableau.rows()[0].begin();
  const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(tableau.columns()));
  if (*best >= 0) return std::nullopt;
  return static_cast<std::size_t>(best - first);
}

/// By the moved limits.
std::optional<std::size_t> tightest_row(const IntegerTableau& tableau, std::size_t column) {
  const auto& rows = tableau.rows();
  const std::size_t moved = tableau.columns() + 1;
  std::optional<std::size_t> best;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][column] <= 0) continue;
    if (!best || EntryProduct{rows[i][moved]} * rows[*best][column] <
                     EntryProduct{rows[*best][moved]} * rows[i][column])
      best = i;
  }
  return best;
}

/// Nothing if s cannot be more than 0, or if the solution does not hold for the true limits.
std::optional<std::vector<std::int64_t>> weights_of(const IntegerTableau& tableau) {
  const std::size_t limit = tableau.columns();
  if (tableau.rows()[0][limit] <= 0) return std::nullopt;
  std::vector<std::int64_t> out(tableau.columns() - 1, 0);
  for (std::size_t i = 1; i < tableau.rows().size(); ++i) {
    const std::int64_t value = tableau.rows()[i][limit];
    if (value < 0) return std::nullopt;
    const std::size_t variable = tableau.basic(i);
    if (variable > 0 && variable < tableau.columns()) out[variable - 1] = value;
  }
  const std::int64_t divisor =
      std::accumulate(out.begin(), out.end(), std::int64_t{0},
                      [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
  if (divisor > 1)
    for (std::int64_t& weight : out) weight /= divisor;
  return out;
}

}  // namespace

std::optional<std::vector<std::int64_t>> find_in(const LinearCone& cone, std::uint64_t& work) {
  IntegerTableau tableau = ConeRows(cone).take();
  const std::size_t entries = tableau.rows().size() * tableau.rows()[0].size();
  for (; work >= entries; work -= entries) {
    const auto column = best_column(tableau);
    if (!column) return weights_of(tableau);
    const auto row = tightest_row(tableau, *column);
    if (!row || !tableau.exchange(*row, *column)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::coverability
