#include "model/boolean_program/print.hpp"

#include <string_view>

namespace heddle::model::boolean {

namespace {

/// How tightly an operator binds; operands of the same strength are put in parentheses unless they
/// stand on the left of an operator that groups to the left.
int strength(Operator op) {
  switch (op) {
    case Operator::Conditional: return 1;
    case Operator::Implies: return 2;
    case Operator::Or: return 3;
    case Operator::Xor: return 4;
    case Operator::And: return 5;
    case Operator::Equal:
    case Operator::Unequal: return 6;
    case Operator::Not: return 7;
    default: return 8;
  }
}

std::string_view symbol(Operator op) {
  switch (op) {
    case Operator::Implies: return " => ";
    case Operator::Or: return " | ";
    case Operator::Xor: return " ^ ";
    case Operator::And: return " & ";
    case Operator::Equal: return " = ";
    case Operator::Unequal: return " != ";
    default: return "";
  }
}

/// Appends to one text: an expression may have hundreds of thousands of operands.
void append(std::string& out, const Expression& expression);

void append_with_strength(std::string& out, const Expression& expression, int at_least) {
  const bool needs_parentheses = strength(expression.op) < at_least;
  if (needs_parentheses) out += '(';
  append(out, expression);
  if (needs_parentheses) out += ')';
}

void append(std::string& out, const Expression& expression) {
  const auto& operands = expression.operands;
  const int own = strength(expression.op);
  switch (expression.op) {
    case Operator::False: out += '0'; return;
    case Operator::True: out += '1'; return;
    case Operator::Choice: out += '*'; return;
    case Operator::Variable: out += expression.name; return;
    case Operator::Next: out.append("'").append(expression.name); return;
    case Operator::Not: out += '!'; return append_with_strength(out, operands[0], own);
    case Operator::Conditional:
      append_with_strength(out, operands[0], own + 1);
      out += " ? ";
      append_with_strength(out, operands[1], own + 1);
      out += " : ";
      return append_with_strength(out, operands[2], own);
    case Operator::Schoose:
      out += "schoose[";
      append(out, operands[0]);
      out += ", ";
      append(out, operands[1]);
      out += ']';
      return;
    default:
      append_with_strength(out, operands[0], own);
      out += symbol(expression.op);
      append_with_strength(out, operands[1], own + 1);
  }
}

std::string values_of(const std::vector<Expression>& expressions) {
  std::string out;
  for (const Expression& expression : expressions) {
    if (!out.empty()) out += ", ";
    append(out, expression);
  }
  return out;
}

std::string word_and_names(std::string_view word, const std::vector<std::string>& names) {
  return std::string(word) + (names.empty() ? "" : " " + list_of(names));
}

std::string assignment(const Statement& statement) {
  std::string out = list_of(statement.names) + " := " + values_of(statement.expressions);
  if (statement.constraint) out += " constrain " + to_string(*statement.constraint);
  if (statement.passive_constraint)
    out += " constrain$ " + to_string(*statement.passive_constraint);
  return out;
}

std::string call(const Statement& statement) {
  return statement.callee + "(" + values_of(statement.expressions) + ")";
}

std::string of_first(std::string_view word, const Statement& statement) {
  return std::string(word) + "(" + to_string(statement.expressions.front()) + ")";
}

}  // namespace

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string to_string(const Expression& expression) {
  std::string out;
  append(out, expression);
  return out;
}

std::string to_string(const Statement& s) {
  switch (s.kind) {
    case StatementKind::Skip: return "skip";
    case StatementKind::Goto: return word_and_names("goto", s.names);
    case StatementKind::Assign: return assignment(s);
    case StatementKind::Call: return (s.names.empty() ? "" : list_of(s.names) + " := ") + call(s);
    case StatementKind::Return:
      return s.expressions.empty() ? "return" : "return " + values_of(s.expressions);
    case StatementKind::If: return "if " + to_string(s.expressions.front());
    case StatementKind::While: return "while " + to_string(s.expressions.front());
    case StatementKind::Assume: return of_first("assume", s);
    case StatementKind::Assert: return of_first("assert", s);
    case StatementKind::AbortIf: return "abortif " + to_string(s.expressions.front());
    case StatementKind::Dead: return word_and_names("dead", s.names);
    case StatementKind::Constrain: return of_first("constrain", s);
    case StatementKind::AtomicBegin: return "atomic_begin";
    case StatementKind::AtomicEnd: return "atomic_end";
    case StatementKind::Atomic: return "atomic";
    case StatementKind::StartThread:
      return "start_thread " + (s.callee.empty() ? word_and_names("goto", s.names) : call(s));
    case StatementKind::EndThread: return "end_thread";
    case StatementKind::Wait: return word_and_names("wait", s.names);
    case StatementKind::Broadcast: return word_and_names("broadcast", s.names);
    case StatementKind::Signal: return word_and_names("signal", s.names);
    case StatementKind::Sync: return word_and_names("sync", s.names);
    case StatementKind::Print: return "print(" + values_of(s.expressions) + ")";
  }
  return "";
}

std::string written(const Statement& s, std::size_t outcome) {
  if (outcome < s.wording.texts.size()) return s.wording.texts[outcome];
  if (s.kind == StatementKind::Goto && outcome < s.names.size()) return "goto " + s.names[outcome];
  return to_string(s);
}

}  // namespace heddle::model::boolean
