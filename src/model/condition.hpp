#pragma once

/// Boolean combinations of linear inequalities over counters: what a target may ask beyond bounds
/// of single counters. There is no negation, because over integers the negation of an inequality is
/// an inequality.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/integer.hpp"
#include "model/counts.hpp"

namespace heddle::model {

struct Condition {
  enum class Kind {
    All,      ///< of the parts; none: true
    Any,      ///< of the parts; none: false
    AtLeast,  ///< Σ weight·counter ≥ least
  };

  Kind kind = Kind::All;
  std::vector<Condition> parts;      ///< of All and Any
  std::vector<WeightedPlace> terms;  ///< of AtLeast: sorted by counter, one each, no weight 0
  base::Integer least = 0;           ///< of AtLeast

  static Condition all(std::vector<Condition> parts);
  static Condition any(std::vector<Condition> parts);
  static Condition at_least(std::vector<WeightedPlace> terms, base::Integer least);

  bool is_true() const { return kind == Kind::All && parts.empty(); }
  bool is_false() const { return kind == Kind::Any && parts.empty(); }

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// Some order, for sets of questions.
bool precedes(const Condition& a, const Condition& b);

bool holds(const Condition& condition, const Counts& counts);

/// How a notation spells formulas; its sums and comparisons are `2 * p + q >= 3`.
struct ConditionWords {
  std::function<std::string(Counter)> name;
  std::string_view conjunction;  ///< with the blanks around it
  std::string_view disjunction;
  std::string_view truth;
  std::string_view falsity;
};

/// Brackets stand around everything but a single inequality.
std::string to_text(const Condition& condition, const ConditionWords& words);

/// Visits the inequalities in the order of the text. Precondition: `visit` takes a Condition.
template <class Visit>
void for_each_inequality(const Condition& condition, const Visit& visit) {
  if (condition.kind == Condition::Kind::AtLeast) return visit(condition);
  for (const Condition& part : condition.parts) for_each_inequality(part, visit);
}

}  // namespace heddle::model
