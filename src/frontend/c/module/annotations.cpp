#include "frontend/c/module/annotations.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace heddle::frontend::c {

namespace {

using clang::Token;
namespace tok = clang::tok;

/// The tokens of an annotation, from behind `//@` to its end.
std::vector<Token> tokens_of(const clang::Preprocessor& preprocessor, clang::SourceRange comment) {
  const clang::SourceManager& manager = preprocessor.getSourceManager();
  const auto [file, begin] = manager.getDecomposedLoc(comment.getBegin());
  const std::size_t end = manager.getFileOffset(comment.getEnd());
  const llvm::StringRef buffer = manager.getBufferData(file);
  const llvm::StringRef text = buffer.slice(begin, end);
  if (!text.starts_with("//@") && !text.starts_with("/*@")) return {};
  const std::size_t last = text.starts_with("/*@") ? end - 2 : end;
  clang::Lexer lexer(manager.getLocForStartOfFile(file), preprocessor.getLangOpts(), buffer.begin(),
                     buffer.begin() + begin + 3, buffer.end());
  std::vector<Token> out;
  while (true) {
    Token token;
    lexer.LexFromRawLexer(token);
    if (token.is(tok::eof) || manager.getFileOffset(token.getLocation()) >= last) return out;
    out.push_back(token);
  }
}

/// Writes the statement for one assertion.
class AssertionWriter {
 public:
  AssertionWriter(clang::Preprocessor& preprocessor, clang::SourceLocation at,
                  std::vector<Token>& out)
      : preprocessor_(preprocessor), at_(at), out_(out) {}

  void write(std::span<const Token> formula) {
    punctuator(tok::l_brace);
    call("__heddle_atomic_begin", {});
    identifier("if");
    punctuator(tok::l_paren);
    punctuator(tok::exclaim);
    punctuator(tok::l_paren);
    implication(formula);
    punctuator(tok::r_paren);
    punctuator(tok::r_paren);
    call("__heddle_fail", "\"" + quoted(formula) + "\"");
    call("__heddle_atomic_end", {});
    punctuator(tok::r_brace);
  }

 private:
  void punctuator(tok::TokenKind kind) { add(kind, at_); }

  Token& add(tok::TokenKind kind, clang::SourceLocation at) {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(at);
    token.setLength(1);
    return out_.emplace_back(token);
  }

  void identifier(const char* name) {
    clang::IdentifierInfo* info = preprocessor_.getIdentifierInfo(name);
    add(info->getTokenID(), at_).setIdentifierInfo(info);
  }

  void literal(tok::TokenKind kind, const std::string& text, clang::SourceLocation at) {
    preprocessor_.CreateString(text, add(kind, at), at, at);
  }

  void call(const char* function, const std::string& argument) {
    identifier(function);
    punctuator(tok::l_paren);
    if (!argument.empty()) literal(tok::string_literal, argument, at_);
    punctuator(tok::r_paren);
    punctuator(tok::semi);
  }

  /// `a ==> b` as `!(a) || (b)`; what stands to the right of it may be an implication again.
  void implication(std::span<const Token> formula) {
    int depth = 0;
    for (std::size_t i = 0; i + 1 < formula.size(); ++i) {
      const Token& token = formula[i];
      depth += token.is(tok::l_paren) - token.is(tok::r_paren);
      if (depth != 0 || !is_arrow(token, formula[i + 1])) continue;
      punctuator(tok::exclaim);
      punctuator(tok::l_paren);
      expression(formula.first(i));
      punctuator(tok::r_paren);
      punctuator(tok::pipepipe);
      punctuator(tok::l_paren);
      implication(formula.subspan(i + 2));
      punctuator(tok::r_paren);
      return;
    }
    expression(formula);
  }

  static bool is_arrow(const Token& token, const Token& next) {
    return token.is(tok::equalequal) && next.is(tok::greater) &&
           token.getEndLoc() == next.getLocation();
  }

  void expression(std::span<const Token> tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      Token token = tokens[i];
      if (token.is(tok::unknown) && i + 1 < tokens.size() &&
          tokens[i + 1].is(tok::raw_identifier)) {
        logical_constant(token, tokens[i + 1]);
        ++i;
        continue;
      }
      token.clearFlag(Token::StartOfLine);
      if (token.is(tok::raw_identifier)) preprocessor_.LookUpIdentifierInfo(token);
      out_.push_back(token);
    }
  }

  void logical_constant(const Token& backslash, const Token& name) {
    const llvm::StringRef text = name.getRawIdentifier();
    if (text == "true" || text == "false") {
      literal(tok::numeric_constant, text == "true" ? "1" : "0", backslash.getLocation());
      return;
    }
    clang::DiagnosticsEngine& diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(backslash.getLocation(),
                       diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                   "'\\%0' in assertions is not supported"))
        << text;
    literal(tok::numeric_constant, "0", backslash.getLocation());
  }

  /// The text of the formula between the quotes of a literal.
  std::string quoted(std::span<const Token> formula) const {
    if (formula.empty()) return {};
    const clang::SourceManager& manager = preprocessor_.getSourceManager();
    const char* begin = manager.getCharacterData(formula.front().getLocation());
    const char* end = manager.getCharacterData(formula.back().getEndLoc());
    std::string out;
    for (const char* c = begin; c != end; ++c) {
      if (*c == '"' || *c == '\\') out += '\\';
      out += *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    return out;
  }

  clang::Preprocessor& preprocessor_;
  clang::SourceLocation at_;
  std::vector<Token>& out_;
};

class AssertionReader : public clang::CommentHandler {
 public:
  bool HandleComment(clang::Preprocessor& preprocessor, clang::SourceRange comment) override {
    if (!comment.getBegin().isFileID()) return false;
    const std::vector<Token> tokens = tokens_of(preprocessor, comment);
    std::vector<Token> statements;
    std::span<const Token> rest = tokens;
    while (rest.size() >= 2 && rest.front().is(tok::raw_identifier) &&
           rest.front().getRawIdentifier() == "assert") {
      const auto end = std::ranges::find_if(rest, [](const Token& t) { return t.is(tok::semi); });
      if (end == rest.end()) break;
      const auto length = static_cast<std::size_t>(end - rest.begin());
      AssertionWriter(preprocessor, rest.front().getLocation(), statements)
          .write(rest.subspan(1, length - 1));
      rest = rest.subspan(length + 1);
    }
    if (statements.empty()) return false;
    auto stream = std::make_unique<Token[]>(statements.size());
    std::ranges::copy(statements, stream.get());
    preprocessor.EnterTokenStream(std::move(stream), static_cast<unsigned>(statements.size()),
                                  /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
    return true;
  }
};

}  // namespace

std::unique_ptr<clang::CommentHandler> assertion_reader() {
  return std::make_unique<AssertionReader>();
}

}  // namespace heddle::frontend::c
