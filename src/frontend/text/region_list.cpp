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

base::Diagnostics read_list(Lexer& lexer, Problems& problems, const std::function<bool()>& read_one,
                            std::string_view hint) {
  bool any = false;
  for (;;) {
    skip_separators(lexer);
    if (lexer.peek().kind == TokenKind::End || problems.full()) break;
    const bool read = read_one();
    if (read && !at_separator(lexer))
      problems.expected("',' or ';'", lexer.peek(), std::string(hint));
    any = any || read;
    skip_region(lexer);
  }
  if (!any && !problems.any_error()) problems.error("nothing is given", std::string(hint));
  return problems.any_error() ? problems.take_errors() : base::Diagnostics();
}

}  // namespace heddle::frontend::text
