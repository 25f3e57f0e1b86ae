#include "support/random_programs.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Expression;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;

class Generator {
 public:
  Generator(Random& random, const ProgramFlavour& flavour) : random_(random), flavour_(flavour) {}

  BooleanProgram run() {
    BooleanProgram program;
    program.globals = declare("g", random_.between(1, 2));
    for (const Declaration& d : program.globals) globals_.push_back(d.name);
    if (flavour_.calls && random_.one_in(3)) program.procedures.push_back(helper());
    has_helper_ = !program.procedures.empty();
    program.procedures.push_back(main());
    return program;
  }

 private:
  std::vector<Declaration> declare(const std::string& prefix, unsigned count) {
    std::vector<Declaration> out;
    for (unsigned i = 0; i < count; ++i) {
      std::optional<bool> initial;
      if (!random_.one_in(4)) initial = random_.one_in(3);
      out.push_back({prefix + std::to_string(i), initial, {}});
    }
    return out;
  }

  Procedure helper() {
    Procedure f;
    f.name = "f";
    f.results = 1;
    f.parameters = {{"p", std::nullopt, {}}};
    locals_ = {"p"};
    if (random_.one_in(2)) f.body.push_back(assignment());
    Statement result;
    result.kind = StatementKind::Return;
    result.expressions = {expression(2)};
    f.body.push_back(std::move(result));
    return f;
  }

  Procedure main() {
    Procedure procedure;
    procedure.name = "main";
    procedure.locals = declare("l", random_.below(3));
    locals_.clear();
    for (const Declaration& d : procedure.locals) locals_.push_back(d.name);
    const unsigned statements = random_.between(4, 10);
    for (unsigned i = 0; i < statements; ++i) labels_.push_back("L" + std::to_string(i));
    for (unsigned i = 0; i < statements; ++i) {
      Statement s = statement(2);
      s.labels = {labels_[i]};
      procedure.body.push_back(std::move(s));
    }
    procedure.body.push_back(claim());
    return procedure;
  }

  Statement claim() {
    Statement s;
    s.kind = StatementKind::Assert;
    s.expressions = {expression(1)};
    return s;
  }

  const std::string& label() {
    return labels_[random_.below(static_cast<unsigned>(labels_.size()))];
  }

  std::string variable() {
    const auto all = static_cast<unsigned>(globals_.size() + locals_.size());
    const unsigned pick = random_.below(all);
    return pick < globals_.size() ? globals_[pick] : locals_[pick - globals_.size()];
  }

  Expression leaf(Operator op, std::string name = {}) { return {op, std::move(name), {}, {}}; }

  Expression expression(unsigned depth, bool next = false) {
    const unsigned kind = random_.below(depth == 0 ? 5 : 10);
    if (kind == 0) return leaf(random_.one_in(2) ? Operator::True : Operator::False);
    if (kind == 1) return leaf(Operator::Choice);
    if (kind == 2 && next) return leaf(Operator::Next, variable());
    if (kind <= 4) return leaf(Operator::Variable, variable());
    static constexpr Operator kOperators[] = {
        Operator::Not,     Operator::And,     Operator::Or,
        Operator::Xor,     Operator::Equal,   Operator::Unequal,
        Operator::Implies, Operator::Schoose, Operator::Conditional};
    Expression out = leaf(kOperators[random_.below(9)]);
    const unsigned operands = out.op == Operator::Not ? 1 : out.op == Operator::Conditional ? 3 : 2;
    for (unsigned i = 0; i < operands; ++i) out.operands.push_back(expression(depth - 1, next));
    return out;
  }

  Statement assignment() {
    Statement s;
    s.kind = StatementKind::Assign;
    s.names = {variable()};
    s.expressions = {expression(2)};
    const std::string second = variable();
    if (second != s.names[0] && random_.one_in(3)) {
      s.names.push_back(second);
      s.expressions.push_back(expression(1));
    }
    if (random_.one_in(4)) s.constraint = expression(2, true);
    if (flavour_.passive && !locals_.empty() && random_.one_in(2)) assign_passively(s);
    return s;
  }

