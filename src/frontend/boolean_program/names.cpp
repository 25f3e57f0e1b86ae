#include "frontend/boolean_program/names.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/integer.hpp"
#include "base/suggest.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Position;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;

constexpr std::size_t kMostCandidates = 5000;

text::Token token(const std::string& text, const Position& at) {
  return {text::TokenKind::Word, text, at.line, at.column};
}

class Checker {
 public:
  Checker(const BooleanProgram& program, text::Problems& problems)
      : program_(program), problems_(problems) {}

  void run() {
    declare(program_.globals, globals_);
    for (const Procedure& procedure : program_.procedures)
      if (!procedures_.try_emplace(procedure.name, &procedure).second)
        complain(procedure.name, procedure.at, "there are two procedures of this name",
                 "rename one of them");
    for (const Procedure& procedure : program_.procedures) check(procedure);
    const auto is_thread = [](const Procedure& p) { return p.name.starts_with("thread"); };
    if (!program_.find("main") && std::ranges::none_of(program_.procedures, is_thread))
      problems_.error("there is no procedure main", "the first thread starts in 'void main()'");
  }

 private:
  void complain(const std::string& text, const Position& at, std::string message,
                std::string hint) {
    problems_.error(token(text, at), std::move(message), std::move(hint));
  }

  void declare(const std::vector<Declaration>& declarations, std::set<std::string>& names) {
    for (const Declaration& declaration : declarations)
      if (!names.insert(declaration.name).second)
        complain(declaration.name, declaration.at,
                 "'" + declaration.name + "' is declared twice in the same place",
                 "remove one of the declarations");
  }

  std::string suggestion(const std::string& name, const std::set<std::string>& candidates) const {
    if (candidates.size() > kMostCandidates || name.size() > 60) return {};
    return base::did_you_mean(name, std::vector<std::string>(candidates.begin(), candidates.end()));
  }

  void check(const Procedure& procedure) {
    procedure_ = &procedure;
    locals_.clear();
    labels_.clear();
    repeats_error_label_ = false;
    declare(procedure.parameters, locals_);
    declare(procedure.locals, locals_);
    collect_labels(procedure.body);
    if (procedure.enforce) check(*procedure.enforce, Occurrence::Value);
    check(procedure.body);
  }

  void collect_labels(const std::vector<Statement>& block) {
    for (const Statement& statement : block) {
      for (const std::string& label : statement.labels)
        if (!labels_.insert(label).second) repeat(label, statement.at);
      for (const auto& inner : statement.blocks) collect_labels(inner);
    }
  }

  /// The error label may mark several statements, as long as nobody jumps to it.
  void repeat(const std::string& label, const Position& at) {
    if (label == model::boolean::kErrorLabel)
      repeats_error_label_ = true;
    else
      complain_about_repetition(label, at);
  }

  void complain_about_repetition(const std::string& label, const Position& at) {
    complain(label, at, "the label '" + label + "' stands twice in '" + procedure_->name + "'",
             "rename one of them");
  }

  void check(const std::vector<Statement>& block) {
    for (const Statement& statement : block) {
      if (problems_.full()) return;
      check(statement);
      for (const auto& inner : statement.blocks) check(inner);
    }
  }

  void check(const Statement& s) {
    const bool next_allowed = s.kind == StatementKind::Constrain;
    for (std::size_t i = 0; i < s.expressions.size(); ++i) {
      const bool is_received =
          s.kind == StatementKind::Assign && i < s.names.size() && is_passive(s.names[i]);
      check(s.expressions[i], is_received    ? Occurrence::Received
                              : next_allowed ? Occurrence::Constraint
                                             : Occurrence::Value);
    }
    if (s.constraint) check(*s.constraint, Occurrence::Constraint);
    if (s.passive_constraint) check_passive_constraint(s);
    switch (s.kind) {
      case StatementKind::Goto: check_labels(s); break;
      case StatementKind::StartThread:
        check_labels(s);
        if (!s.callee.empty()) check_call(s);
        break;
      case StatementKind::Dead:
        for (const std::string& name : s.names) check_variable(name, s.at);
        break;
      case StatementKind::Assign:
        check_assigned(s);
        check_count(s, s.names.size(), s.expressions.size(), "variable", "value");
        break;
      case StatementKind::Call: check_call(s); break;
      case StatementKind::Return:
        check_count(s, procedure_->results, s.expressions.size(), "declared result", "value");
        break;
      default: break;
    }
  }

