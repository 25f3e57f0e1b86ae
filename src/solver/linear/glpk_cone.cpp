#include <glpk.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <numeric>

#include "solver/linear_cone.hpp"

/// The adapter for GLPK, a module of its own. Weights in a cone are the solution of the linear
/// program "the greatest s ≤ 1 with s ≤ gain·w and row·w ≤ 0, w ≥ 0", which GLPK solves with
/// floating-point numbers on a sparse matrix. A solution is at a corner, whose coordinates are
/// fractions of determinants, as a rule of small ones: each is taken for the fraction with the
/// least denominator beside it, and all are brought to a common one.

namespace heddle::solver {

namespace {

constexpr double kTolerance = 1e-9;
constexpr std::int64_t kLargestDenominator = 1'000'000;
/// Units of work that an iteration takes for each coefficient, row and column.
constexpr std::uint64_t kWorkPerEntry = 8;

/// Our data are well formed, so that what GLPK may complain about is memory.
[[noreturn]] void on_error(void*) { throw std::bad_alloc(); }

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using Problem = std::unique_ptr<glp_prob, DeleteProblem>;

/// Column 1 is s, column 2 + k weight k: GLPK counts from 1.
class ConeProgram {
 public:
  explicit ConeProgram(const LinearCone& cone) : problem_(glp_create_prob()) {
    glp_set_obj_dir(problem_.get(), GLP_MAX);
    glp_add_cols(problem_.get(), static_cast<int>(cone.columns) + 1);
    glp_set_col_bnds(problem_.get(), 1, GLP_DB, 0, 1);
    glp_set_obj_coef(problem_.get(), 1, 1);
    for (int k = 0; k < static_cast<int>(cone.columns); ++k)
      glp_set_col_bnds(problem_.get(), 2 + k, GLP_LO, 0, 0);
    glp_add_rows(problem_.get(), static_cast<int>(cone.rows.size() + cone.gains.size()));
    for (const LinearCone::Row& row : cone.rows) add(row, 1);
    for (const LinearCone::Row& gain : cone.gains) {
      add(gain, -1);
      add_entry(1, 1);
    }
    glp_load_matrix(problem_.get(), static_cast<int>(values_.size()) - 1, rows_.data(),
                    columns_.data(), values_.data());
  }

  /// Is there a solution with s > 0? False also if it would take more work than there is.
  bool solve(std::uint64_t& work) {
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    const auto columns = static_cast<std::uint64_t>(glp_get_num_cols(problem_.get()));
    const std::uint64_t each =
        kWorkPerEntry * (values_.size() + static_cast<std::uint64_t>(row_) + columns);
    parameters.it_lim = static_cast<int>(std::min<std::uint64_t>(work / each, INT_MAX));
    if (parameters.it_lim == 0) return false;
    const int failure = glp_simplex(problem_.get(), &parameters);
    // Reading the program in counts, too.
    work -= std::min(work, each * (1 + static_cast<std::uint64_t>(glp_get_it_cnt(problem_.get()))));
    return failure == 0 && glp_get_status(problem_.get()) == GLP_OPT &&
           glp_get_obj_val(problem_.get()) > kTolerance;
  }

  double weight(std::size_t column) const {
    return glp_get_col_prim(problem_.get(), static_cast<int>(column) + 2);
  }

 private:
  void add(const LinearCone::Row& row, double factor) {
    ++row_;
    glp_set_row_bnds(problem_.get(), row_, GLP_UP, 0, 0);
    std::map<std::uint32_t, double> sums;
    for (const auto& [column, coefficient] : row) sums[column] += static_cast<double>(coefficient);
    for (const auto& [column, sum] : sums)
      if (sum != 0) add_entry(static_cast<int>(column) + 2, factor * sum);
  }

  void add_entry(int column, double value) {
    rows_.push_back(row_);
    columns_.push_back(column);
    values_.push_back(value);
  }

  Problem problem_;
  int row_ = 0;
  // What stands at position 0 is not looked at.
  std::vector<int> rows_{0}, columns_{0};
  std::vector<double> values_{0};
};

struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

/// The first convergent of the continued fraction that is near enough.
std::optional<Fraction> fraction_near(double value) {
  if (value < kTolerance) return Fraction{};
  if (value > 1e12) return std::nullopt;
  Fraction before{1, 0};
  Fraction last{static_cast<std::int64_t>(value), 1};
  double rest = value - std::floor(value);
  const auto is_near = [&](const Fraction& f) {
    const double found = static_cast<double>(f.numerator) / static_cast<double>(f.denominator);
    return std::abs(found - value) <= kTolerance * std::max(1.0, value);
  };
  while (!is_near(last)) {
    if (rest * static_cast<double>(kLargestDenominator) < 1) return std::nullopt;
    const double inverse = 1 / rest;
    const auto part = static_cast<std::int64_t>(inverse);
    rest = inverse - std::floor(inverse);
    const Fraction next{part * last.numerator + before.numerator,
                        part * last.denominator + before.denominator};
    if (next.denominator > kLargestDenominator) return std::nullopt;
    before = std::exchange(last, next);
  }
  return last;
}

/// The same proportions in whole numbers without a common divisor; nothing if they do not fit.
std::optional<std::vector<std::int64_t>> to_integers(const std::vector<Fraction>& fractions) {
  std::int64_t common = 1;
  for (const Fraction& f : fractions)
    if (__builtin_mul_overflow(common, f.denominator / std::gcd(common, f.denominator), &common))
      return std::nullopt;
  std::vector<std::int64_t> out;
  std::int64_t divisor = 0;
  for (const Fraction& f : fractions) {
    std::int64_t& value = out.emplace_back();
    if (__builtin_mul_overflow(f.numerator, common / f.denominator, &value)) return std::nullopt;
    divisor = std::gcd(divisor, value);
  }
  if (divisor > 1)
    for (std::int64_t& value : out) value /= divisor;
  return out;
}

std::optional<std::vector<std::int64_t>> weights_in(const LinearCone& cone, std::uint64_t& work) {
  ConeProgram program(cone);
  if (!program.solve(work)) return std::nullopt;
  std::vector<Fraction> fractions;
  for (std::size_t column = 0; column < cone.columns; ++column) {
    const auto fraction = fraction_near(program.weight(column));
    if (!fraction) return std::nullopt;
    fractions.push_back(*fraction);
  }
  return to_integers(fractions);
}

}  // namespace

}  // namespace heddle::solver

/// The function behind `find_in`.
extern "C" void heddle_find_in_cone(const heddle::solver::LinearCone& cone, std::uint64_t& work,
                                    std::optional<std::vector<std::int64_t>>& found) {
  glp_error_hook(heddle::solver::on_error, nullptr);
  try {
    found = heddle::solver::weights_in(cone, work);
  } catch (const std::bad_alloc&) {
    glp_free_env();  // whatever state it is in
    throw;
  }
}
