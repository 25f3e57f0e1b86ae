#include "frontend/petri/notation.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "frontend/petri/constraint_reader.hpp"
#include "frontend/petri/formula_reader.hpp"
#include "frontend/petri/lola_question.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/petri/pnet.hpp"
#include "frontend/petri/property_set.hpp"
#include "frontend/petri/xml_reader.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"
#include "frontend/text/region_list.hpp"

namespace heddle::frontend::petri {

namespace {

using model::CounterBound;
using model::Region;
using text::Lexer;
using text::LineEnds;

/// Places of other formats may have any names: these stand in quotes.
constexpr text::Dialect kDialect = {.line_ends = LineEnds::Tokens, .quoted_names = true};

/// Formulas have more symbols.
constexpr text::Dialect kFormulaDialect = {
    .line_ends = LineEnds::Tokens, .quoted_names = true, .comparison_symbols = true};

constexpr std::string_view kTargetHint =
    "a target is 'p >= 1, q >= 2' or a formula such as 'p + 2 * q <= r || r = 0'; ';' or a new "
    "line means or";
constexpr std::string_view kInitialHint =
    "an initial marking is 'p = 1, q >= 0'; what is not listed has no tokens";

/// Does some target compare places with each other, or join comparisons? Bounds alone have messages
/// of their own.
bool has_formula(std::string_view text) {
  Lexer lexer(text, kFormulaDialect);
  bool after_relation = false;
  for (text::Token token = lexer.next(); token.kind != text::TokenKind::End; token = lexer.next()) {
    for (const std::string_view symbol :
         {"+", "-", "*", "(", "<", "<=", ">", "!=", "<>", "#", "&&", "||", "!", "false"})
      if (token.is(symbol)) return true;
    const bool is_place =
        token.kind == text::TokenKind::Word || token.kind == text::TokenKind::Quoted;
    if (after_relation && is_place) return true;
    after_relation = token.is(">=") || token.is("=");
  }
  return false;
}

/// Formulas that are joined by ',' (and) and by ';' or new lines (or).
base::Parsed<std::vector<Region>> formulas_of_net(const model::PetriNet& net,
                                                  const SourceText& source) {
  Lexer lexer(source.text, kFormulaDialect);
  text::Problems problems(source);
  const PlaceTable places(net.places);
  PlaceTable transitions;
  for (const auto& transition : net.transitions) transitions.declare(transition.name);
  const FormulaWords words = pnet_words();
  FormulaReader reader(lexer, words, places, transitions, net, problems);
  MarkingSet all;
  const auto read_one = [&]() -> std::optional<MarkingSet> {
    MarkingSet joint = all_markings();
    do {
      lexer.skip_line_ends();
      const auto part = reader.formula(false);
      if (!part) return std::nullopt;
      joint = intersect(std::move(joint), *part);
    } while (lexer.accept(","));
    return joint;
  };
  auto sets = text::read_regions<MarkingSet>(lexer, problems, read_one, kTargetHint);
  if (!sets) return std::unexpected(std::move(sets.error()));
  for (const MarkingSet& set : *sets) all = unite(std::move(all), set);
  return to_targets(std::move(all));
}

base::Parsed<std::vector<Region>> targets_of_net(const model::PetriNet& net,
                                                 const SourceText& source) {
  if (is_xml(source.text)) return parse_property_set(net, source);
  if (recognises_lola_question(source.text)) return parse_lola_question(net, source);
  if (has_formula(source.text)) return formulas_of_net(net, source);
  Lexer lexer(source.text, kDialect);
  text::Problems problems(source);
  const PlaceTable places(net.places);
  ConstraintReader reader(lexer, places, problems);
  const auto target = [&]() -> std::optional<Region> {
    auto bounds = reader.conjunction();
    if (!bounds) return std::nullopt;
    return Region{model::SharedState(0u), std::move(*bounds)};
  };
  return text::read_regions<Region>(lexer, problems, target, kTargetHint);
}

base::Parsed<std::vector<Region>> initial_of_net(const model::PetriNet& net,
                                                 const SourceText& source) {
  Lexer lexer(source.text, kDialect);
  text::Problems problems(source);
  const PlaceTable places(net.places);
  ConstraintReader reader(lexer, places, problems);
  const auto initial = [&]() -> std::optional<Region> {
    if (lexer.peek().is("true")) {  // in a file's `init` it would mean any marking, here none
      problems.expected("a place", lexer.peek(), std::string(kInitialHint));
      return std::nullopt;
    }
    auto bounds = reader.conjunction();
    if (!bounds) return std::nullopt;
    std::erase_if(*bounds, [](const CounterBound& bound) { return bound.upper == 0; });
    return Region{model::SharedState(0u), std::move(*bounds)};
  };
  return text::read_regions<Region>(lexer, problems, initial, kInitialHint);
}

}  // namespace

}  // namespace heddle::frontend::petri

namespace heddle::frontend {

using NetNotation = Notation<model::PetriNet>;

base::Parsed<std::vector<model::Region>> NetNotation::parse_targets(const model::PetriNet& net,
                                                                    const SourceText& source) {
  return petri::targets_of_net(net, source);
}

base::Parsed<std::vector<model::Region>> NetNotation::parse_initial(const model::PetriNet& net,
                                                                    const SourceText& source) {
  return petri::initial_of_net(net, source);
}

std::string NetNotation::print_initial(const model::PetriNet& net, const model::Region& initial) {
  return initial_to_string(net, initial);
}

base::Parsed<void> NetNotation::fix_thread_count(const base::Integer&,
                                                 std::vector<model::Region>&) {
  return std::unexpected(thread_count_complaint("a Petri net has tokens instead of threads"));
}

model::Region NetNotation::plain_initial(model::Region initial) {
  return plain_initial_region(std::move(initial));
}

model::Region NetNotation::plain_target(model::Region target) {
  return plain_target_region(std::move(target));
}

}  // namespace heddle::frontend
