#include "frontend/petri/spec.hpp"

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "frontend/petri/constraint_reader.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/petri/rule_reader.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::petri {

namespace {

using model::CounterBound;
using model::PetriNet;
using model::PlaceId;
using model::Region;
using model::WeightedPlace;
using text::Lexer;
using text::LineEnds;
using text::Token;
using text::TokenKind;

constexpr std::string_view kSectionsHint =
    "the sections are vars, rules, init, target, invariants, in this order";

bool starts_section(const Token& token) {
  return token.kind == TokenKind::Word && is_section(token.text);
}

std::string note_of(const std::vector<text::Comment>& comments) {
  std::string note;
  for (const text::Comment& comment : comments)
    note += (note.empty() ? "" : "\n") + base::printable(comment.text);
  return note;
}

/// A file's sections in their order. `rules` recovers at the next ';', the others at the next
/// section, so that one mistake does not hide the rest.
class SpecParser {
 public:
  explicit SpecParser(const SourceText& source)
      : lexer_(source.text, LineEnds::Blanks), problems_(source) {}

  base::Parsed<NetFile> run();

 private:
  void sections();
  void vars();
  void rules();
  void init();
  void target();
  void invariants();
  std::optional<std::vector<WeightedPlace>> invariant(OncePerPlace& weighted);
  bool section_ends() {
    return lexer_.peek().kind == TokenKind::End || starts_section(lexer_.peek());
  }
  void skip_section();
  bool another(std::string_view what);

  Lexer lexer_;
  text::Problems problems_;
  PlaceTable places_;
  PetriNet net_;
  std::vector<Region> initial_;
  std::vector<Region> targets_;
};

base::Parsed<NetFile> SpecParser::run() {
  sections();
  if (problems_.any_error()) return std::unexpected(problems_.take_errors());
  return NetFile{std::move(net_), std::move(initial_), std::move(targets_),
                 problems_.take_warnings()};
}

void SpecParser::sections() {
  if (lexer_.peek().kind == TokenKind::End)
    return problems_.error("the file is empty", std::string(kSectionsHint));
  if (!lexer_.accept("vars"))
    return problems_.expected("'vars'", lexer_.peek(), std::string(kSectionsHint));
  vars();
  if (!lexer_.accept("rules"))
    return problems_.expected("'rules'", lexer_.peek(), std::string(kSectionsHint));
  rules();
  if (lexer_.accept("init")) init();
  if (lexer_.accept("target")) target();
  if (lexer_.accept("invariants")) invariants();
  if (lexer_.peek().kind != TokenKind::End && !problems_.full())
    problems_.expected("the next section", lexer_.peek(), std::string(kSectionsHint));
}

void SpecParser::skip_section() {
  while (!section_ends()) lexer_.next();
}

/// Lists are not separated by anything: one that starts in the middle of a line is more likely a
/// missing comma.
bool SpecParser::another(std::string_view what) {
  if (section_ends() || problems_.full()) return false;
  if (lexer_.peek().line == lexer_.last_line())
    problems_.warning(lexer_.peek(),
                      "a new " + std::string(what) + " starts in the middle of a line",
                      "is a ',' missing? put every " + std::string(what) + " on a line of its own");
  return true;
}

void SpecParser::vars() {
  while (!section_ends() && !problems_.full()) {
    const Token name = lexer_.next();
    if (name.kind != TokenKind::Word || is_reserved(name.text)) {
      problems_.expected("a place or 'rules'", name,
                         "places are letters, digits and '_', separated by blanks");
    } else if (!places_.declare(name.text)) {
      problems_.error(name, "place " + text::describe(name) + " is declared twice",
                      "every place has a name of its own");
    } else {
      net_.places.emplace_back(name.text);
    }
  }
}

void SpecParser::rules() {
  lexer_.take_comments();  // those above belong to the file
  RuleReader reader(lexer_, places_, problems_);
  while (!section_ends() && !problems_.full()) {
    auto rule = reader.rule();
    if (!rule) {
      while (!section_ends() && !lexer_.accept(";")) lexer_.next();
      lexer_.take_comments();
      continue;
    }
    lexer_.read_trailing_comment();
    rule->note = note_of(lexer_.take_comments());
    net_.transitions.push_back(std::move(*rule));
  }
  lexer_.take_comments();
}

/// In MIST a place that `init` does not name is unbounded; in a Region it is 0.
void SpecParser::init() {
  const auto named = ConstraintReader(lexer_, places_, problems_).conjunction();
  if (!named) return skip_section();
  if (!section_ends()) {
    problems_.expected("',' or the next section", lexer_.peek(),
                       "the initial marking is one conjunction, joined by ','");
    skip_section();
  }
  Region region;
  auto next = named->begin();
  for (PlaceId place(0u); place.index() < net_.places.size(); place.value++) {
    const bool is_named = next != named->end() && next->counter == place;
    CounterBound bound = is_named ? *next++ : CounterBound{place, 0, std::nullopt};
    if (bound.upper != 0) region.bounds.push_back(std::move(bound));
  }
  initial_.push_back(std::move(region));
}

void SpecParser::target() {
  ConstraintReader reader(lexer_, places_, problems_);
  do {
    auto bounds = reader.conjunction();
    if (!bounds) return skip_section();
    targets_.push_back({model::SharedState(0u), std::move(*bounds)});
  } while (another("target"));
}

void SpecParser::invariants() {
  OncePerPlace weighted;
  do {
    auto weights = invariant(weighted);
    if (!weights) return skip_section();
    if (!weights->empty()) net_.claimed_invariants.push_back(std::move(*weights));
  } while (another("invariant"));
}

/// Reads `p = 1, q = 2`: weights by place, sorted, without zeros.
std::optional<std::vector<WeightedPlace>> SpecParser::invariant(OncePerPlace& weighted) {
  weighted.restart();
  std::vector<WeightedPlace> weights;
  do {
    const Token name = lexer_.peek();
    const auto place = read_place(lexer_, places_, problems_);
    if (!place) return std::nullopt;
    if (!lexer_.accept("=")) {
      problems_.expected("'='", lexer_.peek(), "an invariant is a list 'p = 1, q = 2' of weights");
      return std::nullopt;
    }
    const auto weight = read_number(lexer_, problems_);
    if (!weight) return std::nullopt;
    if (!weighted.first(*place))
      problems_.error(name, "place " + text::describe(name) + " has two weights",
                      "list every place of an invariant once");
    if (*weight != 0) weights.push_back({*place, *weight});
  } while (lexer_.accept(","));
  std::ranges::sort(weights, {}, &WeightedPlace::place);
  return weights;
}

}  // namespace

bool recognises_spec(std::string_view text) {
  return Lexer(text, LineEnds::Blanks).next().is("vars");
}

base::Parsed<NetFile> parse_spec(const SourceText& source) { return SpecParser(source).run(); }

}  // namespace heddle::frontend::petri
