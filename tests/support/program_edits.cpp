#include "support/program_edits.hpp"

#include "frontend/boolean_program/format.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::test {

namespace {

using model::BooleanProgram;
using model::boolean::Expression;
using model::boolean::Procedure;
using model::boolean::Statement;

void visit_blocks(Block& block, Procedure& procedure,
                  const std::function<void(Block&, Procedure&)>& visit) {
  visit(block, procedure);
  for (Statement& statement : block)
    for (Block& inner : statement.blocks) visit_blocks(inner, procedure, visit);
}

void visit_expressions(Expression& expression, const std::function<void(Expression&)>& visit) {
  visit(expression);
  for (Expression& operand : expression.operands) visit_expressions(operand, visit);
}

}  // namespace

void for_each_block(BooleanProgram& program, const std::function<void(Block&, Procedure&)>& visit) {
  for (Procedure& procedure : program.procedures) visit_blocks(procedure.body, procedure, visit);
}

void for_each_expression(BooleanProgram& program, const std::function<void(Expression&)>& visit) {
  for_each_block(program, [&](Block& block, Procedure&) {
    for (Statement& statement : block) {
      for (Expression& expression : statement.expressions) visit_expressions(expression, visit);
      if (statement.constraint) visit_expressions(*statement.constraint, visit);
      if (statement.passive_constraint) visit_expressions(*statement.passive_constraint, visit);
    }
  });
}

std::optional<BooleanProgram> reread(const BooleanProgram& program) {
  using namespace frontend::boolean_program;
  auto file = parse({"edited.bp", print({program, {}, {}, {}})});
  if (!file) return std::nullopt;
  BooleanProgram& read = file->model;
  if (!model::boolean::unfold(read) && !model::boolean::keep_calls(read)) return std::nullopt;
  return std::move(read);
}

}  // namespace heddle::test
