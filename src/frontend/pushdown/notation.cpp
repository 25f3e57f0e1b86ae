#include "frontend/pushdown/notation.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "frontend/text/region_list.hpp"

namespace heddle::frontend::pushdown {

namespace {

using model::Region;
using model::StackSymbol;
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

  std::optional<Region> read() {
    const Token at = lexer_.peek();
    const auto shared = number("the number of a shared state");
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
    Region region{model::SharedState(*shared), {}};
    return tops(region) ? std::optional(std::move(region)) : std::nullopt;
  }

 private:
  std::optional<std::uint32_t> number(std::string_view what) {
    const Token token = lexer_.peek();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), value);
    if (token.kind == TokenKind::Number && error == std::errc{} && end == token.text.end()) {
      lexer_.next();
      return value;
    }
    problems_.expected(what, token, std::string(kTopsHint));
    return std::nullopt;
  }

  bool tops(Region& region) {
    const Token at = lexer_.peek();
    std::size_t thread = 0;
    do {
      lexer_.skip_line_ends();
      if (!top(region, model::Counter(thread++))) return false;
    } while (lexer_.accept(","));
    if (thread == system_.threads.size()) return true;
    problems_.error(at,
                    "there are " + std::to_string(thread) + " tops for " +
                        std::to_string(system_.threads.size()) + " threads",
                    std::string(kTopsHint));
    return false;
  }

  /// An empty stack is what an initial region says by silence.
  bool top(Region& region, model::Counter thread) {
    if (wildcards_ && lexer_.accept("*")) return true;
    if (lexer_.accept("-")) {
      if (wildcards_) region.bounds.push_back({thread, 0, base::Integer(0)});
      return true;
    }
    const auto symbol = number("a stack symbol or '-'");
    if (!symbol) return false;
    const base::Integer value = model::top_value(StackSymbol(*symbol));
    region.bounds.push_back({thread, value, value});
    return true;
  }

  Lexer& lexer_;
  text::Problems& problems_;
  const model::PushdownSystem& system_;
  bool wildcards_;
};

base::Parsed<std::vector<Region>> read_all(const model::PushdownSystem& system,
                                           const SourceText& source, bool wildcards) {
  Lexer lexer(source.text, LineEnds::Tokens);
  text::Problems problems(source);
  TopsReader reader(lexer, problems, system, wildcards);
  return text::read_regions(lexer, problems, [&] { return reader.read(); }, kTopsHint);
}

}  // namespace

base::Parsed<std::vector<Region>> parse_targets(const model::PushdownSystem& system,
                                                const SourceText& source) {
  return read_all(system, source, true);
}

base::Parsed<std::vector<Region>> parse_initial(const model::PushdownSystem& system,
                                                const SourceText& source) {
  return read_all(system, source, false);
}

}  // namespace heddle::frontend::pushdown
