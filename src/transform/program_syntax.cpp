#include "transform/program_syntax.hpp"

namespace heddle::transform::syntax {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Procedure;

std::vector<std::string> names_in(const BooleanProgram& program) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<Declaration>& list) {
    for (const Declaration& d : list) out.push_back(d.name);
  };
  add(program.globals);
  for (const Procedure& procedure : program.procedures) {
    out.push_back(procedure.name);
    add(procedure.parameters);
    add(procedure.locals);
    for_each_statement(procedure.body, [&](const Statement& s) {
      out.insert(out.end(), s.labels.begin(), s.labels.end());
    });
  }
  return out;
}

std::string unused_name(const BooleanProgram& program, std::string name) {
  const std::vector<std::string> used = names_in(program);
  while (std::ranges::find(used, name) != used.end()) name += '_';
  return name;
}

Block put_before(Block first, Statement s) {
  for (Statement& inserted : first) inserted.at = s.at;
  if (s.kind == StatementKind::While) append(s.blocks[0], first);
  first.front().labels = std::exchange(s.labels, {});
  append(first, block(std::move(s)));
  return first;
}

}  // namespace heddle::transform::syntax
