#include "transform/error_labels.hpp"

#include "transform/program_syntax.hpp"

namespace heddle::transform {

namespace {

using model::BooleanProgram;
using model::boolean::kErrorLabel;
using model::boolean::Procedure;
using namespace syntax;

class LabelReader {
 public:
  LabelReader(const BooleanProgram& program, const std::set<std::string>& labels,
              Assertions assertions)
      : labels_(labels),
        assertions_(assertions),
        harmless_(unused_name(program, std::string(kErrorLabel) + "_")) {}

  Block read(Block original) const {
    Block out;
    for (Statement& s : original) append(out, read(std::move(s)));
    return out;
  }

 private:
  Block read(Statement s) const {
    const bool fails = std::ranges::any_of(
        s.labels, [&](const std::string& label) { return labels_.contains(label); });
    std::ranges::replace(s.labels, std::string(kErrorLabel), harmless_);
    if (s.kind == StatementKind::Goto || s.kind == StatementKind::StartThread)
      std::ranges::replace(s.names, std::string(kErrorLabel), harmless_);
    if (s.kind == StatementKind::Assert && assertions_ == Assertions::End)
      s.kind = StatementKind::Assume;
    for (Block& inner : s.blocks) inner = read(std::move(inner));
    if (!fails) return block(std::move(s));
    Statement failure = statement(StatementKind::Assert, {truth(false)});
    // What has no parts is not reached any more. Into others there may be jumps.
    if (!s.blocks.empty()) return put_before(block(std::move(failure)), std::move(s));
    failure.labels = std::move(s.labels);
    failure.at = s.at;
    return block(std::move(failure));
  }

  const std::set<std::string>& labels_;
  Assertions assertions_;
  std::string harmless_;  ///< what the error label is called instead
};

}  // namespace

BooleanProgram fail_at_labels(BooleanProgram program, const std::set<std::string>& labels,
                              Assertions assertions) {
  const LabelReader reader(program, labels, assertions);
  for (Procedure& procedure : program.procedures)
    procedure.body = reader.read(std::move(procedure.body));
  return program;
}

std::vector<std::string> labels_of(const BooleanProgram& program) {
  std::set<std::string> out;
  for (const Procedure& procedure : program.procedures)
    for_each_statement(procedure.body,
                       [&](const Statement& s) { out.insert(s.labels.begin(), s.labels.end()); });
  return {out.begin(), out.end()};
}

}  // namespace heddle::transform
