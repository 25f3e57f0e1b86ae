#include "frontend/petri/rule_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using model::PetriTransition;
using model::PlaceUpdate;
using model::WeightedPlace;
using text::Token;
using text::TokenKind;

constexpr std::string_view kRuleHint =
    "a rule is 'guard, guard -> update, update;', for example 'p >= 1 -> p' = p - 1, q' = q + 1;'";

bool is_identity(const PlaceUpdate& update) { return update.is_shift() && update.constant == 0; }

/// Sorts, adds up what is listed twice, drops what has weight 0.
void normalise(std::vector<WeightedPlace>& sources) {
  std::ranges::sort(sources, {}, &WeightedPlace::place);
  std::vector<WeightedPlace> sum;
  for (WeightedPlace& source : sources) {
    if (!sum.empty() && sum.back().place == source.place)
      sum.back().weight += source.weight;
    else
      sum.push_back(std::move(source));
  }
  std::erase_if(sum, [](const WeightedPlace& source) { return source.weight == 0; });
  sources = std::move(sum);
}

}  // namespace

std::optional<PetriTransition> RuleReader::rule() {
  PetriTransition t;
  t.line = lexer_.peek().line;
  auto guard = constraints_.conjunction();
  if (!guard || !symbol("->", "',' or '->'")) return std::nullopt;
  t.guard = std::move(*guard);
  std::erase_if(t.guard, [](const auto& bound) { return bound.lower == 0 && !bound.upper; });
  if (!lexer_.peek().is(";") && !updates(t)) return std::nullopt;
  if (!symbol(";", "',' or ';'")) return std::nullopt;
  return t;
}

bool RuleReader::updates(PetriTransition& t) {
  updated_.restart();
  do {
    const Token name = lexer_.peek();
    auto read = update();
    if (!read) return false;
    if (!updated_.first(read->place))
      problems_.error(name, "place " + text::describe(name) + " is updated twice",
                      "all updates of a rule happen at once: add them up");
    if (!is_identity(*read)) t.updates.push_back(std::move(*read));
  } while (lexer_.accept(","));
  std::ranges::sort(t.updates, {}, &PlaceUpdate::place);
  return true;
}

std::optional<PlaceUpdate> RuleReader::update() {
  const auto place = read_place(lexer_, places_, problems_);
  if (!place || !symbol("'", "''' behind the updated place") || !symbol("=", "'='"))
    return std::nullopt;
  PlaceUpdate update{*place, {}, 0};
  if (!sum(update)) return std::nullopt;
  normalise(update.sources);
  return update;
}

bool RuleReader::sum(PlaceUpdate& update) {
  bool subtracted = false;
  for (;;) {
    if (!term(update, subtracted)) return false;
    subtracted = lexer_.peek().is("-");
    if (!subtracted && !lexer_.peek().is("+")) return true;
    lexer_.next();
  }
}

bool RuleReader::term(PlaceUpdate& update, bool subtracted) {
  if (lexer_.peek().kind != TokenKind::Number) {
    if (!subtracted) return source(update, 1);
    problems_.expected("a number behind '-'", lexer_.peek(), "places can only be added");
    return false;
  }
  const Integer number = *read_number(lexer_, problems_);
  const bool is_weight = !subtracted && lexer_.accept("*");
  if (is_weight) return source(update, number);
  update.constant += subtracted ? Integer(-number) : number;
  return true;
}

bool RuleReader::source(PlaceUpdate& update, const Integer& weight) {
  const auto place = read_place(lexer_, places_, problems_);
  if (!place) return false;
  update.sources.push_back({*place, weight});
  return true;
}

bool RuleReader::symbol(std::string_view wanted, std::string_view expected) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected(expected, lexer_.peek(), std::string(kRuleHint));
  return false;
}

}  // namespace heddle::frontend::petri
