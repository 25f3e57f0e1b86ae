#include "frontend/petri/pnet.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "frontend/petri/constraint_reader.hpp"
#include "frontend/petri/net_builder.hpp"
#include "frontend/petri/ordinary_net.hpp"

namespace heddle::frontend::petri {

namespace {

using base::Integer;
using text::Token;
using text::TokenKind;
using Names = std::vector<Token>;

constexpr std::string_view kPnetHint =
    "a file is 'petri net \"n\" { places {...} transitions {...} arcs {...} initial {...} }' and "
    "then 'safety property { formula }'";
constexpr std::string_view kArcHint = "an arc is 'p -> t', '{p q} ->[2] t' or 'p -> t -> q'";

bool is_name(const Token& token) {
  return token.kind == TokenKind::Word || token.kind == TokenKind::Quoted;
}

/// `from -> to`, every name on the left with every name on the right.
struct Hop {
  Names from;
  Names to;
  Integer weight;
};

/// Sections may come in any order and repeatedly, so arcs and marks are resolved at the end of the
/// net. A mistake in a section ends the reading: there is no symbol that surely starts the next
/// one.
class PnetParser {
 public:
  explicit PnetParser(const SourceText& source)
      : lexer_(source.text, pnet_dialect()), problems_(source), net_(problems_) {}

  base::Parsed<NetFile> run();

 private:
  bool file();
  bool net();
  bool section();
  bool declarations(bool are_places);
  bool unused_names(const Token& section);
  bool arcs();
  bool chain();
  bool initial();
  bool mark();
  bool properties();
  bool safety_property();
  bool other_property(const Token& kind);
  bool symbol(std::string_view wanted, std::string_view hint);
  std::optional<Integer> number_option();
  std::optional<Names> names();
  /// Items in braces, with or without commas, or one item without braces.
  template <class Item>
  bool one_or_list(std::string_view hint, Item item);
  void resolve();

