#include "model/boolean_program/code.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace heddle::model::boolean {

namespace {

using Role = Instruction::Role;

/// Works from the last statement to the first, so that each knows where to go on.
class Coder {
 public:
  explicit Coder(const std::vector<std::string>& failure_labels)
      : failure_labels_(failure_labels) {}

  Code run(const Procedure& procedure) {
    const std::uint32_t leave = add({Role::Leave, nullptr, nullptr, {}, false, procedure.at});
    code_.entry = block(procedure.body, leave);
    for (Instruction& instruction : code_.instructions) {
      const Statement* s = instruction.statement;
      if (!s || s->kind != StatementKind::Goto || instruction.role != Role::Plain) continue;
      for (const std::string& label : s->names) instruction.next.push_back(code_.labels.at(label));
    }
    return std::move(code_);
  }

 private:
  std::uint32_t add(Instruction instruction) {
    code_.instructions.push_back(std::move(instruction));
    return static_cast<std::uint32_t>(code_.instructions.size() - 1);
  }

  std::uint32_t add(Role role, const Statement& s, std::vector<std::uint32_t> next,
                    const Expression* condition = nullptr) {
    return add({role, &s, condition, std::move(next), false, s.at});
  }

  std::uint32_t block(const std::vector<Statement>& statements, std::uint32_t after) {
    for (const Statement& statement : statements | std::views::reverse)
      after = one(statement, after);
    return after;
  }

  std::uint32_t one(const Statement& s, std::uint32_t after) {
    const std::uint32_t entry = body(s, after);
    for (const std::string& label : s.labels) code_.labels.emplace(label, entry);
    if (is_failure(s, failure_labels_)) code_.instructions[entry].failed = true;
    return entry;
  }

  std::uint32_t body(const Statement& s, std::uint32_t after) {
    switch (s.kind) {
      case StatementKind::If: {
        const bool has_else = s.blocks.size() > s.expressions.size();
        std::uint32_t otherwise = has_else ? block(s.blocks.back(), after) : after;
        for (std::size_t i = s.expressions.size(); i-- > 0;)
          otherwise =
              add(Role::Branch, s, {block(s.blocks[i], after), otherwise}, &s.expressions[i]);
        return otherwise;
      }
      case StatementKind::While: {
        const std::uint32_t head = add(Role::Branch, s, {}, &s.expressions[0]);
        const std::uint32_t first = block(s.blocks[0], head);
        code_.instructions[head].next = {first, after};
        return head;
      }
      case StatementKind::Atomic: {
        const std::uint32_t end = add(Role::End, s, {after});
        const std::uint32_t first = block(s.blocks[0], end);
        return add(Role::Begin, s, {first});
      }
      case StatementKind::AtomicBegin: return add(Role::Begin, s, {after});
      case StatementKind::AtomicEnd: return add(Role::End, s, {after});
      case StatementKind::Goto: return add(Role::Plain, s, {});
      default: return add(Role::Plain, s, {after});
    }
  }

  const std::vector<std::string>& failure_labels_;
  Code code_;
};

}  // namespace

std::vector<Code> codes_of(const BooleanProgram& program) {
  std::vector<Code> codes;
  for (const Procedure& procedure : program.procedures)
    codes.push_back(Coder(program.failure_labels).run(procedure));
  return codes;
}

}  // namespace heddle::model::boolean
