#include "frontend/pushdown/notation.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "frontend/text/region_list.hpp"
#include "frontend/text/state_name.hpp"

namespace heddle::frontend::pushdown {

namespace {

using model::StackSymbol;
using model::VisibleState;
using text::Lexer;
using text::LineEnds;
using text::Token;
using text::TokenKind;

constexpr std::string_view kTopsHint =
    "a state is 's|a,b,...': a shared state and the top of each thread's stack, '-' if it is "
    "empty, and in a target '*' if it does not matter; for example '3|1,-'";

/// Reads one region at a time.
class TopsReader {
 public:
  TopsReader(Lexer& lexer, text::Problems& problems, const model::PushdownSystem& system,
             bool wildcards)
      : lexer_(lexer), problems_(problems), system_(system), wildcards_(wildcards) {}

  std::optional<VisibleState> read() {
    const Token at = lexer_.peek();
    const auto shared =
        read_state("the number or name of a shared state", {"shared state", system_.shared_names});
    if (!shared) return std::nullopt;
    if (*shared >= system_.shared_count) {
      problems_.error(at, "shared state " + text::describe(at) + " is out of range",
                      "the shared states are 0 to " + std::to_string(system_.shared_count - 1));
      return std::nullopt;
    }
    if (!lexer_.accept("|")) {
      problems_.expected("'|'", lexer_.peek(), std::string(kTopsHint));
      return std::nullopt;
    }
    VisibleState state{model::SharedState(*shared), {}};
    return tops(state) ? std::optional(std::move(state)) : std::nullopt;
  }

 private:
  std::optional<std::uint32_t> read_state(std::string_view what, const text::NamedStates& names) {
    const bool is_there = lexer_.peek().kind == TokenKind::Number;
    const Token token = !names.names.empty() ? text::take_state(lexer_)
                        : is_there           ? lexer_.next()
                                             : lexer_.peek();
    if (token.kind == TokenKind::Quoted) return text::find_state(token, names, problems_);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
    if (token.kind == TokenKind::Number && error == std::errc{} && end == token.text.end())
      return value;
    problems_.expected(what, token, std::string(kTopsHint));
    return std::nullopt;
  }

  bool tops(VisibleState& state) {
    const Token at = lexer_.peek();
    std::uint32_t thread = 0;
    do {
      lexer_.skip_line_ends();
      if (!top(state, thread++)) return false;
    } while (lexer_.accept(","));
    if (thread == system_.threads.size()) return true;
    problems_.error(at,
                    "there are " + std::to_string(thread) + " tops for " +
                        std::to_string(system_.threads.size()) + " threads",
                    std::string(kTopsHint));
    return false;
  }

  /// An empty stack is what an initial state says by silence.
  bool top(VisibleState& state, std::uint32_t thread) {
    if (wildcards_ && lexer_.accept("*")) return true;
    if (lexer_.accept("-")) {
      if (wildcards_) state.tops.push_back({thread, std::nullopt});
      return true;
    }
    static const std::vector<std::string> kNone;
    const bool exists = thread < system_.threads.size();
    const auto symbol =
        read_state("a stack symbol or '-'", {"stack symbol of thread " + std::to_string(thread),
                                             exists ? system_.threads[thread].symbol_names : kNone,
                                             exists ? system_.threads[thread].first.value : 0});
    if (!symbol) return false;
    state.tops.push_back({thread, StackSymbol(*symbol)});
    return true;
  }

  Lexer& lexer_;
  text::Problems& problems_;
  const model::PushdownSystem& system_;
  bool wildcards_;
};

base::Parsed<std::vector<VisibleState>> read_all(const model::PushdownSystem& system,
                                                 const SourceText& source, bool wildcards) {
  Lexer lexer(source.text, text::Dialect{.line_ends = LineEnds::Tokens, .quoted_names = true});
  text::Problems problems(source);
  TopsReader reader(lexer, problems, system, wildcards);
  return text::read_regions<VisibleState>(
      lexer, problems, [&] { return reader.read(); }, kTopsHint);
}

}  // namespace

}  // namespace heddle::frontend::pushdown

namespace heddle::frontend {

using PushdownNotation = Notation<model::PushdownSystem>;

base::Parsed<std::vector<model::VisibleState>> PushdownNotation::parse_targets(
    const model::PushdownSystem& system, const SourceText& source) {
  return pushdown::read_all(system, source, true);
}

base::Parsed<std::vector<model::VisibleState>> PushdownNotation::parse_initial(
    const model::PushdownSystem& system, const SourceText& source) {
  return pushdown::read_all(system, source, false);
}

std::string PushdownNotation::print_initial(const model::PushdownSystem& system,
                                            const model::VisibleState& initial) {
  return initial_to_string(system, initial);
}

base::Parsed<void> PushdownNotation::fix_thread_count(const base::Integer&,
                                                      std::vector<model::VisibleState>&) {
  return std::unexpected(thread_count_complaint("a pushdown system has a fixed number of threads"));
}

model::VisibleState PushdownNotation::plain_initial(model::VisibleState initial) {
  std::erase_if(initial.tops, [](const model::ThreadTop& at) { return !at.top; });
  return initial;
}

}  // namespace heddle::frontend
