#include "term/term.hpp"

#include <algorithm>

#include "base/invariant.hpp"

namespace heddle::term {

using base::Integer;

Term constant(bool value) { return Term({Operator::Boolean, Sort::Boolean, {}, {}, value}); }

Term constant(const Integer& value) {
  return Term({Operator::Integer, Sort::Integer, {}, {}, value});
}

Term variable(std::string name, Sort sort) {
  return Term({Operator::Variable, sort, {}, std::move(name), 0});
}

Term apply(Operator op, Sort sort, std::vector<Term> arguments) {
  return Term({op, sort, std::move(arguments), {}, 0});
}

namespace {

void expect_sort(const Term& term, Sort sort) {
  HEDDLE_INVARIANT(term.sort() == sort, "an operator should get arguments of its sort");
}

bool is_boolean(const Term& term, bool value) {
  return term.op() == Operator::Boolean && term.boolean() == value;
}

/// A conjunction (neutral element true) or disjunction (false).
Term junction(Operator op, bool neutral, std::vector<Term> terms) {
  std::vector<Term> kept;
  for (Term& term : terms) {
    expect_sort(term, Sort::Boolean);
    if (is_boolean(term, !neutral)) return constant(!neutral);
    if (!is_boolean(term, neutral)) kept.push_back(std::move(term));
  }
  if (kept.empty()) return constant(neutral);
  return kept.size() == 1 ? kept.front() : apply(op, Sort::Boolean, std::move(kept));
}

/// Whether the term chooses between two integer constants.
bool is_choice_of_constants(const Term& term) {
  return term.op() == Operator::Choice && term.arguments()[1].op() == Operator::Integer &&
         term.arguments()[2].op() == Operator::Integer;
}

/// `compare` of both constants of a choice, as a condition on what decides the choice.
template <class Compare>
Term decide(const Term& choice, Compare compare) {
  const auto& a = choice.arguments();
  const bool then = compare(a[1].integer());
  const bool otherwise = compare(a[2].integer());
  if (then == otherwise) return constant(then);
  return then ? a[0] : negation(a[0]);
}

bool both_integers(const Term& a, const Term& b) {
  return a.op() == Operator::Integer && b.op() == Operator::Integer;
}

}  // namespace

Term negation(const Term& a) {
  expect_sort(a, Sort::Boolean);
  if (a.op() == Operator::Boolean) return constant(!a.boolean());
  if (a.op() == Operator::Not) return a.arguments().front();
  return apply(Operator::Not, Sort::Boolean, {a});
}

Term conjunction(std::vector<Term> terms) {
  return junction(Operator::And, true, std::move(terms));
}
Term disjunction(std::vector<Term> terms) {
  return junction(Operator::Or, false, std::move(terms));
}

Term implication(const Term& a, const Term& b) {
  expect_sort(a, Sort::Boolean);
  expect_sort(b, Sort::Boolean);
  if (is_boolean(a, true)) return b;
  if (is_boolean(a, false) || is_boolean(b, true)) return constant(true);
  return apply(Operator::Implies, Sort::Boolean, {a, b});
}

Term equal(const Term& a, const Term& b) {
  expect_sort(b, a.sort());
  if (both_integers(a, b)) return constant(a.integer() == b.integer());
  if (a.identity() == b.identity()) return constant(true);
  if (is_choice_of_constants(a) && b.op() == Operator::Integer)
    return decide(a, [&](const Integer& value) { return value == b.integer(); });
  if (is_choice_of_constants(b) && a.op() == Operator::Integer) return equal(b, a);
  if (a.op() == Operator::Boolean) return a.boolean() ? b : negation(b);
  if (b.op() == Operator::Boolean) return b.boolean() ? a : negation(a);
  return apply(Operator::Equal, Sort::Boolean, {a, b});
}

Term at_most(const Term& a, const Term& b) {
  expect_sort(a, Sort::Integer);
  expect_sort(b, Sort::Integer);
  if (both_integers(a, b)) return constant(a.integer() <= b.integer());
  if (is_choice_of_constants(a) && b.op() == Operator::Integer)
    return decide(a, [&](const Integer& value) { return value <= b.integer(); });
  if (is_choice_of_constants(b) && a.op() == Operator::Integer)
    return decide(b, [&](const Integer& value) { return a.integer() <= value; });
  return apply(Operator::AtMost, Sort::Boolean, {a, b});
}

Term at_least(const Term& a, const Term& b) { return at_most(b, a); }

Term sum(std::vector<Term> terms) {
  Integer known = 0;
  std::vector<Term> kept;
  const auto take = [&](const Term& term) {
    if (term.op() == Operator::Integer)
      known += term.integer();
    else
      kept.push_back(term);
  };
  for (const Term& term : terms) {
    expect_sort(term, Sort::Integer);
    if (term.op() == Operator::Sum)
      std::ranges::for_each(term.arguments(), take);
    else
      take(term);
  }
  if (kept.empty()) return constant(known);
  if (known != 0) kept.push_back(constant(known));
  return kept.size() == 1 ? kept.front() : apply(Operator::Sum, Sort::Integer, std::move(kept));
}

Term product(const Integer& factor, const Term& a) {
  expect_sort(a, Sort::Integer);
  if (factor == 0) return constant(Integer(0));
  if (factor == 1) return a;
  if (a.op() == Operator::Integer) return constant(Integer(factor * a.integer()));
  return apply(Operator::Product, Sort::Integer, {constant(factor), a});
}

Term choice(const Term& condition, const Term& then, const Term& otherwise) {
  expect_sort(condition, Sort::Boolean);
  expect_sort(otherwise, then.sort());
  if (condition.op() == Operator::Boolean) return condition.boolean() ? then : otherwise;
  return apply(Operator::Choice, then.sort(), {condition, then, otherwise});
}

Term quotient(const Term& a, const Integer& divisor) {
  expect_sort(a, Sort::Integer);
  HEDDLE_INVARIANT(divisor > 0, "a divisor should be positive");
  if (divisor == 1) return a;
  if (a.op() == Operator::Integer) {
    Integer result;
    mpz_fdiv_q(result.get_mpz_t(), a.integer().get_mpz_t(), divisor.get_mpz_t());
    return constant(result);
  }
  return apply(Operator::Quotient, Sort::Integer, {a, constant(divisor)});
}

Term remainder(const Term& a, const Integer& divisor) {
  expect_sort(a, Sort::Integer);
  HEDDLE_INVARIANT(divisor > 0, "a divisor should be positive");
  if (divisor == 1) return constant(Integer(0));
  if (a.op() == Operator::Integer) {
    Integer result;
    mpz_fdiv_r(result.get_mpz_t(), a.integer().get_mpz_t(), divisor.get_mpz_t());
    return constant(result);
  }
  return apply(Operator::Remainder, Sort::Integer, {a, constant(divisor)});
}

Term maximum(const Term& a, const Term& b) { return choice(at_least(a, b), a, b); }

}  // namespace heddle::term
