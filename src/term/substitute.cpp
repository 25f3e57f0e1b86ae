#include "term/substitute.hpp"

namespace heddle::term {

namespace {

class Substituter {
 public:
  explicit Substituter(const Substitution& substitution) : substitution_(substitution) {}

  Term replace(const Term& term) {
    if (term.op() == Operator::Boolean || term.op() == Operator::Integer) return term;
    if (term.op() == Operator::Variable) {
      const auto found = substitution_.find(term.name());
      return found == substitution_.end() ? term : found->second;
    }
    const auto known = done_.find(term.identity());
    if (known != done_.end()) return known->second;
    Term result = rebuild(term);
    done_.emplace(term.identity(), result);
    return result;
  }

 private:
  Term rebuild(const Term& term) {
    std::vector<Term> a;
    bool changed = false;
    for (const Term& argument : term.arguments()) {
      a.push_back(replace(argument));
      changed |= a.back().identity() != argument.identity();
    }
    if (!changed) return term;
    switch (term.op()) {
      case Operator::Not: return negation(a[0]);
      case Operator::And: return conjunction(std::move(a));
      case Operator::Or: return disjunction(std::move(a));
      case Operator::Implies: return implication(a[0], a[1]);
      case Operator::Equal: return equal(a[0], a[1]);
      case Operator::AtMost: return at_most(a[0], a[1]);
      case Operator::Sum: return sum(std::move(a));
      case Operator::Product: return product(a[0].integer(), a[1]);
      case Operator::Quotient: return quotient(a[0], a[1].integer());
      case Operator::Remainder: return remainder(a[0], a[1].integer());
      default: return choice(a[0], a[1], a[2]);
    }
  }

  const Substitution& substitution_;
  std::unordered_map<const void*, Term> done_;
};

}  // namespace

Term substitute(const Term& term, const Substitution& substitution) {
  return substitution.empty() ? term : Substituter(substitution).replace(term);
}

}  // namespace heddle::term
