#include "model/c/varying_words.hpp"

#include <bit>

#include "model/c/arithmetic.hpp"

/// Arithmetic on words that are affine in the number t of the round, modulo 2^width: sums,
/// differences, and products with known words are affine again. Two such words differ by c + d·t.
/// If d is 0, they are equal always or never. Otherwise c + d·t = 0 has a solution modulo 2^width
/// only if the lowest bit of d is not above that of c. So x != y is known while both grow by 1, and
/// 2 * x == y while x grows by 3 and y by 6. Everything else is left to open bits.
///
/// t stands for any word, so that nothing depends on how many rounds there have been.

namespace heddle::model::c {

Variation with_slope(std::uint64_t slope, unsigned width) {
  slope = low_bits(slope, width);
  if (slope == 0) return {};
  return {low_bits(~std::uint64_t{0} << std::countr_zero(slope), width), slope};
}

std::optional<bool> are_equal(const VaryingWord& a, const VaryingWord& b, unsigned width) {
  const auto cut = [&](const VaryingWord& w) {
    return OpenWord{low_bits(w.word, width), low_bits(w.varies.open, width)};
  };
  if (const auto known = are_equal(cut(a), cut(b))) return known;
  if (!a.varies.slope || !b.varies.slope) return std::nullopt;
  const std::uint64_t distance = low_bits(a.word - b.word, width);
  const std::uint64_t change = low_bits(*a.varies.slope - *b.varies.slope, width);
  if (change == 0) return distance == 0;
  if (distance != 0 && std::countr_zero(change) > std::countr_zero(distance)) return false;
  return std::nullopt;
}

namespace {

std::optional<std::uint64_t> slope_of(const Compute& what, const VaryingWord& a,
                                      const VaryingWord& b, const VaryingWord& c) {
  const auto &p = a.varies.slope, &q = b.varies.slope;
  switch (what.op) {
    case Operator::Copy:
    case Operator::Truncate: return p;
    case Operator::Add: return p && q ? std::optional(*p + *q) : std::nullopt;
    case Operator::Sub: return p && q ? std::optional(*p - *q) : std::nullopt;
    case Operator::Mul:
      if (a.is_known() && q) return a.word * *q;
      return b.is_known() && p ? std::optional(b.word * *p) : std::nullopt;
    case Operator::Shl:
      return b.is_known() && p && b.word < what.width ? std::optional(*p << b.word) : std::nullopt;
    case Operator::Eq:
    case Operator::Ne:
      return are_equal(a, b, what.width) ? std::optional(std::uint64_t{0}) : std::nullopt;
    case Operator::Select:
      if ((a.varies.open & 1) != 0) return std::nullopt;
      return (a.word & 1) != 0 ? q : c.varies.slope;
    default: return std::nullopt;
  }
}

/// Both are true: the word is affine, and agrees with one outside of the open bits.
Variation both(std::uint64_t open, std::optional<std::uint64_t> slope, unsigned width) {
  if (open == 0) return {};
  if (!slope) return {open, std::nullopt};
  Variation out = with_slope(*slope, width);
  out.open &= open;
  return out.open == 0 ? Variation{} : out;
}

}  // namespace

std::optional<Variation> varying_result(const Compute& what, const VaryingWord& a,
                                        const VaryingWord& b, const VaryingWord& c) {
  const auto open = open_result(what, a.open(), b.open(), c.open());
  if (!open) return std::nullopt;
  return both(low_bits(*open, what.to_width), slope_of(what, a, b, c), what.to_width);
}

Variation varying_result(ReadModifyWrite::Operation operation, unsigned width,
                         const VaryingWord& old, const VaryingWord& value) {
  using Operation = ReadModifyWrite::Operation;
  const std::uint64_t open = open_result(operation, width, old.open(), value.open());
  const auto &p = old.varies.slope, &q = value.varies.slope;
  std::optional<std::uint64_t> slope;
  if (operation == Operation::Exchange) slope = q;
  if (operation == Operation::Add && p && q) slope = *p + *q;
  if (operation == Operation::Sub && p && q) slope = *p - *q;
  return both(low_bits(open, width), slope, width);
}

}  // namespace heddle::model::c