  void check_count(const Statement& s, std::size_t left, std::size_t right, const char* what,
                   const char* value) {
    if (left == right) return;
    complain("", s.at, base::counted(left, what) + ", but " + base::counted(right, value),
             "the numbers must be the same");
  }

  void check_labels(const Statement& s) {
    for (const std::string& label : s.names) {
      if (!labels_.contains(label))
        complain(label, s.at, "there is no label '" + label + "' in '" + procedure_->name + "'",
                 suggestion(label, labels_));
      if (repeats_error_label_ && label == model::boolean::kErrorLabel)
        complain_about_repetition(label, s.at);
    }
  }

  void check_assigned(const Statement& s) {
    std::set<std::string> seen;
    for (const std::string& name : s.names) {
      if (name == "_") continue;
      if (!seen.insert(name).second)
        complain(name, s.at, "'" + name + "' is assigned twice in one statement",
                 "the values are assigned in parallel");
      if (is_passive(name))
        check_passive(name, s.at);
      else
        check_variable(name, s.at);
    }
  }

  bool is_passive(const std::string& name) const {
    return name.size() > 1 && name.ends_with('$') && !is_declared(name);
  }

  void check_passive(const std::string& name, const Position& at) {
    if (locals_.contains(name.substr(0, name.size() - 1))) return;
    complain(name, at,
             "'" + name + "' means a local variable of all other threads, and '" +
                 procedure_->name + "' has none of this name",
             suggestion(name.substr(0, name.size() - 1), locals_));
  }

  void check_passive_constraint(const Statement& s) {
    check(*s.passive_constraint, Occurrence::PassiveConstraint);
    if (std::ranges::none_of(s.names, [&](const std::string& name) { return is_passive(name); }))
      complain("constrain$", s.at,
               "'constrain$' is about values for other threads, and none is assigned",
               "assign to 'x$', or write 'constrain'");
  }

  void check_call(const Statement& s) {
    const auto found = procedures_.find(s.callee);
    if (found == procedures_.end()) {
      std::set<std::string> procedures;
      for (const Procedure& procedure : program_.procedures) procedures.insert(procedure.name);
      complain(s.callee, s.at, "there is no procedure '" + s.callee + "'",
               suggestion(s.callee, procedures));
      return;
    }
    const Procedure* const callee = found->second;
    check_count(s, callee->parameters.size(), s.expressions.size(), "parameter", "argument");
    if (s.kind != StatementKind::Call) return;
    check_assigned(s);
    if (!s.names.empty()) check_count(s, s.names.size(), callee->results, "variable", "result");
  }

  bool is_declared(const std::string& name) const {
    return locals_.contains(name) || globals_.contains(name);
  }

  void check_variable(const std::string& name, const Position& at) {
    if (is_declared(name)) return;
    std::set<std::string> all = globals_;
    all.insert(locals_.begin(), locals_.end());
    std::string hint = suggestion(name, all);
    complain(name, at, "the variable '" + name + "' is not declared",
             hint.empty() ? "declare it with 'decl " + name + ";'" : hint);
  }

  /// Where an expression stands: which decides whether it may mention variables of the thread that
  /// receives a value, and values after the assignment.
  enum class Occurrence { Value, Constraint, Received, PassiveConstraint };

  void check(const Expression& expression, Occurrence place) {
    const bool received = place == Occurrence::Received || place == Occurrence::PassiveConstraint;
    const bool is_name = expression.op == Operator::Variable || expression.op == Operator::Next;
    const bool passive = is_name && received && is_passive(expression.name);
    if (passive)
      check_passive(expression.name, expression.at);
    else if (is_name)
      check_variable(expression.name, expression.at);
    const bool next_allowed =
        place == Occurrence::Constraint || (place == Occurrence::PassiveConstraint && passive);
    if (expression.op == Operator::Next && !next_allowed)
      complain(expression.name, expression.at,
               "'" + expression.name + " is a value after an assignment",
               place == Occurrence::PassiveConstraint
                   ? "behind 'constrain$', only variables of the other threads have one: 'x$"
                   : "it may stand behind 'constrain' only");
    for (const Expression& operand : expression.operands) check(operand, place);
  }

  const BooleanProgram& program_;
  text::Problems& problems_;
  const Procedure* procedure_ = nullptr;
  std::unordered_map<std::string_view, const Procedure*> procedures_;
  std::set<std::string> globals_;
  std::set<std::string> locals_;
  std::set<std::string> labels_;
  bool repeats_error_label_ = false;
};

}  // namespace

void check_names(const BooleanProgram& program, text::Problems& problems) {
  Checker(program, problems).run();
}

}  // namespace heddle::frontend::boolean_program
