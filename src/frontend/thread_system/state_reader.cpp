#include "frontend/thread_system/state_reader.hpp"

#include <charconv>

namespace heddle::frontend::thread_system {

using text::Token;
using text::TokenKind;

std::optional<std::uint32_t> small_number(const Token& token) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
  if (error != std::errc{} || end != token.text.end()) return std::nullopt;
  return value;
}

std::optional<model::SharedState> StateReader::shared(std::string_view hint) {
  const auto number = state("shared", shared_count_, hint);
  return number ? std::optional(model::SharedState(*number)) : std::nullopt;
}

std::optional<model::LocalState> StateReader::local(std::string_view hint) {
  const auto number = state("local", local_count_, hint);
  return number ? std::optional(model::LocalState(*number)) : std::nullopt;
}

std::optional<std::uint32_t> StateReader::state(const std::string& kind, std::uint32_t count,
                                                std::string_view hint) {
  if (lexer_.peek().kind != TokenKind::Number) {
    problems_.expected("the number of a " + kind + " state", lexer_.peek(), std::string(hint));
    return std::nullopt;
  }
  const Token token = lexer_.next();
  const auto number = small_number(token);
  if (number && *number < count) return number;
  problems_.error(token, kind + " state " + text::describe(token) + " is out of range",
                  "the " + kind + " states are 0 to " + std::to_string(count - 1));
  return 0;
}

}  // namespace heddle::frontend::thread_system
