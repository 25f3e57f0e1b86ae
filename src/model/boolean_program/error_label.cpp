#include "model/boolean_program/error_label.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::model::boolean {

namespace {

void collect_labels(const std::vector<Statement>& block, std::set<std::string>& labels) {
  for (const Statement& s : block) {
    labels.insert(s.labels.begin(), s.labels.end());
    for (const auto& inner : s.blocks) collect_labels(inner, labels);
  }
}

void mark_failures(std::vector<Statement>& block, const std::vector<std::string>& failure_labels,
                   const std::string& harmless) {
  const std::string error(kErrorLabel);
  for (Statement& s : block) {
    const bool fails = is_failure(s, failure_labels);
    std::ranges::replace(s.labels, error, harmless);
    if (s.kind == StatementKind::Goto || s.kind == StatementKind::StartThread)
      std::ranges::replace(s.names, error, harmless);
    if (fails) s.labels.push_back(error);
    if (s.kind == StatementKind::Assert) s.kind = StatementKind::Assume;
    for (auto& inner : s.blocks) mark_failures(inner, failure_labels, harmless);
  }
}

}  // namespace

std::vector<std::string> labels_of(const BooleanProgram& program) {
  std::set<std::string> labels;
  for (const Procedure& procedure : program.procedures) collect_labels(procedure.body, labels);
  return {labels.begin(), labels.end()};
}

std::string harmless_error_label(const BooleanProgram& program) {
  const std::vector<std::string> used = labels_of(program);
  std::string name = std::string(kErrorLabel) + "_";
  while (std::ranges::binary_search(used, name)) name += '_';
  return name;
}

BooleanProgram with_error_label(BooleanProgram program) {
  if (program.failure_labels.empty()) return program;
  const std::vector<std::string> failure_labels = std::exchange(program.failure_labels, {});
  const std::string harmless = harmless_error_label(program);
  for (Procedure& procedure : program.procedures)
    mark_failures(procedure.body, failure_labels, harmless);
  return program;
}

}  // namespace heddle::model::boolean
