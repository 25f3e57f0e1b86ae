#include "frontend/text/state_name.hpp"

#include <algorithm>
#include <vector>

#include "base/suggest.hpp"

namespace heddle::frontend::text {

namespace {

constexpr std::size_t kNamesShown = 8;

bool ends_state(const Token& token) {
  return token.ends_line() || (token.kind == TokenKind::Symbol &&
                               std::string_view("|,/^;").contains(token.text.front()));
}

/// `the names are 'free', 'taken'`
std::string known_names(std::span<const std::string> names) {
  std::string out;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (shown++ == kNamesShown) return out + ", …";
    out += (out.empty() ? "the names are '" : ", '") + name + "'";
  }
  return out;
}

}  // namespace

Token take_state(Lexer& lexer) {
  if (ends_state(lexer.peek())) return lexer.peek();
  Token state = lexer.next();
  const bool is_one = ends_state(lexer.peek());
  if (is_one && (state.kind == TokenKind::Number || state.kind == TokenKind::Quoted)) return state;
  const char* end = state.text.data() + state.text.size();
  while (!ends_state(lexer.peek())) {
    const Token more = lexer.next();
    end = more.text.data() + more.text.size();
  }
  state.text = {state.text.data(), static_cast<std::size_t>(end - state.text.data())};
  state.kind = TokenKind::Quoted;
  return state;
}

std::optional<std::uint32_t> find_state(const Token& name, const NamedStates& states,
                                        Problems& problems) {
  const std::string& kind = states.kind;
  const auto found = std::ranges::find(states.names, name.text);
  if (name.text.empty() || found == states.names.end()) {
    const std::vector<std::string> known(states.names.begin(), states.names.end());
    std::string hint = base::did_you_mean(name.text, known);
    if (hint.empty()) hint = known_names(states.names);
    if (hint.empty()) hint = "the file names no " + kind + "; use its number";
    problems.error(name, "no " + kind + " is called " + describe(name), hint);
    return std::nullopt;
  }
  if (std::find(found + 1, states.names.end(), name.text) != states.names.end()) {
    problems.error(name, "several " + kind + "s are called " + describe(name),
                   "use the number of the one that is meant");
    return std::nullopt;
  }
  return states.first + static_cast<std::uint32_t>(found - states.names.begin());
}

}  // namespace heddle::frontend::text
