#include "frontend/petri/tina.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "frontend/petri/net_builder.hpp"
#include "frontend/petri/tina_lexer.hpp"
#include "frontend/question_comments.hpp"

namespace heddle::frontend::petri {

namespace {

using namespace std::string_view_literals;
using base::Integer;
using text::Token;
using text::TokenKind;

constexpr std::array kTinaKeywords = {"net"sv, "tr"sv, "pl"sv, "lb"sv, "nt"sv, "pr"sv};

constexpr std::string_view kTinaHint =
    "a file is made of declarations such as 'pl p (3)' and 'tr t p*2 -> q'";
constexpr std::string_view kTinaArcHint =
    "arcs are 'p', 'p*2', 'p?2' (test) and 'p?-2' (inhibitor); inputs and outputs are separated by "
    "'->'";
constexpr std::string_view kTimeHint = "only nets without time can be read";

bool is_tina_node(const Token& token) {
  return token.kind == TokenKind::Word || token.kind == TokenKind::Quoted;
}

bool starts_declaration(const Token& token) {
  return token.kind == TokenKind::Word && is_tina_keyword(token.text);
}

/// The net is the superposition of its declarations; nodes are declared where they are named first.
class TinaParser {
 public:
  explicit TinaParser(const SourceText& source)
      : lexer_(source.text), problems_(source), net_(problems_) {}

  base::Parsed<NetFile> run();

 private:
  enum class ArcKind { Normal, Test, Inhibitor };
  struct Arc {
    Token node;
    ArcKind kind = ArcKind::Normal;
    Integer weight = 1;
  };

  bool declaration();
  bool transition();
  bool place();
  bool marking(const Token& place);
  bool note();
  bool label();
  bool interval();
  /// Inputs, `->`, outputs: each is handed on. Nothing at all is fine, too.
  template <class Input, class Output>
  bool arcs(const Input& input, const Output& output);
  std::optional<Arc> arc();
  std::optional<Token> name(std::string_view what);
  std::optional<Integer> number();
  bool symbol(std::string_view wanted, std::string_view hint);
  void add(const Token& transition, const Token& place, const Arc& arc, bool is_input);
  void declare(const Token& node, bool is_place);

