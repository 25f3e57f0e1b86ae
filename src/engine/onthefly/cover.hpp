#pragma once

/// Irredundant sums of products (Minato 1993, after Morreale 1970): few large cubes whose union is
/// a given set, for any representation of sets of valuations.
///
/// `find(least, most)` finds cubes whose union is between `least` and `most`. For a variable x let
/// ₀ and ₁ be cofactors. Some valuations of least₀ are not in most₁: they must be covered by cubes
/// with the literal ¬x; likewise with x. What these leave of least₀ and least₁ can be covered by
/// cubes without x, inside most₀ ∩ most₁. Each of the three is a smaller instance. A call with
/// least ≠ ∅ gives at least one cube, so there are at most 3 · variables calls for each cube, and
/// nothing to remember.

#include <cstdint>

namespace heddle::engine::onthefly {

/// `Algebra` has a type `Function` with `is_false`, `is_true`, `&`, `|`, `-`, and
///   first(f, g)       the first variable that one of them depends on, if not both are constant
///   cofactors(f, x)   f with x = 0 and f with x = 1; f depends on no variable before x
///   choose(x, f, g)   f where x = 1, g where x = 0
/// `Literals` collects a cube: `with(x, b)` adds a literal. `Visit` is called with each cube.
template <class Algebra, class Literals, class Visit>
class Cover {
 public:
  using Function = typename Algebra::Function;

  Cover(const Algebra& algebra, const Visit& visit) : algebra_(algebra), visit_(visit) {}

  /// Visits the cubes, each with `literals` added, and returns their union.
  Function find(const Function& least, const Function& most, const Literals& literals) const {
    if (least.is_false()) return least;
    if (most.is_true()) {
      visit_(literals);
      return most;
    }
    const std::uint32_t x = algebra_.first(least, most);
    const auto [least0, least1] = algebra_.cofactors(least, x);
    const auto [most0, most1] = algebra_.cofactors(most, x);
    const Function with0 = find(least0 - most1, most0, literals.with(x, false));
    const Function with1 = find(least1 - most0, most1, literals.with(x, true));
    const Function without = find((least0 - with0) | (least1 - with1), most0 & most1, literals);
    return algebra_.choose(x, with1 | without, with0 | without);
  }

 private:
  const Algebra& algebra_;
  const Visit& visit_;
};

}  // namespace heddle::engine::onthefly
