#include "model/threads/formula_text.hpp"

#include <unordered_map>

namespace heddle::model::threads {

using term::Operator;
using term::Term;

namespace {

/// How tightly operators bind, as in C.
enum Precedence { kChoice = 1, kOr, kAnd, kEqual, kCompare, kSum, kProduct, kNot, kAtom };

class FormulaText {
 public:
  explicit FormulaText(const ThreadProgram& program) {
    for (const Variable& v : program.variables) names_.emplace(v.term.name(), v.name);
  }

  std::string text(const Term& term, int around = 0) const {
    int own = kAtom;
    const std::string out = bare(term, own);
    return own < around ? "(" + out + ")" : out;
  }

 private:
  std::string joined(const Term& term, const char* between, int precedence) const {
    std::string out;
    for (const Term& argument : term.arguments())
      out += (out.empty() ? "" : between) + text(argument, precedence + 1);
    return out;
  }

  std::string bare(const Term& term, int& own) const {
    const auto& a = term.arguments();
    switch (term.op()) {
      case Operator::Boolean: return term.boolean() ? "true" : "false";
      case Operator::Integer: return base::to_string(term.integer());
      case Operator::Variable: {
        const auto known = names_.find(term.name());
        return known == names_.end() ? term.name() : known->second;
      }
      case Operator::Not: return negated(a[0], own);
      case Operator::And: own = kAnd; return joined(term, " && ", own);
      case Operator::Or: own = kOr; return joined(term, " || ", own);
      case Operator::Implies:
        own = kOr;
        return text(term::negation(a[0]), kOr + 1) + " || " + text(a[1], kOr + 1);
      case Operator::Equal: own = kEqual; return joined(term, " == ", own);
      case Operator::AtMost: own = kCompare; return joined(term, " <= ", own);
      case Operator::Sum: own = kSum; return joined(term, " + ", own);
      case Operator::Product: own = kProduct; return joined(term, " * ", own);
      case Operator::Quotient: own = kProduct; return joined(term, " / ", own);
      case Operator::Remainder: own = kProduct; return joined(term, " % ", own);
      case Operator::Choice: break;
    }
    own = kChoice;
    return text(a[0], kChoice + 1) + " ? " + text(a[1], kChoice) + " : " + text(a[2], kChoice);
  }

  std::string negated(const Term& term, int& own) const {
    const auto& a = term.arguments();
    if (term.op() == Operator::AtMost) {
      own = kCompare;
      return text(a[0], kCompare + 1) + " > " + text(a[1], kCompare + 1);
    }
    if (term.op() == Operator::Equal) {
      own = kEqual;
      return text(a[0], kEqual + 1) + " != " + text(a[1], kEqual + 1);
    }
    own = kNot;
    return "!" + text(term, kNot + 1);
  }

  std::unordered_map<std::string, std::string> names_;
};

}  // namespace

std::string to_c_text(const ThreadProgram& program, const Term& formula) {
  return FormulaText(program).text(formula);
}

}  // namespace heddle::model::threads
