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
  if (!lexer_.accept("->")) {  // else the guard is empty: always enabled
    auto guard = constraints_.conjunction();
    if (!guard || !symbol("->", "',' or '->'")) return std::nullopt;
    t.guard = std::move(*guard);
    std::erase_if(t.guard, [](const auto& bound) { return bound.lower == 0 && !bound.upper; });
  }
  if (!lexer_.peek().is(";") && !updates(t)) return std::nullopt;
  if (!symbol(";", "',' or ';'")) return std::nullopt;
  return t;
}

bool RuleReader::updates(PetriTransition& t) {
  updated_.restart();
  sources_.clear();
  do {
    const Token name = lexer_.peek();
    auto read = update();
    if (!read) return false;
    if (!updated_.first(read->place))
      problems_.warning(name, "place " + text::describe(name) + " is updated twice",
                        "only the first update counts, all of a rule happen at once");
    else if (!is_identity(*read))
      t.updates.push_back(std::move(*read));
  } while (lexer_.accept(","));
  warn_of_copies();
  std::ranges::sort(t.updates, {}, &PlaceUpdate::place);
  return true;
}

/// A place that another place's update reads keeps its tokens unless it has an update too. Other
/// readers of the format take such a place for emptied, so the user had better say it.
void RuleReader::warn_of_copies() {
  for (const auto& [place, name] : sources_)
    if (place != kUnknownPlace && updated_.first(place))
      problems_.warning(name,
                        "the tokens of " + text::describe(name) +
                            " are copied: this update reads them, and none removes them",
                        "write \"" + std::string(name.text) + "' = 0\" if they should move");
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
  const Token name = lexer_.peek();
  const auto place = read_place(lexer_, places_, problems_);
  if (!place) return false;
  update.sources.push_back({*place, weight});
  sources_.emplace_back(*place, name);
  return true;
}

bool RuleReader::symbol(std::string_view wanted, std::string_view expected) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected(expected, lexer_.peek(), std::string(kRuleHint));
  return false;
}

}  // namespace heddle::frontend::petri