  text::Lexer lexer_;
  text::Problems problems_;
  NetBuilder net_;
  std::vector<Hop> hops_;
  std::vector<std::pair<Token, Integer>> marks_;
  MarkingSet targets_;
};

base::Parsed<NetFile> PnetParser::run() {
  file();
  if (problems_.any_error()) return std::unexpected(problems_.take_errors());
  return NetFile{
      net_.take_net(), {exactly(net_.marking())}, std::move(targets_), problems_.take_warnings()};
}

bool PnetParser::file() {
  if (lexer_.peek().kind == TokenKind::End) {
    problems_.error("the file is empty", std::string(kPnetHint));
    return false;
  }
  if (!symbol("petri", kPnetHint) || !symbol("net", kPnetHint)) return false;
  if (is_name(lexer_.peek())) lexer_.next();
  return net() && properties();
}

bool PnetParser::net() {
  if (!symbol("{", kPnetHint)) return false;
  while (!lexer_.accept("}"))
    if (!section()) return false;
  resolve();
  return !problems_.any_error();
}

bool PnetParser::section() {
  const Token word = lexer_.peek();
  if (lexer_.accept("places")) return declarations(true);
  if (lexer_.accept("transitions")) return declarations(false);
  if (lexer_.accept("arcs")) return arcs();
  if (lexer_.accept("initial")) return initial();
  if (lexer_.accept("trap") || lexer_.accept("siphon")) return unused_names(word);
  problems_.expected("a section or '}'", word,
                     "the sections are places, transitions, arcs, initial, trap and siphon");
  return false;
}

template <class Item>
bool PnetParser::one_or_list(std::string_view hint, Item item) {
  if (!lexer_.accept("{")) return item();
  while (!lexer_.accept("}")) {
    if (lexer_.peek().kind == TokenKind::End) return symbol("}", hint);
    if (!item()) return false;
    lexer_.accept(",");
  }
  return true;
}

std::optional<Names> PnetParser::names() {
  Names out;
  const bool fine = one_or_list("names stand in braces, with or without commas", [&] {
    if (!is_name(lexer_.peek())) {
      problems_.expected("a name", lexer_.peek(),
                         "names are letters, digits and '_', or anything between double quotes");
      return false;
    }
    out.push_back(lexer_.next());
    return true;
  });
  return fine ? std::optional(std::move(out)) : std::nullopt;
}

bool PnetParser::declarations(bool are_places) {
  const auto read = names();
  if (!read) return false;
  for (const Token& name : *read) {
    if (problems_.full()) return false;
    if (name.text.find('\\') != std::string_view::npos)
      problems_.error(name, "a name holds an escape: " + text::describe(name),
                      "names between quotes are taken as they are, without '\\'");
    net_.declare(name, are_places);
  }
  return true;
}

bool PnetParser::unused_names(const Token& section) {
  problems_.warning(section, "this " + std::string(section.text) + " is not used",
                    "nothing relies on what a file claims about its net");
  return names().has_value();
}

bool PnetParser::arcs() {
  return one_or_list(kArcHint, [this] { return chain(); });
}

bool PnetParser::chain() {
  auto from = names();
  if (!from) return false;
  if (!lexer_.peek().is("->")) return symbol("->", kArcHint);
  while (lexer_.accept("->")) {
    auto weight = number_option();
    if (!weight) return false;
    auto to = names();
    if (!to) return false;
    hops_.push_back({std::move(*from), *to, std::move(*weight)});
    from = std::move(to);
  }
  return true;
}

bool PnetParser::initial() {
  return one_or_list("a mark is 'p' or 'p[3]'", [this] { return mark(); });
}

bool PnetParser::mark() {
  if (!is_name(lexer_.peek())) {
    problems_.expected("a place", lexer_.peek(), "a mark is 'p' or 'p[3]'");
    return false;
  }
  const Token name = lexer_.next();
  auto tokens = number_option();
  if (!tokens) return false;
  marks_.emplace_back(name, std::move(*tokens));
  return true;
}

std::optional<Integer> PnetParser::number_option() {
  if (!lexer_.accept("[")) return 1;
  auto number = read_number(lexer_, problems_);
  if (!number || !symbol("]", "weights and numbers of tokens stand in brackets, as in 'p[3]'"))
    return std::nullopt;
  return number;
}

void PnetParser::resolve() {
  for (const Hop& hop : hops_)
    for (const Token& from : hop.from)
      for (const Token& to : hop.to) {
        if (problems_.full()) return;
        net_.arc(from, to, hop.weight);
      }
  for (const auto& [name, tokens] : marks_)
    if (!problems_.full()) net_.mark(name, tokens);
  net_.finish();
}

bool PnetParser::properties() {
  while (lexer_.peek().kind != TokenKind::End) {
    const Token kind = lexer_.peek();
    const bool is_other = lexer_.accept("liveness") || lexer_.accept("structural");
    if (!is_other && !symbol("safety", kPnetHint)) return false;
    if (!symbol("property", kPnetHint)) return false;
    if (is_name(lexer_.peek())) lexer_.next();
    if (is_other ? !other_property(kind) : !safety_property()) return false;
  }
  return true;
}

/// Up to the brace that closes it. There are no braces in formulas.
bool PnetParser::other_property(const Token& kind) {
  problems_.warning(kind, "this " + std::string(kind.text) + " property is not looked at",
                    "only safety properties can be decided here");
  while (!lexer_.peek().is("}") && lexer_.peek().kind != TokenKind::End) lexer_.next();
  return symbol("}", "a property ends with '}'");
}

bool PnetParser::safety_property() {
  if (!symbol("{", "the formula of a property stands in braces")) return false;
  const FormulaWords words = pnet_words();
  FormulaReader reader(lexer_, words, net_.places(), net_.transitions(), net_.net(), problems_);
  auto bad = reader.formula(false);
  if (!bad) return false;
  std::ranges::move(*bad, std::back_inserter(targets_));
  return symbol("}", "an operator is '&&', '||', '+', '-', '*' or a comparison");
}

bool PnetParser::symbol(std::string_view wanted, std::string_view hint) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected("'" + std::string(wanted) + "'", lexer_.peek(), std::string(hint));
  return false;
}

}  // namespace

text::Dialect pnet_dialect() {
  return {.line_comment = "//",
          .comment_start = "/*",
          .comment_end = "*/",
          .quoted_names = true,
          .comparison_symbols = true};
}

FormulaWords pnet_words() {
  return {.conjunction = "&&",
          .disjunction = "||",
          .negation = "!",
          .truth = "true",
          .falsity = "false",
          .fireable = {},
          .is_keyword = nullptr};
}

bool recognises_pnet(std::string_view text) {
  text::Lexer lexer(text, pnet_dialect());
  return lexer.accept("petri") && lexer.accept("net");
}

base::Parsed<NetFile> parse_pnet(const SourceText& source) { return PnetParser(source).run(); }

}  // namespace heddle::frontend::petri
