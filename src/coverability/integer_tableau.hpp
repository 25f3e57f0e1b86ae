#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::coverability {

/// A product of two entries.
__extension__ using EntryProduct = __int128;

/// A tableau of the simplex algorithm with integers over one common denominator
/// (integer_tableau.cpp). The first row is the objective. Behind the columns of variables there are
/// limits: one column of them, or several that exchanges treat alike.
class IntegerTableau {
 public:
  using Row = std::vector<std::int64_t>;

  /// Rows have an entry for each column, then their limits.
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

}  // namespace heddle::coverability
