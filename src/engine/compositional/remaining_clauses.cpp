#include "engine/compositional/remaining_clauses.hpp"

/// Spacer inlines predicates that do not depend on themselves, and gives them formulas with
/// quantifiers, which cannot be read back. The others have formulas without. With these in place,
/// the clauses about the first are without recursion, which is a small question compared with the
/// one that was solved.

namespace heddle::engine::compositional {

using term::HornAtom;
using term::HornClause;
using term::Term;

RemainingClauses remaining_clauses(const term::HornSystem& system,
                                   const term::HornSolution& solution,
                                   const std::vector<bool>& is_known) {
  RemainingClauses out;
  std::vector<term::HornPredicate> numbers(system.predicates.size());
  for (std::size_t i = 0; i < system.predicates.size(); ++i) {
    if (is_known[i]) continue;
    numbers[i] = out.system.add(system.predicates[i].name, system.predicates[i].parameters);
    out.original.push_back(i);
  }
  for (const HornClause& clause : system.clauses) {
    HornClause made{{}, clause.constraint, {}, clause.name};
    std::vector<Term> parts = {clause.constraint};
    for (const HornAtom& atom : clause.body) {
      if (is_known[atom.predicate.index()])
        parts.push_back(term::instance(system, solution, atom));
      else
        made.body.push_back({numbers[atom.predicate.index()], atom.arguments});
    }
    if (clause.head && is_known[clause.head->predicate.index()])
      parts.push_back(term::negation(term::instance(system, solution, *clause.head)));
    else if (clause.head)
      made.head = HornAtom{numbers[clause.head->predicate.index()], clause.head->arguments};
    if (made.body.empty() && !made.head) continue;
    made.constraint = term::conjunction(std::move(parts));
    out.system.clauses.push_back(std::move(made));
  }
  return out;
}

}  // namespace heddle::engine::compositional
