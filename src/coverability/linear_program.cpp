#include "coverability/linear_program.hpp"

/// The simplex algorithm on a tableau of integers over one common denominator (Edmonds, 1967). The
/// basic variables are written in terms of the others, d·x_i = b_i − Σ a_ij·x_j, and the value of
/// the objective is the first such row. To exchange the basic variable of row r for the one of
/// column c, with p = a_rc > 0, replace
///     a_ij by (a_ij·p − a_ic·a_rj) / d,   a_ic by −a_ic,   a_rc by d   and   d by p.
/// The divisions leave no remainder: all entries are determinants of parts of the first tableau.
/// So entries stay small where the first tableau's are, and a value beyond 64 bits ends the
/// attempt.
///
/// The column with the best rate enters; after an exchange that gained nothing the first one that
/// could gain does, and ties among rows go to the variable with the least number, so that no
/// sequence of exchanges repeats for ever (Bland, 1977).

#include <algorithm>
#include <utility>

namespace heddle::coverability {

namespace {

__extension__ using Product = __int128;

class Tableau {
 public:
  explicit Tableau(const LinearProgram& program)
      : columns_(program.objective.size()), rows_(program.rows.size() + 1) {
    std::vector<std::int64_t> value(columns_ + 1, 0);
    for (std::size_t j = 0; j < columns_; ++j) value[j] = -program.objective[j];
    rows_[0] = std::move(value);
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      rows_[i] = program.rows[i - 1].coefficients;
      rows_[i].push_back(program.rows[i - 1].limit);
    }
    for (std::size_t j = 0; j < columns_; ++j) outside_.push_back(j);
    for (std::size_t i = 0; i < rows_.size(); ++i) basic_.push_back(columns_ + i);
  }

  /// The column that enters; nothing if no exchange can gain.
  std::optional<std::size_t> entering() const {
    std::optional<std::size_t> best;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (rows_[0][j] >= 0) continue;
      const bool better =
          !best || (gained_ ? rows_[0][j] < rows_[0][*best] : outside_[j] < outside_[*best]);
      if (better) best = j;
    }
    return best;
  }

  /// The row that limits the growth of a column first; nothing if none does.
  std::optional<std::size_t> leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i][column] <= 0) continue;
      if (!best) {
        best = i;
        continue;
      }
      const Product here = Product{rows_[i][columns_]} * rows_[*best][column];
      const Product there = Product{rows_[*best][columns_]} * rows_[i][column];
      if (here < there || (here == there && basic_[i] < basic_[*best])) best = i;
    }
    return best;
  }

  /// False if an entry does not fit any more; the tableau is then of no further use.
  bool exchange(std::size_t row, std::size_t column) {
    const std::int64_t pivot = rows_[row][column];
    gained_ = rows_[row][columns_] > 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i != row && !eliminate(rows_[i], rows_[row], column)) return false;
    rows_[row][column] = denominator_;
    denominator_ = pivot;
    std::swap(basic_[row], outside_[column]);
    return true;
  }

  LinearSolution solution() const {
    LinearSolution result{std::vector<std::int64_t>(columns_, 0), denominator_};
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (basic_[i] < columns_) result.numerators[basic_[i]] = rows_[i][columns_];
    return result;
  }

 private:
  bool eliminate(std::vector<std::int64_t>& from, const std::vector<std::int64_t>& by,
                 std::size_t column) const {
    const std::int64_t pivot = by[column];
    const std::int64_t factor = from[column];
    if (factor == 0 && pivot == denominator_) return true;
    for (std::size_t j = 0; j <= columns_; ++j) {
      if (j == column) continue;
      const Product entry = (Product{from[j]} * pivot - Product{factor} * by[j]) / denominator_;
      if (entry > INT64_MAX || entry < -INT64_MAX) return false;
      from[j] = static_cast<std::int64_t>(entry);
    }
    from[column] = -factor;
    return true;
  }

  std::size_t columns_;
  std::vector<std::vector<std::int64_t>> rows_;  ///< the objective first; b in the last column
  std::int64_t denominator_ = 1;
  std::vector<std::size_t> basic_;    ///< the variable of each row; slacks come after the columns
  std::vector<std::size_t> outside_;  ///< the variable of each column
  bool gained_ = true;
};

}  // namespace

std::optional<LinearSolution> maximize(const LinearProgram& program, std::size_t pivots) {
  Tableau tableau(program);
  for (; pivots > 0; --pivots) {
    const auto column = tableau.entering();
    if (!column) return tableau.solution();
    const auto row = tableau.leaving(*column);
    if (!row || !tableau.exchange(*row, *column)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::coverability
