#include "frontend/petri/notation.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "frontend/petri/constraint_reader.hpp"
#include "frontend/petri/lola_question.hpp"
#include "frontend/petri/place_table.hpp"
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

constexpr std::string_view kTargetHint = "a target is 'p >= 1, q >= 2'; ';' or a new line means or";
constexpr std::string_view kInitialHint =
    "an initial marking is 'p = 1, q >= 0'; what is not listed has no tokens";

}  // namespace

base::Parsed<std::vector<Region>> parse_targets(const model::PetriNet& net,
                                                const SourceText& source) {
  if (is_xml(source.text)) return parse_property_set(net, source);
  if (recognises_lola_question(source.text)) return parse_lola_question(net, source);
  Lexer lexer(source.text, kDialect);
  text::Problems problems(source);
  const PlaceTable places(net.places);
  ConstraintReader reader(lexer, places, problems);
  const auto target = [&]() -> std::optional<Region> {
    auto bounds = reader.conjunction();
    if (!bounds) return std::nullopt;
    return Region{model::SharedState(0u), std::move(*bounds)};
  };
  return text::read_regions(lexer, problems, target, kTargetHint);
}

base::Parsed<std::vector<Region>> parse_initial(const model::PetriNet& net,
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
  return text::read_regions(lexer, problems, initial, kInitialHint);
}

}  // namespace heddle::frontend::petri
