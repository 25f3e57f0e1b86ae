#include "coverability/linear_cone.hpp"

/// The linear program "the greatest s ≤ 1 with s ≤ gain·w and row·w ≤ 0, w ≥ 0" by the simplex
/// algorithm on integers over one common denominator, as in linear_program.cpp: to exchange the
/// basic variable of row r for the one of column c, with p = a_rc > 0, replace
///     a_ij by (a_ij·p − a_ic·a_rj) / d,   a_ic by −a_ic,   a_rc by d   and   d by p.
///
/// Nearly all limits are 0, so that exchanges would gain nothing and choosing among them would be
/// blind. So limits are moved up a little, each by another amount, and exchanges are chosen by
/// these; the true limits are carried along in a column of their own, in which the solution is
/// read off. Coefficients are exact throughout. Whether the solution holds for the true limits too
/// is looked at in the end.

#include <algorithm>
#include <numeric>

namespace heddle::coverability {

namespace {

__extension__ using Product = __int128;

/// By how much limits are moved, at most, and what stands for 1 beside it.
constexpr std::uint64_t kMoves = 1021;
constexpr std::int64_t kOne = std::int64_t{1} << 26;

class ConeTableau {
 public:
  /// Column 0 is s, column 1 + k weight k; then the true limits and the moved ones.
  explicit ConeTableau(const LinearCone& cone)
      : columns_(cone.columns + 1), true_(columns_), moved_(columns_ + 1) {
    add_row({{0, -1}}, 0, 0);  // the objective
    for (const LinearCone::Row& row : cone.rows) add_row(shifted(row, 1), 0, next_move());
    for (const LinearCone::Row& gain : cone.gains) {
      LinearCone::Row row = shifted(gain, -1);
      row.emplace_back(0, 1);
      add_row(row, 0, next_move());
    }
    add_row({{0, 1}}, 1, kOne);
    for (std::size_t j = 0; j < columns_; ++j) outside_.push_back(j);
    for (std::size_t i = 0; i < rows_.size(); ++i) basic_.push_back(columns_ + i);
  }

  std::size_t entries() const { return rows_.size() * (columns_ + 2); }

  std::optional<std::size_t> entering() const {
    const auto first = rows_[0].begin();
    const auto best = std::min_element(first, first + static_cast<std::ptrdiff_t>(columns_));
    if (*best >= 0) return std::nullopt;
    return static_cast<std::size_t>(best - first);
  }

  std::optional<std::size_t> leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i][column] <= 0) continue;
      if (!best || Product{rows_[i][moved_]} * rows_[*best][column] <
                       Product{rows_[*best][moved_]} * rows_[i][column])
        best = i;
    }
    return best;
  }

  /// False if an entry does not fit any more; the tableau is then of no further use.
  bool exchange(std::size_t row, std::size_t column) {
    filled_.clear();
    for (std::size_t j = 0; j <= moved_; ++j)
      if (j != column && rows_[row][j] != 0) filled_.push_back(j);
    const std::int64_t pivot = rows_[row][column];
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i != row && !eliminate(rows_[i], rows_[row], column)) return false;
    rows_[row][column] = denominator_;
    denominator_ = pivot;
    std::swap(basic_[row], outside_[column]);
    return true;
  }

  /// Nothing if s cannot be more than 0, or if the solution does not hold for the true limits.
  std::optional<std::vector<std::int64_t>> weights() const {
    if (rows_[0][true_] <= 0) return std::nullopt;
    std::vector<std::int64_t> out(columns_ - 1, 0);
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i][true_] < 0) return std::nullopt;
      if (basic_[i] > 0 && basic_[i] < columns_) out[basic_[i] - 1] = rows_[i][true_];
    }
    const std::int64_t divisor =
        std::accumulate(out.begin(), out.end(), std::int64_t{0},
                        [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
    if (divisor > 1)
      for (std::int64_t& weight : out) weight /= divisor;
    return out;
  }

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

  void add_row(const LinearCone::Row& coefficients, std::int64_t limit, std::int64_t moved) {
    std::vector<std::int64_t> row(columns_ + 2, 0);
    for (const auto& [column, coefficient] : coefficients) row[column] += coefficient;
    row[true_] = limit;
    row[moved_] = moved;
    rows_.push_back(std::move(row));
  }

  bool eliminate(std::vector<std::int64_t>& from, const std::vector<std::int64_t>& by,
                 std::size_t column) const {
    const std::int64_t pivot = by[column];
    const std::int64_t factor = from[column];
    if (pivot != denominator_) return scale(from, by, column);
    if (factor == 0) return true;
    for (const std::size_t j : filled_) {
      const Product entry = from[j] - Product{factor} * by[j] / denominator_;
      if (!fits(entry)) return false;
      from[j] = static_cast<std::int64_t>(entry);
    }
    from[column] = -factor;
    return true;
  }

  bool scale(std::vector<std::int64_t>& from, const std::vector<std::int64_t>& by,
             std::size_t column) const {
    const std::int64_t pivot = by[column];
    const std::int64_t factor = from[column];
    for (std::size_t j = 0; j <= moved_; ++j) {
      if (j == column || (from[j] == 0 && (factor == 0 || by[j] == 0))) continue;
      const Product entry = (Product{from[j]} * pivot - Product{factor} * by[j]) / denominator_;
      if (!fits(entry)) return false;
      from[j] = static_cast<std::int64_t>(entry);
    }
    from[column] = -factor;
    return true;
  }

  static bool fits(Product entry) { return entry <= INT64_MAX && entry >= -INT64_MAX; }

  std::size_t columns_;
  std::size_t true_;
  std::size_t moved_;
  std::vector<std::vector<std::int64_t>> rows_;  ///< the objective first
  std::int64_t denominator_ = 1;
  std::vector<std::size_t> basic_;    ///< the variable of each row; slacks come after the columns
  std::vector<std::size_t> outside_;  ///< the variable of each column
  std::vector<std::size_t> filled_;   ///< columns of the pivot's row that are not 0
  std::uint64_t state_ = 1;
};

}  // namespace

std::optional<std::vector<std::int64_t>> find_in(const LinearCone& cone, std::uint64_t& work) {
  ConeTableau tableau(cone);
  for (; work >= tableau.entries(); work -= tableau.entries()) {
    const auto column = tableau.entering();
    if (!column) return tableau.weights();
    const auto row = tableau.leaving(*column);
    if (!row || !tableau.exchange(*row, *column)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::coverability
