#include "frontend/thread_system/format.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "frontend/question_comments.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "frontend/thread_system/comments.hpp"
#include "frontend/thread_system/state_reader.hpp"

namespace heddle::frontend::thread_system {

namespace {

using model::StepKind;
using model::ThreadTransition;
using text::Lexer;
using text::LineEnds;
using text::Token;
using text::TokenKind;

constexpr std::string_view kHeaderHint =
    "the first line gives the number of shared and of local states, for example '7 5'";
constexpr std::string_view kEdgeHint =
    "an edge is 's l -> s l' with passive transfers 'l ~> l' behind it, 's l +> s l' or "
    "'s l ~> s l'";

/// A file is a header line and then one edge a line; a broken line does not stop the others from
/// being read.
class Parser {
 public:
  explicit Parser(const SourceText& source)
      : lexer_(source.text, LineEnds::Tokens), problems_(source) {}

  base::Parsed<ThreadFile> run() {
    if (header()) edges();
    if (problems_.any_error()) return std::unexpected(problems_.take_errors());
    comments_.name_states(system_);
    return ThreadFile{std::move(system_), {}, {}, problems_.take_warnings()};
  }

 private:
  bool header();
  std::optional<std::uint32_t> state_count(std::string_view what);
  void edges();
  std::optional<ThreadTransition> edge(StateReader& states);
  std::optional<StepKind> arrow();
  bool passive_moves(StateReader& states, ThreadTransition& t);
  bool end_of_line(StepKind kind);

  Lexer lexer_;
  text::Problems problems_;
  Comments comments_;
  model::ThreadSystem system_;
};

bool Parser::header() {
  lexer_.skip_line_ends();
  comments_.outside_edges(lexer_.take_comments());
  if (lexer_.peek().kind == TokenKind::End) {
    problems_.error("the file has no header", std::string(kHeaderHint));
    return false;
  }
  const auto shared = state_count("the number of shared states");
  if (!shared) return false;
  const auto local = state_count("the number of local states");
  if (!local) return false;
  if (!lexer_.peek().ends_line()) {
    problems_.expected("the end of the header line", lexer_.peek(), std::string(kHeaderHint));
    return false;
  }
  comments_.outside_edges(lexer_.take_comments());
  system_.shared_count = *shared;
  system_.local_count = *local;
  return true;
}

std::optional<std::uint32_t> Parser::state_count(std::string_view what) {
  if (lexer_.peek().kind != TokenKind::Number) {
    problems_.expected(what, lexer_.peek(), std::string(kHeaderHint));
    return std::nullopt;
  }
  const Token token = lexer_.next();
  const auto count = small_number(token);
  if (!count) {
    problems_.error(
        token, std::string(what) + " is too large: " + text::describe(token),
        "at most " + std::to_string(std::numeric_limits<std::uint32_t>::max()) + " are possible");
  } else if (*count == 0) {
    problems_.error(token, std::string(what) + " is 0", "there must be at least one");
  }
  return count && *count > 0 ? count : std::nullopt;
}

void Parser::edges() {
  StateReader states(lexer_, problems_, system_.shared_count, system_.local_count);
  for (;;) {
    lexer_.skip_line_ends();
    if (lexer_.peek().kind == TokenKind::End || problems_.full()) break;
    const std::uint32_t line = lexer_.peek().line;
    std::optional<ThreadTransition> read = edge(states);
    lexer_.skip_rest_of_line();
    if (!read) {
      comments_.outside_edges(lexer_.take_comments());
      continue;
    }
    read->line = line;
    read->note = comments_.note_of_edge(lexer_.take_comments());
    system_.transitions.push_back(std::move(*read));
  }
  comments_.outside_edges(lexer_.take_comments());
}

std::optional<ThreadTransition> Parser::edge(StateReader& states) {
  const auto source_shared = states.shared(kEdgeHint);
  if (!source_shared) return std::nullopt;
  const auto source_local = states.local(kEdgeHint);
  if (!source_local) return std::nullopt;
  const auto kind = arrow();
  if (!kind) return std::nullopt;
  const auto target_shared = states.shared(kEdgeHint);
  if (!target_shared) return std::nullopt;
  const auto target_local = states.local(kEdgeHint);
  if (!target_local) return std::nullopt;

  ThreadTransition t;
  t.kind = *kind;
  t.source = {*source_shared, *source_local};
  t.target = {*target_shared, *target_local};
  if (t.kind == StepKind::Move && !passive_moves(states, t)) return std::nullopt;
  if (!end_of_line(t.kind)) return std::nullopt;
  return t;
}

std::optional<StepKind> Parser::arrow() {
  if (lexer_.accept("->")) return StepKind::Move;
  if (lexer_.accept("+>")) return StepKind::Spawn;
  if (lexer_.accept("~>")) return StepKind::Transfer;
  problems_.expected("'->', '+>' or '~>'", lexer_.peek(), std::string(kEdgeHint));
  return std::nullopt;
}

bool Parser::passive_moves(StateReader& states, ThreadTransition& t) {
  while (lexer_.peek().kind == TokenKind::Number) {
    const auto from = states.local(kEdgeHint);
    if (!lexer_.accept("~>")) {
      problems_.expected("'~>' of a passive transfer", lexer_.peek(),
                         "one edge a line; behind it only pairs 'l ~> l'");
      return false;
    }
    const auto to = states.local(kEdgeHint);
    if (!to) return false;
    t.passive.push_back({*from, *to});
  }
  std::ranges::sort(t.passive);
  const auto repeated = std::ranges::unique(t.passive);
  t.passive.erase(repeated.begin(), repeated.end());
  return true;
}

bool Parser::end_of_line(StepKind kind) {
  if (lexer_.peek().ends_line()) return true;
  const bool could_be_passive = kind != StepKind::Move && lexer_.peek().kind == TokenKind::Number;
  problems_.expected("the end of the line", lexer_.peek(),
                     could_be_passive ? "passive transfers can follow only a '->' edge"
                                      : "one edge a line, comments start with '#'");
  return false;
}

}  // namespace

bool recognises(std::string_view text) {
  Lexer lexer(text, LineEnds::Tokens);
  lexer.skip_line_ends();
  return lexer.next().kind == TokenKind::Number && lexer.next().kind == TokenKind::Number;
}

base::Parsed<ThreadFile> parse(const SourceText& source) {
  return with_question_comments(Parser(source).run(), source, {"#"});
}

}  // namespace heddle::frontend::thread_system
