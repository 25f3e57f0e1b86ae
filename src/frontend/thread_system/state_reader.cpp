#include "frontend/thread_system/state_reader.hpp"

#include <charconv>

#include "frontend/text/state_name.hpp"

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

std::optional<std::uint32_t> StateReader::named(const std::string& kind, const Token& name) const {
  const auto& names = kind == "shared" ? names_->shared_names : names_->local_names;
  return text::find_state(name, {kind + " state", names}, problems_);
}

std::optional<std::uint32_t> StateReader::state(const std::string& kind, std::uint32_t count,
                                                std::string_view hint) {
  const bool is_there = names_ || lexer_.peek().kind == TokenKind::Number;
  const Token token = names_ ? text::take_state(lexer_) : is_there ? lexer_.next() : lexer_.peek();
  if (names_ && token.kind == TokenKind::Quoted) return named(kind, token);
  if (token.kind != TokenKind::Number) {
    problems_.expected(
        "the number " + std::string(names_ ? "or name " : "") + "of a " + kind + " state", token,
        std::string(hint));
    return std::nullopt;
  }
  const auto number = small_number(token);
  if (number && *number < count) return number;
  problems_.error(token, kind + " state " + text::describe(token) + " is out of range",
                  "the " + kind + " states are 0 to " + std::to_string(count - 1));
  return 0;
}

}  // namespace heddle::frontend::thread_system
