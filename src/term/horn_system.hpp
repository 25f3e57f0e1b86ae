#pragma once

/// Constrained Horn clauses over integers and Booleans: unknown predicates, and implications
///
///   P1(t…) ∧ … ∧ Pn(t…) ∧ constraint  →  P(t…)   or   → false
///
/// in which every variable is universally quantified. A *solution* gives each predicate a formula
/// over its parameters that makes every clause valid.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.hpp"
#include "term/term.hpp"

namespace heddle::term {

struct HornPredicateTag;
using HornPredicate = base::Id<HornPredicateTag>;

/// A predicate applied to terms, one for each parameter and of its sort.
struct HornAtom {
  HornPredicate predicate;
  std::vector<Term> arguments;
};

struct HornClause {
  std::vector<HornAtom> body;
  Term constraint = constant(true);
  std::optional<HornAtom> head;  ///< none: false
  std::string name;              ///< what it says, for people
};

struct HornSystem {
  struct Predicate {
    std::string name;              ///< a simple SMT-LIB symbol, unlike all others
    std::vector<Term> parameters;  ///< variables with different names
  };
  std::vector<Predicate> predicates;
  std::vector<HornClause> clauses;

  HornPredicate add(std::string name, std::vector<Term> parameters);
};

/// One formula for each predicate, over its parameters.
struct HornSolution {
  std::vector<Term> formulas;
};

/// A script in logic HORN: `sat` means that there is a solution.
std::string to_smtlib(const HornSystem& system);

/// What the clause says under a solution: an implication without predicates, to be valid.
Term instance(const HornSystem& system, const HornSolution& solution, const HornClause& clause);

/// The formula of an atom under a solution.
Term instance(const HornSystem& system, const HornSolution& solution, const HornAtom& atom);

}  // namespace heddle::term
