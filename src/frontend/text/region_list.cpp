#include "frontend/text/region_list.hpp"

#include <string>
#include <utility>

namespace heddle::frontend::text {

namespace {

void skip_separators(Lexer& lexer) {
  do lexer.skip_line_ends();
  while (lexer.accept(";"));
}

bool at_separator(Lexer& lexer) { return lexer.peek().ends_line() || lexer.peek().is(";"); }

void skip_region(Lexer& lexer) {
  while (!at_separator(lexer)) lexer.next();
}

}  // namespace

base::Parsed<std::vector<model::Region>> read_regions(
    Lexer& lexer, Problems& problems, const std::function<std::optional<model::Region>()>& read_one,
    std::string_view hint) {
  std::vector<model::Region> regions;
  for (;;) {
    skip_separators(lexer);
    if (lexer.peek().kind == TokenKind::End || problems.full()) break;
    std::optional<model::Region> region = read_one();
    if (region && !at_separator(lexer))
      problems.expected("',' or ';'", lexer.peek(), std::string(hint));
    if (region) regions.push_back(std::move(*region));
    skip_region(lexer);
  }
  if (regions.empty() && !problems.any_error())
    problems.error("nothing is given", std::string(hint));
  if (problems.any_error()) return std::unexpected(problems.take_errors());
  return regions;
}

}  // namespace heddle::frontend::text
