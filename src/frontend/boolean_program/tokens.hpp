#pragma once

/// What the readers of expressions and of statements share: the token stream, the problems found,
/// and a guard against texts that nest deeper than a stack allows.

#include <string>
#include <string_view>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "model/boolean_program/syntax.hpp"

namespace heddle::frontend::boolean_program {

/// Thrown on the first problem inside a statement; caught where reading can go on.
struct SyntaxProblem {};

class Tokens {
 public:
  Tokens(std::string_view text, text::Problems& problems);

  const text::Token& peek() { return lexer_.peek(); }
  text::Token next() { return lexer_.next(); }
  bool accept(std::string_view wanted) { return lexer_.accept(wanted); }

  /// Takes this symbol or word, or reports that it is missing.
  void expect(std::string_view wanted, std::string_view hint);

  /// A name that is not a keyword. Reports `expected <what>` otherwise.
  text::Token name(std::string_view what);
  /// A name or a number.
  std::string label();

  /// The text from this token up to the one that is next, on one line and without comments.
  std::string text_from(const text::Token& first);

  [[noreturn]] void fail(const text::Token& at, std::string message, std::string hint);
  [[noreturn]] void fail_expected(std::string_view what, std::string hint);

  static model::boolean::Position position(const text::Token& token) {
    return {token.line, token.column};
  }

  /// Counts one level of nesting while it lives; reports if there are too many.
  class Level {
   public:
    explicit Level(Tokens& tokens);
    ~Level() { --tokens_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Tokens& tokens_;
  };

 private:
  text::Lexer lexer_;
  text::Problems& problems_;
  int depth_ = 0;
};

bool is_keyword(std::string_view word);
/// The keyword that the word may be a misspelling of, as a hint; else empty.
std::string keyword_hint(std::string_view word);

}  // namespace heddle::frontend::boolean_program