  /// A `*`, a variable, or anything over the variables of both threads.
  Expression received(unsigned depth, bool next = false) {
    if (!next && random_.one_in(4)) return leaf(Operator::Choice);
    if (!next && random_.one_in(3)) return leaf(Operator::Variable, variable());
    Expression out = expression(depth);
    const auto rename = [&](auto& self, Expression& e) -> void {
      const bool local = std::ranges::find(locals_, e.name) != locals_.end();
      if (e.op == Operator::Variable && local && random_.one_in(2)) {
        e.name += "$";
        if (next && random_.one_in(2)) e.op = Operator::Next;
      }
      for (Expression& operand : e.operands) self(self, operand);
    };
    rename(rename, out);
    return out;
  }

  static unsigned choices_in(const Expression& e) {
    unsigned out = e.op == Operator::Choice || e.op == Operator::Schoose ? 1 : 0;
    for (const Expression& operand : e.operands) out += choices_in(operand);
    return out;
  }

  /// With `constrain$` only where the statement's choices are few enough for it.
  void assign_passively(Statement& s) {
    constexpr unsigned kMostConstrained = 6;
    unsigned choices = 0;
    for (const std::string& name : locals_) {
      if (name != locals_[0] && !random_.one_in(3)) continue;
      s.names.push_back(name + "$");
      s.expressions.push_back(received(2));
      choices += choices_in(s.expressions.back());
    }
    const Expression constraint = received(2, true);
    if (choices + choices_in(constraint) <= kMostConstrained && random_.one_in(2))
      s.passive_constraint = constraint;
  }

  Statement of(StatementKind kind) {
    Statement s;
    s.kind = kind;
    return s;
  }

  Statement with_condition(StatementKind kind) {
    Statement s = of(kind);
    if (random_.one_in(3)) s.names = {"c"};
    return s;
  }

  Statement statement(unsigned depth) {
    switch (random_.below(14)) {
      case 0:
      case 1:
      case 2: return assignment();
      case 3: {
        if (inside_) return assignment();
        Statement s = of(StatementKind::Goto);
        s.names = {label()};
        if (random_.one_in(2)) s.names.push_back(label());
        return s;
      }
      case 4: {
        Statement s = of(StatementKind::Assume);
        s.expressions = {expression(1)};
        return s;
      }
      case 5: {
        Statement s = claim();
        if (random_.one_in(2)) s.expressions = {leaf(Operator::True)};
        return s;
      }
      case 6:
      case 7: {
        Statement s = of(StatementKind::StartThread);
        s.names = {label()};
        return s;
      }
      case 8: return flavour_.broadcasts ? with_condition(StatementKind::Wait) : assignment();
      case 9:
        if (!flavour_.broadcasts) return assignment();
        return with_condition(flavour_.signals && random_.one_in(2) ? StatementKind::Signal
                                                                    : StatementKind::Broadcast);
      case 10: return block(StatementKind::Atomic, depth);
      case 11: return block(StatementKind::If, depth);
      case 12: return call();
      default: return of(random_.one_in(3) ? StatementKind::EndThread : StatementKind::Skip);
    }
  }

  Statement block(StatementKind kind, unsigned depth) {
    if (depth == 0) return assignment();
    Statement s = of(kind);
    std::vector<Statement> body;
    const bool outside = !inside_;
    inside_ = inside_ || kind == StatementKind::Atomic;
    for (unsigned i = random_.between(1, 2); i > 0; --i) body.push_back(statement(depth - 1));
    if (outside) inside_ = false;
    s.blocks.push_back(std::move(body));
    if (kind == StatementKind::If) s.expressions = {expression(1)};
    return s;
  }

  Statement call() {
    if (!has_helper_) return assignment();
    Statement s = of(StatementKind::Call);
    s.callee = "f";
    s.names = {variable()};
    s.expressions = {expression(1)};
    return s;
  }

  Random& random_;
  const ProgramFlavour& flavour_;
  std::vector<std::string> globals_, locals_, labels_;
  bool has_helper_ = false;
  bool inside_ = false;  ///< of an atomic section, which is not left by a jump
};

}  // namespace

BooleanProgram random_program(Random& random, const ProgramFlavour& flavour) {
  return Generator(random, flavour).run();
}

}  // namespace heddle::test
