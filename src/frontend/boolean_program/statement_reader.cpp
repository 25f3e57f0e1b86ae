#include "frontend/boolean_program/statement_reader.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "frontend/boolean_program/expression_reader.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using model::boolean::Declaration;
using model::boolean::Expression;
using text::Token;
using text::TokenKind;

constexpr const char* kAtomicHint = "write atomic { … } or atomic_begin; … atomic_end;";

std::optional<bool> read_initial(Tokens& tokens) {
  const Token token = tokens.next();
  if (token.is("*")) return std::nullopt;
  if (token.is("T") || (token.kind == TokenKind::Number && token.text == "1")) return true;
  if (token.is("F") || (token.kind == TokenKind::Number && token.text == "0")) return false;
  tokens.fail(token, "a variable starts with 0, 1 or *", "assign other values in a statement");
}

/// A label that stands several times in front of one statement means the same as once.
void drop_repetitions(std::vector<std::string>& labels) {
  std::set<std::string> seen;
  std::erase_if(labels, [&](const std::string& label) { return !seen.insert(label).second; });
}

}  // namespace

std::vector<Declaration> read_declarations(Tokens& tokens) {
  std::vector<Declaration> out;
  do {
    const Token token = tokens.name("a variable");
    Declaration declaration{std::string(token.text), std::nullopt, Tokens::position(token)};
    if (tokens.accept(":=")) declaration.initial = read_initial(tokens);
    out.push_back(std::move(declaration));
  } while (tokens.accept(","));
  tokens.accept(";");
  return out;
}

std::vector<model::boolean::Statement> StatementReader::read_block(
    std::initializer_list<std::string_view> ends) {
  const Tokens::Level level(tokens_);
  std::vector<Statement> out;
  const auto at_end = [&] {
    const Token& token = tokens_.peek();
    return token.kind == TokenKind::End || problems_.full() ||
           std::ranges::any_of(ends, [&](std::string_view end) { return token.is(end); });
  };
  while (!at_end()) {
    try {
      read_one(out);
    } catch (const SyntaxProblem&) {
      recover();
    }
  }
  return out;
}

void StatementReader::recover() {
  has_name_ = false;
  while (tokens_.peek().kind != TokenKind::End && !tokens_.peek().is("end"))
    if (tokens_.next().is(";")) return;
}

/// One statement with its labels, or a declaration.
void StatementReader::read_one(std::vector<Statement>& out) {
  if (tokens_.accept(";")) return;
  Statement statement;
  while (read_label(statement.labels)) {
  }
  drop_repetitions(statement.labels);
  statement.at = has_name_ ? Tokens::position(name_) : Tokens::position(tokens_.peek());
  if (!has_name_ && tokens_.accept("decl")) {
    if (!statement.labels.empty()) out.push_back(std::move(statement));
    std::ranges::move(read_declarations(tokens_), std::back_inserter(procedure_.locals));
    return;
  }
  if (!has_name_ && tokens_.accept("enforce")) {
    procedure_.enforce = read_expression(tokens_);
    tokens_.accept(";");
    return;
  }
  const bool bare_label =
      !statement.labels.empty() && (tokens_.peek().is("end") || tokens_.peek().is("fi") ||
                                    tokens_.peek().is("od") || tokens_.peek().is("}"));
  if (has_name_) {
    read_named(statement);
  } else if (!bare_label && !read_simple(statement) && !read_compound(statement) &&
             !read_special(statement)) {
    const text::Token& token = tokens_.peek();
    tokens_.fail_expected("a statement", is_keyword(token.text)
                                             ? "'" + std::string(token.text) + "' is a keyword"
                                             : keyword_hint(token.text));
  }
  tokens_.accept(";");
  out.push_back(std::move(statement));
}

/// `name:` or `12:`. A name that is no label stays in name_.
bool StatementReader::read_label(std::vector<std::string>& labels) {
  const Token token = tokens_.peek();
  if (has_name_ || (token.kind != TokenKind::Number && token.kind != TokenKind::Word)) return false;
  if (is_keyword(token.text)) return false;
  tokens_.next();
  if (tokens_.accept(":")) {
    labels.emplace_back(token.text);
    return true;
  }
  if (token.kind == TokenKind::Number)
    tokens_.fail(token, "expected ':' behind a numeric label", "write '12: statement;'");
  name_ = token;
  has_name_ = true;
  return false;
}

/// An assignment, a call, or an atomic block (`atomic` may name a variable, too); its first name is
/// in name_.
void StatementReader::read_named(Statement& statement) {
  const Token first = std::exchange(name_, {});
  has_name_ = false;
  if (first.text == "atomic" && tokens_.peek().is("{")) return read_atomic(statement);
  if (tokens_.peek().is("(")) {
    statement.kind = StatementKind::Call;
    statement.callee = first.text;
    read_arguments(statement);
    return;
  }
  statement.names.emplace_back(first.text);
  while (tokens_.accept(",")) statement.names.emplace_back(tokens_.name("a variable").text);
  if (!tokens_.accept(":=")) {
    const std::string hint = tokens_.peek().is("=")
                                 ? "write " + std::string(first.text) + " := … for an assignment"
                                 : keyword_hint(first.text);
    tokens_.fail(
        first, "'" + std::string(first.text) + "' does not start a statement",
        hint.empty() ? "assignments are written x := e, calls f(x), labels L: statement" : hint);
  }
  read_values(statement);
}

