#include "transform/error_labels.hpp"

#include "model/boolean_program/error_label.hpp"
#include "transform/program_syntax.hpp"

namespace heddle::transform {

namespace {

using model::BooleanProgram;
using model::boolean::kErrorLabel;
using model::boolean::Procedure;
using namespace syntax;

class LabelReader {
 public:
  explicit LabelReader(const BooleanProgram& program)
      : failure_labels_(program.failure_labels),
        harmless_(model::boolean::harmless_error_label(program)) {}

  Block read(Block original) const {
    Block out;
    for (Statement& s : original) append(out, read(std::move(s)));
    return out;
  }

 private:
  Block read(Statement s) const {
    const bool fails = is_failure(s, failure_labels_);
    std::ranges::replace(s.labels, std::string(kErrorLabel), harmless_);
    if (s.kind == StatementKind::Goto || s.kind == StatementKind::StartThread)
      std::ranges::replace(s.names, std::string(kErrorLabel), harmless_);
    if (s.kind == StatementKind::Assert && !failure_labels_.empty()) s.kind = StatementKind::Assume;
    for (Block& inner : s.blocks) inner = read(std::move(inner));
    if (!fails) return block(std::move(s));
    Statement failure = statement(StatementKind::Assert, {truth(false)});
    // What has no parts is not reached any more. Into others there may be jumps.
    if (!s.blocks.empty()) return put_before(block(std::move(failure)), std::move(s));
    failure.labels = std::move(s.labels);
    failure.at = s.at;
    return block(std::move(failure));
  }

  std::vector<std::string> failure_labels_;
  std::string harmless_;  ///< what the error label is called instead
};

}  // namespace

BooleanProgram fail_by_assertions(BooleanProgram program) {
  const LabelReader reader(program);
  program.failure_labels.clear();
  for (Procedure& procedure : program.procedures)
    procedure.body = reader.read(std::move(procedure.body));
  return program;
}

}  // namespace heddle::transform
