#include "coverability/linear_program.hpp"

/// The simplex algorithm on a tableau of integers. The column with the best rate enters; after an
/// exchange that gained nothing the first one that could gain does, and ties among rows go to the
/// variable with the least number, so that no sequence of exchanges repeats for ever (Bland, 1977).
///
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

/// A product of two entries.
__extension__ using EntryProduct = __int128;

/// A tableau of the simplex algorithm with integers over one common denominator. The first row is
/// the objective. Behind the columns of variables there is one of limits.
class IntegerTableau {
 public:
  using Row = std::vector<std::int64_t>;

  /// Rows have an entry for each column, then their limit.
  IntegerTableau(std::size_t columns, std::vector<Row> rows);

  std::size_t columns() const { return outside_.size(); }
  const std::vector<Row>& rows() const { return rows_; }
  std::int64_t denominator() const { return denominator_; }
  /// The variable of a row, and that of a column; slacks come after the columns.
  std::size_t basic(std::size_t row) const { return basic_[row]; }
  std::size_t outside(std::size_t column) const { return outside_[column]; }

  /// Makes the variable of the column the row's, and the other way round. Precondition: the entry
  /// is more than 0. False if an entry does not fit any more; the tableau is then of no further
  /// use.
  bool exchange(std::size_t row, std::size_t column);

 private:
  bool eliminate(Row& from, const Row& by, std::size_t column) const;
  bool scale(Row& from, const Row& by, std::size_t column) const;

  std::vector<Row> rows_;
  std::int64_t denominator_ = 1;
  std::vector<std::size_t> basic_;    ///< by row
  std::vector<std::size_t> outside_;  ///< by column
  std::vector<std::size_t> filled_;   ///< columns of the pivot's row that are not 0
};

bool fits(EntryProduct entry) { return entry <= INT64_MAX && entry >= -INT64_MAX; }

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

IntegerTableau tableau_of(const LinearProgram& program) {
  std::vector<IntegerTableau::Row> rows(1);
  for (const std::int64_t rate : program.objective) rows[0].push_back(-rate);
  rows[0].push_back(0);
  for (const LinearProgram::Row& row : program.rows)
    rows.emplace_back(row.coefficients).push_back(row.limit);
  return {program.objective.size(), std::move(rows)};
}

/// The column that enters; nothing if no exchange can gain.
std::optional<std::size_t> entering(const IntegerTableau& tableau, bool gained) {
  const IntegerTableau::Row& rates = tableau.rows()[0];
  std::optional<std::size_t> best;
  for (std::size_t j = 0; j < tableau.columns(); ++j) {
    if (rates[j] >= 0) continue;
    const bool better =
        !best || (gained ? rates[j] < rates[*best] : tableau.outside(j) < tableau.outside(*best));
    if (better) best = j;
  }
  return best;
}

/// The row that limits the growth of a column first; nothing if none does.
std::optional<std::size_t> leaving(const IntegerTableau& tableau, std::size_t column) {
  const auto& rows = tableau.rows();
  const std::size_t limit = tableau.columns();
  std::optional<std::size_t> best;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][column] <= 0) continue;
    if (!best) {
      best = i;
      continue;
    }
    const EntryProduct here = EntryProduct{rows[i][limit]} * rows[*best][column];
    const EntryProduct there = EntryProduct{rows[*best][limit]} * rows[i][column];
    if (here < there || (here == there && tableau.basic(i) < tableau.basic(*best))) best = i;
  }
  return best;
}

LinearSolution solution_of(const IntegerTableau& tableau) {
  const std::size_t columns = tableau.columns();
  LinearSolution out{std::vector<std::int64_t>(columns, 0), tableau.denominator()};
  for (std::size_t i = 1; i < tableau.rows().size(); ++i)
    if (tableau.basic(i) < columns) out.numerators[tableau.basic(i)] = tableau.rows()[i][columns];
  return out;
}

}  // namespace

std::optional<LinearSolution> maximize(const LinearProgram& program, std::size_t pivots) {
  IntegerTableau tableau = tableau_of(program);
  for (bool gained = true; pivots > 0; --pivots) {
    const auto column = entering(tableau, gained);
    if (!column) return solution_of(tableau);
    const auto row = leaving(tableau, *column);
    if (!row) return std::nullopt;
    gained = tableau.rows()[*row][tableau.columns()] > 0;
    if (!tableau.exchange(*row, *column)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::coverability
