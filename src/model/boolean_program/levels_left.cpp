/// A procedure is walked through from its start with the depth relative to where it was entered: an
/// end of a section at depth −k + 1 ends the k-th section of the callers. A call of a procedure
/// that can end n sections, made at depth d, can end n − d of the callers'; behind the call, the
/// depth is the same as before (procedures that return at another depth are refused where this is
/// used). The least solution is found by repeating until nothing changes; values only grow, up to
/// `most`.
///
/// At depth 0 the end of a section does nothing, but the walk counts it: the bound is then too
/// large, never too small.

#include "model/boolean_program/levels_left.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace heddle::model::boolean {

namespace {

class Walk {
 public:
  Walk(const BooleanProgram& program, const Code& code, const std::vector<std::uint32_t>& left,
       std::uint32_t most)
      : program_(program), code_(code), left_(left), most_(most) {}

  std::uint32_t run() {
    visit(code_.entry, 0);
    while (!open_.empty()) {
      const auto [instruction, depth] = open_.back();
      open_.pop_back();
      step(code_.instructions[instruction], depth);
    }
    return deepest_;
  }

 private:
  void visit(std::uint32_t instruction, int depth) {
    if (std::abs(depth) <= static_cast<int>(most_) && seen_.emplace(instruction, depth).second)
      open_.emplace_back(instruction, depth);
  }

  void step(const Instruction& code, int depth) {
    int next = depth;
    if (code.role == Instruction::Role::Begin) next = depth + 1;
    if (code.role == Instruction::Role::End) leave(-(next = depth - 1));
    const Statement* s = code.statement;
    if (s && s->kind == StatementKind::Call && !is_asynchronous(*s))
      leave(static_cast<int>(left_[static_cast<std::size_t>(program_.find(s->callee) -
                                                            program_.procedures.data())]) -
            depth);
    if (s && s->kind == StatementKind::Return) return;
    if (s && s->kind == StatementKind::EndThread) return;
    for (const std::uint32_t target : code.next) visit(target, next);
  }

  void leave(int levels) {
    const int bounded = std::clamp(levels, 0, static_cast<int>(most_));
    deepest_ = std::max(deepest_, static_cast<std::uint32_t>(bounded));
  }

  const BooleanProgram& program_;
  const Code& code_;
  const std::vector<std::uint32_t>& left_;
  std::uint32_t most_;
  std::set<std::pair<std::uint32_t, int>> seen_;
  std::vector<std::pair<std::uint32_t, int>> open_;
  std::uint32_t deepest_ = 0;
};

bool ends_sections(const Code& code) {
  return std::ranges::any_of(code.instructions, [](const Instruction& instruction) {
    return instruction.role == Instruction::Role::End;
  });
}

}  // namespace

std::vector<std::uint32_t> levels_left(const BooleanProgram& program,
                                       const std::vector<Code>& codes, std::uint32_t most) {
  std::vector<std::uint32_t> left(codes.size(), 0);
  bool changes = std::ranges::any_of(codes, ends_sections);
  while (changes) {
    changes = false;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::uint32_t now = Walk(program, codes[i], left, most).run();
      changes = changes || now != left[i];
      left[i] = now;
    }
  }
  return left;
}

}  // namespace heddle::model::boolean
