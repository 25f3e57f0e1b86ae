#pragma once

/// Demands along a path through loops: how many threads are asked for is a function of how often
/// the loops are run. Since every update is n ↦ max(n + …, …) with linear arguments (summary.hpp),
/// every count is a maximum of forms that are linear in the loops' unknowns. "At most u threads" is
/// then a conjunction of linear inequalities, without any case distinction.

#include <cstdint>
#include <utility>
#include <vector>

#include "base/integer.hpp"

namespace heddle::engine::concolic {

/// An unknown of a loop, a number ≥ 0: how many rounds (κ), and whether there is one (θ).
using Unknown = std::uint32_t;
inline Unknown rounds_of(std::uint32_t component) { return 2 * component; }
inline Unknown entered_of(std::uint32_t component) { return 2 * component + 1; }

/// Which loop's unknowns stand for those of which other loop; those of a loop that is not listed
/// are 0. Sorted by the first of each pair; no two loops stand for the same one.
using Renaming = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// constant + Σ factor·unknown. Factors are not 0, sorted by unknown.
struct Affine {
  base::Integer constant;
  std::vector<std::pair<Unknown, std::int64_t>> terms;

  void add(Unknown unknown, std::int64_t factor);

  /// Every factor and the constant at most the other's: ≤ whatever the unknowns are. Linear.
  bool below(const Affine& other) const;
  /// The same after a renaming of this one's unknowns.
  bool below(const Affine& other, const Renaming& renaming) const;
  /// Nothing in it is positive: at most 0 whatever the unknowns are.
  bool never_positive() const;
  bool never_positive(const Renaming& renaming) const;
  /// Nothing in it is negative and the constant is above the limit: never at most that.
  bool always_above(const base::Integer& limit) const;

  friend bool operator==(const Affine&, const Affine&) = default;
};

/// max(0, f, g, …): a count. No form lies below another one, none is never positive.
class Maximum {
 public:
  const std::vector<Affine>& forms() const { return forms_; }
  bool is_zero() const { return forms_.empty(); }
  /// Is one of the forms above the limit whatever the unknowns are?
  bool always_above(const base::Integer& limit) const;

  /// The maximum of this and one more form.
  void raise(Affine form);
  /// n ↦ max(n + shift, floor).
  void shift(std::int64_t amount, std::int64_t floor);
  /// The rounds of a loop (summary.hpp) with the unknowns of that component.
  void repeat(std::int64_t shift, std::int64_t floor, std::uint32_t component);

  /// Every form below one of the other's: ≤ whatever the unknowns are.
  bool below(const Maximum& other) const;
  /// The same after a renaming of this one's unknowns.
  bool below(const Maximum& other, const Renaming& renaming) const;

  friend bool operator==(const Maximum&, const Maximum&) = default;

 private:
  bool covers(const Affine& form) const;
  bool covers(const Affine& form, const Renaming& renaming) const;

  std::vector<Affine> forms_;
};

}  // namespace heddle::engine::concolic
