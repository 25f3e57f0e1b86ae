#include "term/print.hpp"

#include <unordered_set>

namespace heddle::term {

namespace {

std::string_view symbol(Operator op) {
  switch (op) {
    case Operator::Not: return "not";
    case Operator::And: return "and";
    case Operator::Or: return "or";
    case Operator::Implies: return "=>";
    case Operator::Equal: return "=";
    case Operator::AtMost: return "<=";
    case Operator::Sum: return "+";
    case Operator::Product: return "*";
    case Operator::Choice: return "ite";
    case Operator::Quotient: return "div";
    case Operator::Remainder: return "mod";
    case Operator::Boolean:
    case Operator::Integer:
    case Operator::Variable: break;
  }
  return "";
}

std::string numeral(const base::Integer& value) {
  if (value >= 0) return base::to_string(value);
  return "(- " + base::to_string(-value) + ")";
}

void print(const Term& term, std::string& out) {
  switch (term.op()) {
    case Operator::Boolean: out += term.boolean() ? "true" : "false"; return;
    case Operator::Integer: out += numeral(term.integer()); return;
    case Operator::Variable: out += term.name(); return;
    default: break;
  }
  out += "(";
  out += symbol(term.op());
  for (const Term& argument : term.arguments()) {
    out += " ";
    print(argument, out);
  }
  out += ")";
}

/// Looks at every node once, however often it is shared.
class VariableCollector {
 public:
  void visit(const Term& term) {
    if (!seen_.insert(term.identity()).second) return;
    if (term.op() == Operator::Variable && names_.insert(term.name()).second) found.push_back(term);
    for (const Term& argument : term.arguments()) visit(argument);
  }

  std::vector<Term> found;

 private:
  std::unordered_set<const void*> seen_;
  std::unordered_set<std::string> names_;
};

}  // namespace

std::string to_smtlib(const Term& term) {
  std::string out;
  print(term, out);
  return out;
}

std::vector<Term> variables(const std::vector<Term>& terms) {
  VariableCollector collector;
  for (const Term& term : terms) collector.visit(term);
  return std::move(collector.found);
}

std::string to_smtlib_script(const std::vector<Term>& assertions) {
  std::string out = "(set-logic QF_LIA)\n";
  for (const Term& v : variables(assertions))
    out += "(declare-const " + v.name() + (v.sort() == Sort::Boolean ? " Bool)\n" : " Int)\n");
  for (const Term& assertion : assertions) out += "(assert " + to_smtlib(assertion) + ")\n";
  return out + "(check-sat)\n";
}

}  // namespace heddle::term
