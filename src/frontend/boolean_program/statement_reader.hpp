#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "frontend/boolean_program/tokens.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::frontend::boolean_program {

/// Reads the statements of one procedure. Declarations and `enforce` may stand anywhere among them
/// and go to the procedure.
class StatementReader {
 public:
  StatementReader(Tokens& tokens, text::Problems& problems, model::boolean::Procedure& procedure)
      : tokens_(tokens), problems_(problems), procedure_(procedure) {}

  /// Up to, not including, one of the words (or the end of the text). After a problem it goes on
  /// behind the next ';'.
  std::vector<model::boolean::Statement> read_block(std::initializer_list<std::string_view> ends);

 private:
  using Statement = model::boolean::Statement;
  using StatementKind = model::boolean::StatementKind;

  void read_one(std::vector<Statement>& out);
  void recover();
  bool read_label(std::vector<std::string>& labels);
  void read_named(Statement& statement);
  bool read_simple(Statement& statement);
  bool read_compound(Statement& statement);
  bool read_special(Statement& statement);
  void read_if(Statement& statement);
  void read_while(Statement& statement);
  void read_atomic(Statement& statement);
  void read_start_thread(Statement& statement);
  void read_values(Statement& statement);
  void read_arguments(Statement& statement);
  std::vector<std::string> read_labels();

  Tokens& tokens_;
  text::Problems& problems_;
  model::boolean::Procedure& procedure_;
  /// A name that was taken to see whether it is a label, and is none.
  text::Token name_;
  bool has_name_ = false;
};

/// `x, y := 0, z := *` behind `decl`, up to and including ';' if there is one.
std::vector<model::boolean::Declaration> read_declarations(Tokens& tokens);

}  // namespace heddle::frontend::boolean_program
