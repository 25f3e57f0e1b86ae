#include "frontend/boolean_program/format.hpp"

#include <variant>

#include "frontend/question_comments.hpp"
#include "model/boolean_program/error_label.hpp"
#include "model/boolean_program/print.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;

class Printer {
 public:
  std::string run(const BooleanProgram& program) {
    declarations(program.globals);
    for (const Procedure& procedure : program.procedures) {
      if (!out_.empty()) out_ += "\n";
      print(procedure);
    }
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

  void declarations(const std::vector<Declaration>& all) {
    for (const Declaration& declaration : all) {
      const std::string first =
          declaration.initial ? (*declaration.initial ? " := 1" : " := 0") : "";
      line("decl " + declaration.name + first + ";");
    }
  }

  void print(const Procedure& procedure) {
    const std::string results = procedure.results == 0 ? "void"
                                : procedure.results == 1
                                    ? "bool"
                                    : "bool<" + std::to_string(procedure.results) + ">";
    std::string parameters;
    for (const Declaration& parameter : procedure.parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter.name;
    line(results + " " + procedure.name + "(" + parameters + ") begin");
    ++depth_;
    declarations(procedure.locals);
    if (procedure.enforce) line("enforce " + to_string(*procedure.enforce) + ";");
    print(procedure.body);
    --depth_;
    line("end");
  }

  void print(const std::vector<Statement>& block) {
    for (const Statement& statement : block) print(statement);
  }

  void nested(const std::vector<Statement>& block) {
    ++depth_;
    print(block);
    --depth_;
  }

  void print(const Statement& s) {
    std::string labels;
    for (const std::string& label : s.labels) labels += label + ": ";
    switch (s.kind) {
      case StatementKind::If: print_if(labels, s); break;
      case StatementKind::While:
        line(labels + to_string(s) + " do");
        nested(s.blocks[0]);
        line("od;");
        break;
      case StatementKind::Atomic:
        line(labels + "atomic {");
        nested(s.blocks[0]);
        line("};");
        break;
      default: line(labels + to_string(s) + ";");
    }
  }

  void print_if(const std::string& labels, const Statement& s) {
    for (std::size_t i = 0; i < s.expressions.size(); ++i) {
      const std::string word = i == 0 ? labels + "if " : "elsif ";
      line(word + to_string(s.expressions[i]) + " then");
      nested(s.blocks[i]);
    }
    if (s.blocks.size() > s.expressions.size()) {
      line("else");
      nested(s.blocks.back());
    }
    line("fi;");
  }

  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::string> cannot_print(const ProgramFile&) { return std::nullopt; }

std::string print(const ProgramFile& file) {
  return question_comments(file, {"//"}) +
         Printer().run(model::boolean::with_error_label(file.model));
}

}  // namespace heddle::frontend::boolean_program
