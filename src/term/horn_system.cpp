#include "term/horn_system.hpp"

#include "base/invariant.hpp"
#include "term/print.hpp"
#include "term/substitute.hpp"

namespace heddle::term {

namespace {

std::string sort_name(const Term& variable) {
  return variable.sort() == Sort::Boolean ? "Bool" : "Int";
}

std::string declare(const HornSystem::Predicate& predicate) {
  std::string sorts;
  for (const Term& parameter : predicate.parameters)
    sorts += (sorts.empty() ? "" : " ") + sort_name(parameter);
  return "(declare-fun " + predicate.name + " (" + sorts + ") Bool)\n";
}

std::string print(const HornSystem& system, const HornAtom& atom) {
  const std::string& name = system.predicates[atom.predicate.index()].name;
  if (atom.arguments.empty()) return name;
  std::string out = "(" + name;
  for (const Term& argument : atom.arguments) out += " " + to_smtlib(argument);
  return out + ")";
}

std::string print(const HornSystem& system, const HornClause& clause) {
  std::vector<Term> terms = {clause.constraint};
  std::string body = "(and";
  for (const HornAtom& atom : clause.body) {
    terms.insert(terms.end(), atom.arguments.begin(), atom.arguments.end());
    body += " " + print(system, atom);
  }
  body += " " + to_smtlib(clause.constraint) + ")";
  std::string head = "false";
  if (clause.head) {
    terms.insert(terms.end(), clause.head->arguments.begin(), clause.head->arguments.end());
    head = print(system, *clause.head);
  }
  std::string bound;
  for (const Term& v : variables(terms))
    bound += (bound.empty() ? "(" : " (") + v.name() + " " + sort_name(v) + ")";
  const std::string formula = "(=> " + body + " " + head + ")";
  const std::string comment = clause.name.empty() ? "" : "; " + clause.name + "\n";
  if (bound.empty()) return comment + "(assert " + formula + ")\n";
  return comment + "(assert (forall (" + bound + ") " + formula + "))\n";
}

}  // namespace

HornPredicate HornSystem::add(std::string name, std::vector<Term> parameters) {
  predicates.push_back({std::move(name), std::move(parameters)});
  return HornPredicate(predicates.size() - 1);
}

std::string to_smtlib(const HornSystem& system) {
  std::string out = "(set-logic HORN)\n";
  for (const auto& predicate : system.predicates) out += declare(predicate);
  for (const HornClause& clause : system.clauses) out += print(system, clause);
  return out + "(check-sat)\n";
}

Term instance(const HornSystem& system, const HornSolution& solution, const HornAtom& atom) {
  const auto& parameters = system.predicates[atom.predicate.index()].parameters;
  HEDDLE_INVARIANT(parameters.size() == atom.arguments.size(),
                   "an atom should have one argument for each parameter");
  Substitution substitution;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    substitution.emplace(parameters[i].name(), atom.arguments[i]);
  return substitute(solution.formulas[atom.predicate.index()], substitution);
}

Term instance(const HornSystem& system, const HornSolution& solution, const HornClause& clause) {
  std::vector<Term> body;
  for (const HornAtom& atom : clause.body) body.push_back(instance(system, solution, atom));
  body.push_back(clause.constraint);
  const Term head = clause.head ? instance(system, solution, *clause.head) : constant(false);
  return heddle::term::implication(conjunction(std::move(body)), head);
}

}  // namespace heddle::term
