#include "coverability/integer_tableau.hpp"

/// The basic variables are written in terms of the others, d·x_i = b_i − Σ a_ij·x_j (Edmonds,
/// 1967). To exchange the basic variable of row r for the one of column c, with p = a_rc > 0,
/// replace
///     a_ij by (a_ij·p − a_ic·a_rj) / d,   a_ic by −a_ic,   a_rc by d   and   d by p.
/// The divisions leave no remainder: all entries are determinants of parts of the first tableau.
/// So entries stay small where the first tableau's are, and a value beyond 64 bits ends the
/// attempt. Where p = d, only columns change in which the row r is not 0.

#include <utility>

namespace heddle::coverability {

namespace {

bool fits(EntryProduct entry) { return entry <= INT64_MAX && entry >= -INT64_MAX; }

}  // namespace

IntegerTableau::IntegerTableau(std::size_t columns, std::vector<Row> rows)
    : rows_(std::move(rows)) {
  for (std::size_t j = 0; j < columns; ++j) outside_.push_back(j);
  for (std::size_t i = 0; i < rows_.size(); ++i) basic_.push_back(columns + i);
}

bool IntegerTableau::exchange(std::size_t row, std::size_t column) {
  filled_.clear();
  for (std::size_t j = 0; j < rows_[row].size(); ++j)
    if (j != column && rows_[row][j] != 0) filled_.push_back(j);
  const std::int64_t pivot = rows_[row][column];
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (i != row && !eliminate(rows_[i], rows_[row], column)) return false;
  rows_[row][column] = denominator_;
  denominator_ = pivot;
  std::swap(basic_[row], outside_[column]);
  return true;
}

bool IntegerTableau::eliminate(Row& from, const Row& by, std::size_t column) const {
  if (by[column] != denominator_) return scale(from, by, column);
  const std::int64_t factor = from[column];
  if (factor == 0) return true;
  for (const std::size_t j : filled_) {
    const EntryProduct entry = from[j] - EntryProduct{factor} * by[j] / denominator_;
    if (!fits(entry)) return false;
    from[j] = static_cast<std::int64_t>(entry);
  }
  from[column] = -factor;
  return true;
}

bool IntegerTableau::scale(Row& from, const Row& by, std::size_t column) const {
  const std::int64_t pivot = by[column];
  const std::int64_t factor = from[column];
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (j == column || (from[j] == 0 && (factor == 0 || by[j] == 0))) continue;
    const EntryProduct entry =
        (EntryProduct{from[j]} * pivot - EntryProduct{factor} * by[j]) / denominator_;
    if (!fits(entry)) return false;
    from[j] = static_cast<std::int64_t>(entry);
  }
  from[column] = -factor;
  return true;
}

}  // namespace heddle::coverability
