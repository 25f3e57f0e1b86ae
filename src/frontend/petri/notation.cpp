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

base::Parsed<std::vector<Region>> targets_of_net(const model::PetriNet& net,
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
