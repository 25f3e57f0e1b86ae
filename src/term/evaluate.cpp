#include "term/evaluate.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::term {

using base::Integer;

namespace {

Integer value(const Term& term, const Assignment& assignment);

bool truth(const Term& term, const Assignment& assignment) { return value(term, assignment) != 0; }

Integer value(const Term& term, const Assignment& assignment) {
  const auto& a = term.arguments();
  const auto at = [&](std::size_t i) { return value(a[i], assignment); };
  const auto is_true = [&](const Term& t) { return truth(t, assignment); };
  switch (term.op()) {
    case Operator::Boolean: return term.boolean();
    case Operator::Integer: return term.integer();
    case Operator::Variable: return assignment(term);
    case Operator::Not: return !is_true(a[0]);
    case Operator::And: return std::ranges::all_of(a, is_true);
    case Operator::Or: return std::ranges::any_of(a, is_true);
    case Operator::Implies: return !is_true(a[0]) || is_true(a[1]);
    case Operator::Equal: return at(0) == at(1);
    case Operator::AtMost: return at(0) <= at(1);
    case Operator::Product: return at(0) * at(1);
    case Operator::Choice: return is_true(a[0]) ? at(1) : at(2);
    case Operator::Quotient: return evaluate(quotient(constant(at(0)), a[1].integer()), assignment);
    case Operator::Remainder:
      return evaluate(remainder(constant(at(0)), a[1].integer()), assignment);
    case Operator::Sum: break;
  }
  Integer total = 0;
  for (const Term& argument : a) total += value(argument, assignment);
  return total;
}

}  // namespace

Integer evaluate(const Term& term, const Assignment& assignment) {
  HEDDLE_INVARIANT(term.sort() == Sort::Integer, "an evaluated term should be an integer");
  return value(term, assignment);
}

bool holds(const Term& term, const Assignment& assignment) {
  HEDDLE_INVARIANT(term.sort() == Sort::Boolean, "a formula should be Boolean");
  return truth(term, assignment);
}

}  // namespace heddle::term