  TinaLexer lexer_;
  text::Problems problems_;
  NetBuilder net_;
  std::set<std::string_view> marked_;
};

base::Parsed<NetFile> TinaParser::run() {
  if (lexer_.peek().kind == TokenKind::End)
    problems_.error("the file is empty", std::string(kTinaHint));
  while (lexer_.peek().kind != TokenKind::End && !problems_.full())
    if (!declaration()) break;
  if (!problems_.any_error()) net_.finish();
  if (problems_.any_error()) return std::unexpected(problems_.take_errors());
  return NetFile{net_.take_net(), {exactly(net_.marking())}, {}, problems_.take_warnings()};
}

bool TinaParser::declaration() {
  const Token word = lexer_.next();
  if (word.kind == TokenKind::Word) {
    if (word.text == "tr") return transition();
    if (word.text == "pl") return place();
    if (word.text == "net") return name("the name of the net").has_value();
    if (word.text == "nt") return note();
    if (word.text == "lb") return name("a place or transition") && name("a label");
    if (word.text == "pr") {
      problems_.error(word, "priorities cannot be read", std::string(kTimeHint));
      return false;
    }
  }
  problems_.expected("a declaration ('tr', 'pl', 'net', 'nt', 'lb')", word, std::string(kTinaHint));
  return false;
}

bool TinaParser::transition() {
  const auto self = name("a transition");
  if (!self) return false;
  declare(*self, false);
  if (!label() || !interval()) return false;
  return arcs([&](const Arc& arc) { add(*self, arc.node, arc, true); },
              [&](const Arc& arc) { add(*self, arc.node, arc, false); });
}

bool TinaParser::place() {
  const auto self = name("a place");
  if (!self) return false;
  declare(*self, true);
  if (!label() || !marking(*self)) return false;
  return arcs([&](const Arc& arc) { add(arc.node, *self, arc, false); },
              [&](const Arc& arc) { add(arc.node, *self, arc, true); });
}

bool TinaParser::marking(const Token& place) {
  if (!lexer_.accept("(")) return true;
  const auto tokens = number();
  if (!tokens || !symbol(")", "a marking is written 'pl p (3)'")) return false;
  if (!marked_.insert(place.text).second)
    problems_.error(place, "the marking of " + text::describe(place) + " is given twice",
                    "say it once");
  else if (net_.places().find(place.text))
    net_.mark(place, *tokens);
  return true;
}

/// `nt name 0 text`: a remark in a picture of the net.
bool TinaParser::note() { return name("a name") && number() && name("a remark"); }

bool TinaParser::label() { return !lexer_.accept(":") || name("a label"); }

/// `[0,w[` says nothing; everything else is about time.
bool TinaParser::interval() {
  const Token start = lexer_.peek();
  if (!lexer_.accept("[")) {
    if (start.kind != TokenKind::Symbol || start.text != "]") return true;
  } else {
    const Token from = lexer_.next();
    const bool has_comma = lexer_.accept(",");
    const Token to = lexer_.next();
    if (from.text == "0" && has_comma && to.text == "w" && lexer_.accept("[")) return true;
  }
  problems_.error(start, "a transition has a time interval", std::string(kTimeHint));
  return false;
}

template <class Input, class Output>
bool TinaParser::arcs(const Input& input, const Output& output) {
  const auto is_end = [&] {
    return lexer_.peek().kind == TokenKind::End || starts_declaration(lexer_.peek());
  };
  const bool is_empty = is_end();
  while (!is_end() && !lexer_.accept("->")) {
    const auto read = arc();
    if (!read) return false;
    input(*read);
    if (is_end()) return symbol("->", kTinaArcHint);
  }
  while (!is_empty && !is_end()) {
    const auto read = arc();
    if (!read) return false;
    output(*read);
  }
  return true;
}

std::optional<TinaParser::Arc> TinaParser::arc() {
  const auto node = name("a name or '->'");
  if (!node) return std::nullopt;
  Arc out{*node};
  const Token sign = lexer_.peek();
  if (lexer_.accept("!") || lexer_.accept("!-")) {
    problems_.error(sign, "stopwatch arcs cannot be read", std::string(kTimeHint));
    return std::nullopt;
  }
  if (lexer_.accept("?"))
    out.kind = ArcKind::Test;
  else if (lexer_.accept("?-"))
    out.kind = ArcKind::Inhibitor;
  else if (!lexer_.accept("*"))
    return out;
  auto weight = number();
  if (!weight) return std::nullopt;
  out.weight = std::move(*weight);
  return out;
}

void TinaParser::add(const Token& transition, const Token& place, const Arc& arc, bool is_input) {
  declare(transition, false);
  declare(place, true);
  const auto id = net_.transitions().find(transition.text);
  if (!id || !net_.places().find(place.text)) return;  // one name for both, which is reported
  if (!is_input && arc.kind != ArcKind::Normal)
    return problems_.error(arc.node, "a test or inhibitor arc leads to a place",
                           "they lead from places to transitions");
  switch (arc.kind) {
    case ArcKind::Inhibitor: return net_.inhibit(id->index(), place, arc.weight);
    case ArcKind::Test: return net_.test(id->index(), place, arc.weight);
    case ArcKind::Normal: break;
  }
  if (is_input)
    net_.consume(id->index(), place, arc.weight);
  else
    net_.produce(id->index(), place, arc.weight);
}

void TinaParser::declare(const Token& node, bool is_place) {
  const PlaceTable& known = is_place ? net_.places() : net_.transitions();
  if (!known.find(node.text)) net_.declare(node, is_place);
}

std::optional<Token> TinaParser::name(std::string_view what) {
  const Token token = lexer_.next();
  if (is_tina_node(token) && !starts_declaration(token)) return token;
  problems_.expected(what, token, "a name is letters, digits, ''' and '_', or stands in braces");
  return std::nullopt;
}

/// `2K` is 2000.
std::optional<Integer> TinaParser::number() {
  const Token token = lexer_.next();
  std::string_view digits = token.kind == TokenKind::Word ? token.text : std::string_view();
  constexpr std::string_view kThousands = "KMGTPE";
  std::size_t powers = 0;
  if (!digits.empty())
    if (const auto at = kThousands.find(digits.back()); at != std::string_view::npos) {
      powers = at + 1;
      digits.remove_suffix(1);
    }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) {
    problems_.expected("a number", token, "numbers are natural, as in '3' or '2K'");
    return std::nullopt;
  }
  Integer value = *base::parse_integer(digits);
  for (; powers > 0; --powers) value *= 1000;
  return value;
}

bool TinaParser::symbol(std::string_view wanted, std::string_view hint) {
  if (lexer_.accept(wanted)) return true;
  problems_.expected("'" + std::string(wanted) + "'", lexer_.peek(), std::string(hint));
  return false;
}

}  // namespace

bool is_tina_keyword(std::string_view word) {
  return std::ranges::find(kTinaKeywords, word) != kTinaKeywords.end();
}

bool recognises_tina(std::string_view text) {
  TinaLexer lexer(text);
  return starts_declaration(lexer.next()) && is_tina_node(lexer.peek()) &&
         !starts_declaration(lexer.peek());
}

base::Parsed<NetFile> parse_tina(const SourceText& source) {
  return with_question_comments(TinaParser(source).run(), source, {"#"});
}

}  // namespace heddle::frontend::petri