/// What stands behind `:=`.
void StatementReader::read_values(Statement& statement) {
  statement.kind = StatementKind::Assign;
  statement.expressions = read_expressions(tokens_);
  Expression& first = statement.expressions.front();
  if (statement.expressions.size() == 1 && first.op == model::boolean::Operator::Variable &&
      tokens_.peek().is("(")) {
    statement.kind = StatementKind::Call;
    statement.callee = std::exchange(first.name, {});
    statement.expressions.clear();
    read_arguments(statement);
    return;
  }
  if (tokens_.accept("constrain")) statement.constraint = read_expression(tokens_);
  if (tokens_.accept("constrain$")) statement.passive_constraint = read_expression(tokens_);
}

void StatementReader::read_arguments(Statement& statement) {
  tokens_.expect("(", "calls are written f(x, y)");
  if (tokens_.accept(")")) return;
  statement.expressions = read_expressions(tokens_);
  tokens_.expect(")", "calls are written f(x, y)");
}

std::vector<std::string> StatementReader::read_labels() {
  std::vector<std::string> out{tokens_.label()};
  while (tokens_.accept(",")) out.push_back(tokens_.label());
  return out;
}

/// A keyword, perhaps with one expression.
bool StatementReader::read_simple(Statement& statement) {
  constexpr std::pair<std::string_view, StatementKind> kPlain[] = {
      {"skip", StatementKind::Skip},
      {"atomic_begin", StatementKind::AtomicBegin},
      {"atomic_end", StatementKind::AtomicEnd},
      {"end_thread", StatementKind::EndThread}};
  for (const auto& [word, kind] : kPlain) {
    if (!tokens_.accept(word)) continue;
    statement.kind = kind;
    return true;
  }
  constexpr std::pair<std::string_view, StatementKind> kOfExpression[] = {
      {"assume", StatementKind::Assume},
      {"assert", StatementKind::Assert},
      {"abortif", StatementKind::AbortIf},
      {"constrain", StatementKind::Constrain}};
  for (const auto& [word, kind] : kOfExpression) {
    if (!tokens_.accept(word)) continue;
    statement.kind = kind;
    statement.expressions.push_back(read_expression(tokens_));
    return true;
  }
  constexpr std::pair<std::string_view, StatementKind> kOfCondition[] = {
      {"wait", StatementKind::Wait},
      {"broadcast", StatementKind::Broadcast},
      {"signal", StatementKind::Signal}};
  for (const auto& [word, kind] : kOfCondition) {
    if (!tokens_.accept(word)) continue;
    statement.kind = kind;
    const Token& token = tokens_.peek();
    if (token.kind == TokenKind::Word && !is_keyword(token.text))
      statement.names.emplace_back(tokens_.next().text);
    return true;
  }
  return false;
}

bool StatementReader::read_compound(Statement& statement) {
  if (tokens_.accept("if")) {
    read_if(statement);
  } else if (tokens_.accept("while")) {
    read_while(statement);
  } else {
    return false;
  }
  return true;
}

bool StatementReader::read_special(Statement& statement) {
  if (tokens_.accept("goto")) {
    statement.kind = StatementKind::Goto;
    statement.names = read_labels();
  } else if (tokens_.accept("return")) {
    statement.kind = StatementKind::Return;
    const Token& token = tokens_.peek();
    const bool nothing = token.is(";") || token.is("end") || token.is("fi") || token.is("od") ||
                         token.is("else") || token.is("elsif") || token.is("}");
    if (!nothing) statement.expressions = read_expressions(tokens_);
  } else if (tokens_.accept("start_thread")) {
    read_start_thread(statement);
  } else if (tokens_.accept("dead")) {
    statement.kind = StatementKind::Dead;
    do {
      statement.names.emplace_back(tokens_.name("a variable").text);
    } while (tokens_.accept(","));
  } else if (tokens_.accept("sync")) {
    statement.kind = StatementKind::Sync;
    statement.names.emplace_back(tokens_.name("a name").text);
  } else if (tokens_.accept("print")) {
    statement.kind = StatementKind::Print;
    read_arguments(statement);
  } else {
    return false;
  }
  return true;
}

void StatementReader::read_if(Statement& statement) {
  statement.kind = StatementKind::If;
  do {
    statement.expressions.push_back(read_expression(tokens_));
    tokens_.expect("then", "write if e then … fi");
    statement.blocks.push_back(read_block({"elsif", "else", "fi", "end", "}"}));
  } while (tokens_.accept("elsif"));
  if (tokens_.accept("else")) statement.blocks.push_back(read_block({"fi", "end", "}"}));
  tokens_.expect("fi", "write if e then … fi");
}

void StatementReader::read_while(Statement& statement) {
  statement.kind = StatementKind::While;
  statement.expressions.push_back(read_expression(tokens_));
  tokens_.expect("do", "write while e do … od");
  statement.blocks.push_back(read_block({"od", "end", "}"}));
  tokens_.expect("od", "write while e do … od");
}

void StatementReader::read_atomic(Statement& statement) {
  statement.kind = StatementKind::Atomic;
  tokens_.expect("{", kAtomicHint);
  statement.blocks.push_back(read_block({"}", "end"}));
  tokens_.expect("}", kAtomicHint);
}

void StatementReader::read_start_thread(Statement& statement) {
  statement.kind = StatementKind::StartThread;
  if (tokens_.accept("goto") || tokens_.peek().kind == TokenKind::Number) {
    statement.names.push_back(tokens_.label());
    return;
  }
  const std::string name(tokens_.name("'goto L', a label or a call").text);
  if (!tokens_.peek().is("(")) {
    statement.names.push_back(name);
    return;
  }
  statement.callee = name;
  read_arguments(statement);
}

}  // namespace heddle::frontend::boolean_program
