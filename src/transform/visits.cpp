#include "transform/visits.hpp"

#include "transform/program_syntax.hpp"

namespace heddle::transform {

std::set<StatementPlace> statements_of(const model::BooleanProgram& program) {
  std::set<StatementPlace> out;
  for (const model::boolean::Procedure& procedure : program.procedures)
    syntax::for_each_statement(
        procedure.body, [&](const model::boolean::Statement& s) { out.insert(place_of(s.at)); });
  return out;
}

model::PushdownTask reach_through(const model::PushdownTask& task,
                                  const std::set<std::uint32_t>& lines) {
  model::PushdownTask out = task;
  model::PushdownSystem& system = out.model;
  const std::uint32_t states = system.shared_count;
  const auto behind = [&](model::SharedState state) {
    return model::SharedState(state.value + states);
  };
  system.shared_count = 2 * states;
  system.transitions.clear();
  for (const model::PushdownRule& rule : task.model.transitions) {
    model::PushdownRule before = rule, after = rule;
    if (lines.contains(rule.line)) before.to = behind(rule.to);
    after.from = behind(rule.from);
    after.to = behind(rule.to);
    system.transitions.push_back(std::move(before));
    system.transitions.push_back(std::move(after));
  }
  for (model::VisibleState& target : out.question.targets) target.shared = behind(target.shared);
  return out;
}

}  // namespace heddle::transform
