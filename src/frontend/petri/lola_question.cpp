#include "frontend/petri/lola_question.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/petri/lola.hpp"

namespace heddle::frontend::petri {

namespace {

using namespace std::string_view_literals;
using text::Token;
using text::TokenKind;

constexpr std::array kOthers = {"EX"sv,     "AX"sv,      "EG"sv,      "AF"sv,
                                "EXPATH"sv, "ALLPATH"sv, "DEADLOCK"sv};
constexpr std::array kStarts = {"FORMULA"sv, "EF"sv, "REACHABLE"sv, "AG"sv, "INVARIANT"sv};
constexpr std::array kComparisons = {"="sv, ">="sv, "in"sv};

bool is_one_of(const Token& token, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return token.is(word); });
}

/// `EF f` asks whether f can be reached, `AG f` whether its negation can.
std::optional<bool> asks_for_negation(text::Lexer& lexer, text::Problems& problems) {
  lexer.accept("FORMULA");
  const Token first = lexer.peek();
  if (lexer.accept("EF") || lexer.accept("REACHABLE")) return false;
  if (lexer.accept("AG") || lexer.accept("INVARIANT")) return true;
  if (lexer.accept("EXPATH") && lexer.accept("EVENTUALLY")) return false;
  if (lexer.accept("ALLPATH") && lexer.accept("ALWAYS")) return true;
  if (!is_one_of(first, kOthers)) return false;
  problems.error(first, text::describe(first) + " does not ask what can be reached",
                 "only 'EF (...)' and 'AG (...)' can be decided here");
  return std::nullopt;
}

/// Numbers of transitions by name; empty where names are missing or not unique.
PlaceTable named(const std::vector<model::PetriTransition>& transitions) {
  PlaceTable out;
  for (const auto& transition : transitions)
    if (transition.name.empty() || !out.declare(transition.name)) return {};
  return out;
}

}  // namespace

std::optional<MarkingSet> read_lola_question(text::Lexer& lexer, const PlaceTable& places,
                                             const PlaceTable& transitions,
                                             const model::PetriNet& net, text::Problems& problems) {
  const auto negated = asks_for_negation(lexer, problems);
  if (!negated) return std::nullopt;
  const FormulaWords words = lola_words();
  auto targets = FormulaReader(lexer, words, places, transitions, net, problems).formula(*negated);
  if (!targets) return std::nullopt;
  lexer.accept(";");
  if (lexer.peek().kind == TokenKind::End) return targets;
  problems.expected("the end of the file", lexer.peek(),
                    "a file has one formula, joined by AND, OR and NOT");
  return std::nullopt;
}

bool recognises_lola_question(std::string_view text) {
  text::Lexer lexer(text, lola_dialect());
  const Token first = lexer.next();
  return (is_one_of(first, kStarts) || is_one_of(first, kOthers)) &&
         !is_one_of(lexer.peek(), kComparisons);
}

base::Parsed<std::vector<model::Region>> parse_lola_question(const model::PetriNet& net,
                                                             const SourceText& source) {
  text::Lexer lexer(source.text, lola_dialect());
  text::Problems problems(source);
  const PlaceTable places(net.places);
  const PlaceTable transitions = named(net.transitions);
  auto targets = read_lola_question(lexer, places, transitions, net, problems);
  if (!targets) return std::unexpected(problems.take_errors());
  return std::move(*targets);
}

}  // namespace heddle::frontend::petri
