#include "coverability/linear_program.hpp"

/// The simplex algorithm on a tableau of integers (integer_tableau.cpp). The column with the best
/// rate enters; after an exchange that gained nothing the first one that could gain does, and ties
/// among rows go to the variable with the least number, so that no sequence of exchanges repeats
/// for ever (Bland, 1977).

#include "coverability/integer_tableau.hpp"

namespace heddle::coverability {

namespace {

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
