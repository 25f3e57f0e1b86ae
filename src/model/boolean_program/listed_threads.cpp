#include "model/boolean_program/listed_threads.hpp"

#include <algorithm>

namespace heddle::model::boolean {

namespace {

constexpr std::string_view kInitialiser = "init";

bool is_thread_procedure(const Procedure& procedure) {
  return procedure.name == "main" || procedure.name.starts_with("thread");
}

bool calls(const std::vector<Statement>& block, std::string_view callee) {
  return std::ranges::any_of(block, [&](const Statement& s) {
    return s.callee == callee ||
           std::ranges::any_of(s.blocks, [&](const auto& inner) { return calls(inner, callee); });
  });
}

/// A procedure that a program calls itself is one like others, whatever its name.
bool is_called(const BooleanProgram& program, const Procedure& callee) {
  return std::ranges::any_of(program.procedures, [&](const Procedure& procedure) {
    return &procedure != &callee && calls(procedure.body, callee.name);
  });
}

}  // namespace

const Procedure* initialiser(const BooleanProgram& program) {
  const Procedure* init = program.find(kInitialiser);
  const bool first = init && std::ranges::any_of(program.procedures, is_thread_procedure) &&
                     !is_called(program, *init);
  return first ? init : nullptr;
}

std::vector<const Procedure*> listed_threads(const BooleanProgram& program) {
  std::vector<const Procedure*> threads;
  if (program.find("main") && !initialiser(program)) return threads;
  for (const Procedure& procedure : program.procedures)
    if (is_thread_procedure(procedure)) threads.push_back(&procedure);
  return threads;
}

bool lists_threads(const BooleanProgram& program) { return !listed_threads(program).empty(); }

}  // namespace heddle::model::boolean
