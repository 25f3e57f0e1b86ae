#include "model/boolean_program/syntax.hpp"

#include <algorithm>

namespace heddle::model::boolean {

bool is_asynchronous(const Statement& call) {
  return call.kind == StatementKind::Call &&
         std::ranges::any_of(
             call.labels, [](const std::string& label) { return label.starts_with(kAsyncPrefix); });
}

bool is_failure(const Statement& statement, const std::vector<std::string>& failure_labels) {
  return std::ranges::any_of(statement.labels, [&](const std::string& label) {
    return failure_labels.empty() ? label == kErrorLabel
                                  : std::ranges::binary_search(failure_labels, label);
  });
}

}  // namespace heddle::model::boolean

namespace heddle::model {

const boolean::Procedure* BooleanProgram::find(std::string_view procedure) const {
  const auto it = std::ranges::find(procedures, procedure, &boolean::Procedure::name);
  return it != procedures.end() ? &*it : nullptr;
}

}  // namespace heddle::model
