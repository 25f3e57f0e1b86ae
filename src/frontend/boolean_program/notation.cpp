#include "frontend/boolean_program/notation.hpp"

#include "base/integer.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::boolean_program {

namespace {

using base::Integer;
using model::Counter;
using model::Region;

std::vector<Region> in_main(const Integer& least, std::optional<Integer> most) {
  return {Region{{}, {{Counter(0U), least, std::move(most)}}}};
}

}  // namespace

base::Parsed<std::vector<Region>> parse_targets(const SourceText& source) {
  text::Problems problems(source);
  problems.error("the target of a Boolean program is that one of its assertions fails",
                 "write what should hold as assert(…) in the program");
  return std::unexpected(problems.take_errors());
}

base::Parsed<std::vector<Region>> parse_initial(const SourceText& source) {
  text::Lexer lexer(source.text, text::LineEnds::Blanks);
  const text::Token word = lexer.next();
  const bool alone = lexer.peek().kind == text::TokenKind::End;
  if (alone && word.is("any")) return in_main(1, std::nullopt);
  const auto count = base::parse_integer(word.text);
  if (alone && count && *count >= 1) return in_main(*count, count);
  text::Problems problems(source);
  problems.error("this is no number of threads",
                 "give the number of threads that start in main, or 'any'");
  return std::unexpected(problems.take_errors());
}

std::string print_initial(const Region& region) {
  const model::CounterBound* bound = region.find(Counter(0U));
  if (!bound) return "0";
  return bound->upper ? base::to_string(*bound->upper) : "any";
}

std::vector<Region> default_initial() { return in_main(1, Integer(1)); }

}  // namespace heddle::frontend::boolean_program
