#include "frontend/boolean_program/format.hpp"

#include <iterator>

#include "frontend/boolean_program/names.hpp"
#include "frontend/boolean_program/statement_reader.hpp"
#include "frontend/boolean_program/tokens.hpp"
#include "frontend/question_comments.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using model::BooleanProgram;
using model::boolean::Declaration;
using model::boolean::Procedure;
using text::Token;
using text::TokenKind;

constexpr const char* kProcedureHint =
    "a program is a list of 'decl x, y;' and 'void f(a) begin … end'";

class Reader {
 public:
  explicit Reader(const SourceText& source) : problems_(source), tokens_(source.text, problems_) {}

  base::Parsed<ProgramFile> run() {
    while (tokens_.peek().kind != TokenKind::End && !problems_.full()) {
      try {
        read_item();
      } catch (const SyntaxProblem&) {
        recover();
      }
    }
    if (!problems_.any_error()) check_names(program_, problems_);
    if (problems_.any_error()) return std::unexpected(problems_.take_errors());
    ProgramFile file{std::move(program_), {}, {}, problems_.take_warnings()};
    file.targets.emplace_back();
    return file;
  }

 private:
  void recover() {
    while (tokens_.peek().kind != TokenKind::End)
      if (tokens_.next().is("end")) return;
  }

  void read_item() {
    if (tokens_.accept(";")) return;
    if (tokens_.accept("decl")) {
      std::ranges::move(read_declarations(tokens_), std::back_inserter(program_.globals));
      return;
    }
    program_.procedures.push_back(read_procedure());
  }

  std::uint32_t read_results() {
    tokens_.accept("dfs");
    if (tokens_.accept("void")) return 0;
    if (!tokens_.accept("bool")) tokens_.fail_expected("'decl', 'void' or 'bool'", kProcedureHint);
    if (!tokens_.accept("<")) return 1;
    const Token count = tokens_.next();
    if (count.kind != TokenKind::Number || count.text.size() > 3)
      tokens_.fail(count, "this is not a number of results", "write bool<2> for two results");
    tokens_.expect(">", "write bool<2> for two results");
    return static_cast<std::uint32_t>(std::stoul(std::string(count.text)));
  }

  Procedure read_procedure() {
    Procedure procedure;
    procedure.results = read_results();
    const Token name = tokens_.name("the name of a procedure");
    procedure.name = name.text;
    procedure.at = Tokens::position(name);
    tokens_.expect("(", kProcedureHint);
    if (!tokens_.accept(")")) {
      do {
        const Token parameter = tokens_.name("a parameter");
        procedure.parameters.push_back(
            {std::string(parameter.text), std::nullopt, Tokens::position(parameter)});
      } while (tokens_.accept(","));
      tokens_.expect(")", kProcedureHint);
    }
    const bool braces = tokens_.accept("{");
    if (!braces) tokens_.expect("begin", kProcedureHint);
    StatementReader statements(tokens_, problems_, procedure);
    procedure.body = statements.read_block({braces ? "}" : "end"});
    tokens_.expect(braces ? "}" : "end", "each 'begin' needs its 'end'");
    return procedure;
  }

  text::Problems problems_;
  Tokens tokens_;
  BooleanProgram program_;
};

}  // namespace

bool recognises(std::string_view text) {
  text::Lexer lexer(text, text::Dialect{.line_comment = "//",
                                        .comment_start = "/*",
                                        .comment_end = "*/",
                                        .name_marks = "$",
                                        .assignment_symbols = true});
  const Token first = lexer.next();
  const Token second = lexer.next();
  if (first.is("decl")) return second.kind == TokenKind::Word;
  if (first.is("dfs")) return true;
  if (first.is("bool") && second.is("<")) return true;
  if (!first.is("void") && !first.is("bool")) return false;
  return second.kind == TokenKind::Word;
}

base::Parsed<ProgramFile> parse(const SourceText& source) {
  return with_question_comments(Reader(source).run(), source, {"//"});
}

}  // namespace heddle::frontend::boolean_program
