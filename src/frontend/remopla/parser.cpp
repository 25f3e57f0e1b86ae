#include "frontend/remopla/format.hpp"

/// Integers become as many Boolean variables as they have bits; arrays one variable for each
/// element. A choice between guarded branches becomes a `goto` to all of them, each behind an
/// `assume` of its guard, so that several may be open and a choice without an open branch blocks.
/// Variables and statements keep what the file says of them, for runs that people read.

#include <algorithm>
#include <iterator>
#include <span>

#include "frontend/boolean_program/names.hpp"
#include "frontend/boolean_program/tokens.hpp"
#include "frontend/remopla/expressions.hpp"
#include "frontend/remopla/variables.hpp"

namespace heddle::frontend::remopla {

namespace {

using boolean_program::SyntaxProblem;
using boolean_program::Tokens;
using model::boolean::Declaration;
using model::boolean::Operator;
using model::boolean::Procedure;
using model::boolean::Statement;
using model::boolean::StatementKind;
using text::Token;
using text::TokenKind;

constexpr std::size_t kWidestInteger = 64;
constexpr std::size_t kLongestArray = 256;
constexpr const char* kProgramHint =
    "a program is a list of 'define N 5', 'bool x, a[3];', 'int y(4);', 'enum e { a, b } z;' and "
    "'module void f() { … }'";

Statement statement(StatementKind kind, const Token& at) {
  Statement result;
  result.kind = kind;
  result.at = Tokens::position(at);
  return result;
}

/// A branch of `if`, `do` or `pchoice`.
struct Branch {
  Token at;
  std::optional<Bit> guard;  ///< nothing: else
  std::string entered;       ///< the choice of this branch, for people
  std::string taken;         ///< that its guard holds
  std::vector<Statement> body;
};

struct Type {
  bool is_integer = false;          ///< or an enumeration
  std::size_t width = 1;            ///< 0: that of integers, or one of its own
  std::vector<std::string> values;  ///< names, if there are any
  bool is_new = false;              ///< an enumeration that is declared here
};

struct Module {
  std::vector<std::size_t> parameters;  ///< widths
  std::size_t result = 0;               ///< width; 0: void
  friend bool operator==(const Module&, const Module&) = default;
};

class RemoplaReader {
 public:
  explicit RemoplaReader(const SourceText& source)
      : problems_(source),
        tokens_(source.text, problems_),
        expressions_(tokens_, variables_, constants_) {}

  base::Parsed<ProgramFile> run() {
    try {
      while (tokens_.peek().kind != TokenKind::End) read_item();
    } catch (const SyntaxProblem&) {  // NOLINT(bugprone-empty-catch): the problem is noted
      // One problem is reported: what follows depends on the widths of what came before.
    }
    if (!problems_.any_error()) boolean_program::check_names(program_, problems_);
    if (problems_.any_error()) return std::unexpected(problems_.take_errors());
    ProgramFile file{std::move(program_), {}, {}, problems_.take_warnings()};
    file.initial = {{1, 1}};  // a program of one thread
    file.targets.emplace_back();
    return file;
  }

 private:
  // ------------------------------------------------------------ declarations

  void read_item() {
    if (tokens_.accept(";")) return;
    if (tokens_.accept("define")) return read_definition();
    if (tokens_.accept("module")) return read_module();
    const Type type = read_type();
    if (type.is_new && tokens_.accept(";")) return;
    std::ranges::move(read_variables(type), std::back_inserter(program_.globals));
  }

  void read_definition() {
    const Token name = tokens_.name("the name of a constant");
    constants_[std::string(name.text)] = expressions_.read_constant("the value of a constant");
  }

  bool at_type() {
    const Token& token = tokens_.peek();
    return token.is("bool") || token.is("int") || token.is("unsigned") || token.is("enum");
  }

  /// `bool`, `int`, `unsigned int`, `enum colour`, `enum colour { red, green }`.
  Type read_type() {
    if (tokens_.accept("bool")) return {false, 1, {"false", "true"}};
    if (tokens_.accept("enum")) return read_enumeration();
    const bool is_unsigned = tokens_.accept("unsigned");
    if (tokens_.accept("int") || is_unsigned) return {true, 0, {}};
    tokens_.fail_expected("'define', 'module', 'bool', 'int' or 'enum'", kProgramHint);
  }

  Type read_enumeration() {
    std::optional<Token> name;
    if (!tokens_.peek().is("{")) name = tokens_.name("an enumeration");
    const Token at = tokens_.peek();
    if (!tokens_.accept("{")) return known_enumeration(*name);
    Type type{true, 1, {}, true};
    do {
      const Token value = tokens_.name("the name of a value");
      if (!constants_.emplace(value.text, type.values.size()).second)
        tokens_.fail(value, "'" + std::string(value.text) + "' is declared twice", "");
      type.values.emplace_back(value.text);
    } while (tokens_.accept(","));
    tokens_.expect("}", "write enum colour { red, green };");
    type.width = number(type.values.size() - 1).size();
    if (name && !enumerations_.emplace(name->text, type).second)
      tokens_.fail(at, "'" + std::string(name->text) + "' is declared twice", "");
    return type;
  }

  Type known_enumeration(const Token& name) {
    const auto known = enumerations_.find(name.text);
    if (known == enumerations_.end())
      tokens_.fail(name, "there is no enumeration '" + std::string(name.text) + "' above",
                   "write 'enum " + std::string(name.text) + " { red, green };' above");
    Type type = known->second;
    type.is_new = false;
    return type;
  }

  std::size_t default_width(const Token& at) {
    const auto known = constants_.find("DEFAULT_INT_BITS");
    if (known == constants_.end())
      tokens_.fail(at, "the width of this integer is missing",
                   "write x(4), or 'define DEFAULT_INT_BITS 4' for all");
    return checked(at, known->second, kWidestInteger, "bits");
  }

  std::size_t checked(const Token& at, std::uint64_t count, std::size_t most, const char* of) {
    if (count >= 1 && count <= most) return static_cast<std::size_t>(count);
    tokens_.fail(at, "between 1 and " + std::to_string(most) + " " + of + " are possible", "");
  }

  std::vector<Declaration> read_variables(const Type& type) {
    std::vector<Declaration> out;
    do {
      const Token name = tokens_.name("a variable");
      read_variable(name, type, out);
    } while (tokens_.accept(","));
    tokens_.expect(";", "a declaration ends with ';'");
    return out;
  }

  void read_variable(const Token& name, const Type& type, std::vector<Declaration>& out) {
    Variable variable{type.width, type.is_integer, type.values, false, {}};
    std::size_t elements = 1;
    if (tokens_.accept("[")) {
      elements = checked(name, expressions_.read_constant("the size of an array"), kLongestArray,
                         "elements");
      variable.is_array = true;
      tokens_.expect("]", "write a[3]");
    }
    if (type.width == 0 && tokens_.accept("(")) {
      variable.width =
          checked(name, expressions_.read_constant("a number of bits"), kWidestInteger, "bits");
      tokens_.expect(")", "write x(4) for an integer of four bits");
    } else if (type.width == 0) {
      variable.width = default_width(name);
    }
    std::ranges::move(variables_.declare(tokens_, name, std::move(variable), elements),
                      std::back_inserter(out));
  }

  void read_module() {
    Procedure procedure;
    Module module;
    if (!tokens_.accept("void")) {
      const Token at = tokens_.peek();
      const Type type = read_type();
      module.result = type.width == 0 ? default_width(at) : type.width;
    }
    const Token name = tokens_.name("the name of a module");
    procedure.name = name.text;
    procedure.at = Tokens::position(name);
    procedure.results = static_cast<std::uint32_t>(module.result);
    variables_.enter_module();
    tokens_.expect("(", "write 'module void f() { … }'");
    while (!tokens_.accept(")")) {
      const Type type = read_type();
      const std::size_t before = procedure.parameters.size();
      read_variable(tokens_.name("a parameter"), type, procedure.parameters);
      module.parameters.push_back(procedure.parameters.size() - before);
      if (!tokens_.peek().is(")")) tokens_.expect(",", "parameters are separated by ','");
    }
    const auto [known, is_new] = modules_.try_emplace(procedure.name, module);
    if (!is_new && known->second != module)
      tokens_.fail(name, "'" + procedure.name + "' was announced with other parameters", "");
    if (tokens_.accept(";")) return variables_.leave_module();
    module_ = module;
    tokens_.expect("{", "the statements of a module stand between '{' and '}'");
    while (at_type())
      std::ranges::move(read_variables(read_type()), std::back_inserter(procedure.locals));
    procedure.body = read_block();
    tokens_.expect("}", "the statements of a module stand between '{' and '}'");
    variables_.leave_module();
    program_.procedures.push_back(std::move(procedure));
  }

  // ------------------------------------------------------------ statements

  bool at_block_end() {
    const Token& token = tokens_.peek();
    return token.kind == TokenKind::End || token.is("}") || token.is(":") || token.is("fi") ||
           token.is("od") || token.is("choicep");
  }

  std::vector<Statement> read_block() {
    const Tokens::Level level(tokens_);
    std::vector<Statement> out;
    while (!at_block_end())
      if (!tokens_.accept(";")) read_statement(out);
    return out;
  }

  void read_statement(std::vector<Statement>& out) {
    const Token at = tokens_.peek();
    if (tokens_.accept("skip")) return add(out, statement(StatementKind::Skip, at));
    if (tokens_.accept("if")) return read_if(at, out);
    if (tokens_.accept("do")) return read_do(at, out);
    if (tokens_.accept("pchoice")) return read_pchoice(at, out);
    if (tokens_.accept("goto")) return add_goto(out, at, {tokens_.label()});
    if (tokens_.accept("break")) return read_break(at, out);
    if (tokens_.accept("return")) return read_return(at, out);
    if (tokens_.accept("assert")) return read_assert(at, out);
    const Token name = tokens_.name("a statement");
    if (tokens_.accept(":")) return read_labelled(name, out);
    if (tokens_.peek().is("(")) return read_call(name, name, {}, out);
    read_assignment(name, out);
  }

  static void add(std::vector<Statement>& out, Statement statement) {
    out.push_back(std::move(statement));
  }

  /// The statement that begins there and has been read.
  void add(std::vector<Statement>& out, Statement statement, const Token& first) {
    statement.wording.texts = {tokens_.text_from(first)};
    out.push_back(std::move(statement));
  }

  static void add_goto(std::vector<Statement>& out, const Token& at,
                       std::vector<std::string> labels, std::vector<std::string> texts = {}) {
    Statement jump = statement(StatementKind::Goto, at);
    jump.names = std::move(labels);
    jump.wording.texts = std::move(texts);
    add(out, std::move(jump));
  }

  void read_labelled(const Token& name, std::vector<Statement>& out) {
    Statement here = statement(StatementKind::Skip, name);
    here.labels.emplace_back(name.text);
    add(out, std::move(here));
  }

  void read_assert(const Token& at, std::vector<Statement>& out) {
    Statement result = statement(StatementKind::Assert, at);
    result.expressions.push_back(expressions_.read_condition());
    add(out, std::move(result), at);
  }

  void read_return(const Token& at, std::vector<Statement>& out) {
    Statement result = statement(StatementKind::Return, at);
    if (module_.result > 0) result.expressions = resized(expressions_.read(), module_.result);
    add(out, std::move(result), at);
  }

  void read_break(const Token& at, std::vector<Statement>& out) {
    if (loop_ends_.empty()) tokens_.fail(at, "'break' is not in a 'do'", "");
    left_by_break_.insert(loop_ends_.back());
    add_goto(out, at, {loop_ends_.back()}, {"break"});
  }

  /// `f(…);`, or `x = f(…);`, which begins at `first`, with the names that get the result.
  void read_call(const Token& first, const Token& name, std::vector<std::string> results,
                 std::vector<Statement>& out) {
    const auto module = modules_.find(name.text);
    if (module == modules_.end())
      tokens_.fail(name, "there is no module '" + std::string(name.text) + "' above",
                   "write 'module void f();' above, or the module itself");
    Statement call = statement(StatementKind::Call, name);
    call.callee = name.text;
    tokens_.expect("(", "a call has parentheses");
    for (const std::size_t width : module->second.parameters) {
      if (!call.expressions.empty()) tokens_.expect(",", "arguments are separated by ','");
      std::ranges::move(resized(expressions_.read(), width), std::back_inserter(call.expressions));
    }
    tokens_.expect(
        ")", "the module has " + std::to_string(module->second.parameters.size()) + " parameters");
    results.resize(module->second.result, "_");
    call.names = std::move(results);
    add(out, std::move(call), first);
  }

  /// Parallel: `x, a[i] = y, x;`.
  void read_assignment(const Token& first, std::vector<Statement>& out) {
    std::vector<LeftSide> places{expressions_.read_place(first)};
    while (tokens_.accept(","))
      places.push_back(expressions_.read_place(tokens_.name("a variable")));
    tokens_.expect("=", "an assignment is written x = y");
    if (places.size() == 1 && at_call()) return read_result(first, places.front(), out);
    Statement assignment = statement(StatementKind::Assign, first);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i > 0) tokens_.expect(",", "as many values as variables are needed");
      const Bits value = resized(expressions_.read(), places[i].variable->width);
      if (!places[i].element)
        expressions_.check_size(first, places[i].variable->names.size() * value.size() *
                                           (size_of(places[i].index, kLargestExpression) +
                                            size_of(value, kLargestExpression)));
      assign(places[i], value, assignment);
    }
    add(out, std::move(assignment), first);
  }

  bool at_call() { return modules_.contains(std::string(tokens_.peek().text)); }

  void read_result(const Token& first, const LeftSide& place, std::vector<Statement>& out) {
    const Token callee = tokens_.next();
    if (!place.element)
      tokens_.fail(callee, "a result goes to a variable or an element that is known", "");
    read_call(first, callee, place.variable->names[*place.element], out);
  }

  static void assign(const LeftSide& place, const Bits& value, Statement& assignment) {
    for (std::size_t i = 0; i < place.variable->names.size(); ++i) {
      if (place.element && *place.element != i) continue;
      const Bit here = place.element ? constant(true) : equal(place.index, number(i));
      for (std::size_t bit = 0; bit < value.size(); ++bit) {
        const std::string& name = place.variable->names[i][bit];
        assignment.names.push_back(name);
        assignment.expressions.push_back(conditional(here, value[bit], variable(name)));
      }
    }
  }

  // ------------------------------------------------------------ choices

  std::string fresh_label() { return "rem__" + std::to_string(++labels_); }

  /// `:: guard -> statements`, one after the other.
  std::vector<Branch> read_branches(const Token& keyword, std::string_view end) {
    std::vector<Branch> branches;
    while (!tokens_.accept(end)) {
      tokens_.expect(":", "a branch is written ':: guard -> statements'");
      tokens_.expect(":", "a branch is written ':: guard -> statements'");
      const Token at = tokens_.peek();
      Branch branch{at, std::nullopt, {}, "no other guard holds", {}};
      if (!tokens_.accept("else")) branch.guard = expressions_.read_condition();
      const std::string guard = tokens_.text_from(at);
      branch.entered = std::string(keyword.text) + " :: " + guard;
      if (branch.guard) branch.taken = guard + " holds";
      tokens_.expect("->", "a branch is written ':: guard -> statements'");
      branch.body = read_block();
      branches.push_back(std::move(branch));
    }
    return branches;
  }

  void read_if(const Token& at, std::vector<Statement>& out) {
    const std::string end = fresh_label();
    choose(at, read_branches(at, "fi"), end, out);
    add_end(at, end, out);
  }

  static void add_end(const Token& at, const std::string& label, std::vector<Statement>& out) {
    Statement end = statement(StatementKind::Skip, at);
    end.labels.push_back(label);
    add(out, std::move(end));
  }

  /// A loop. With a single guard and no `break` it ends when the guard is false.
  void read_do(const Token& at, std::vector<Statement>& out) {
    const std::string begin = fresh_label(), end = fresh_label();
    loop_ends_.push_back(end);
    std::vector<Branch> branches = read_branches(at, "od");
    loop_ends_.pop_back();
    if (branches.size() == 1 && branches.front().guard && !left_by_break_.contains(end)) {
      branches.push_back({at, std::nullopt, "end of do", "the guard does not hold", {}});
      add_goto(branches.back().body, at, {end}, {"end of do"});
    }
    add_end(at, begin, out);
    choose(at, std::move(branches), begin, out);
    add_end(at, end, out);
  }

  /// To one of the branches whose guards hold, and from its end to `next`.
  void choose(const Token& at, std::vector<Branch> branches, const std::string& next,
              std::vector<Statement>& out) {
    const bool has_else = std::ranges::any_of(branches, [](const Branch& b) { return !b.guard; });
    const Bit none = has_else ? none_of(branches) : constant(false);
    std::vector<std::string> labels, texts;
    for (Branch& branch : branches) {
      labels.push_back(fresh_label());
      texts.push_back(std::move(branch.entered));
    }
    if (labels.empty()) tokens_.fail(at, "there is no branch", "write ':: guard -> statements'");
    add_goto(out, at, labels, std::move(texts));
    for (std::size_t i = 0; i < branches.size(); ++i) {
      Statement guard = statement(StatementKind::Assume, branches[i].at);
      guard.labels.push_back(labels[i]);
      guard.wording.texts = {std::move(branches[i].taken)};
      auto& own = branches[i].guard;
      own ? guard.expressions.push_back(std::move(*own)) : guard.expressions.push_back(none);
      add(out, std::move(guard));
      std::ranges::move(branches[i].body, std::back_inserter(out));
      add_goto(out, branches[i].at, {next}, {"end of the branch"});
    }
  }

  /// No guard holds. As a balanced tree: there may be many branches.
  static Bit none_of(std::span<const Branch> branches) {
    if (branches.empty()) return constant(true);
    if (branches.size() == 1) {
      const auto& guard = branches.front().guard;
      return guard ? negation(*guard) : constant(true);
    }
    const std::size_t half = branches.size() / 2;
    return binary(Operator::And, none_of(branches.first(half)), none_of(branches.subspan(half)));
  }

  /// Branches with a probability; what counts is whether it is 0.
  void read_pchoice(const Token& at, std::vector<Statement>& out) {
    const std::string end = fresh_label();
    std::vector<Branch> branches;
    while (!tokens_.accept("choicep")) {
      tokens_.expect(":", "a branch is written ':: 0.5 -> statements'");
      tokens_.expect(":", "a branch is written ':: 0.5 -> statements'");
      const Token first = tokens_.peek();
      Branch branch{first, constant(true), {}, {}, {}};
      const bool possible = read_probability();
      const std::string chance = tokens_.text_from(first);
      branch.entered = "pchoice :: " + chance;
      branch.taken = "with probability " + chance;
      tokens_.expect("->", "a branch is written ':: 0.5 -> statements'");
      branch.body = read_block();
      if (possible) branches.push_back(std::move(branch));
    }
    choose(at, std::move(branches), end, out);
    add_end(at, end, out);
  }

  /// `0.25`, `1`, `1/3`: is it above 0?
  bool read_probability() {
    bool above = false;
    const auto digits = [&](bool counts) {
      const Token token = tokens_.next();
      if (token.kind != TokenKind::Number)
        tokens_.fail(token, "a probability is a number such as 0.5", "");
      if (counts && token.text.find_first_not_of('0') != std::string_view::npos) above = true;
    };
    digits(true);
    if (tokens_.accept(".")) digits(true);
    if (tokens_.accept("/")) digits(false);
    return above;
  }

  text::Problems problems_;
  Tokens tokens_;
  Variables variables_;
  std::map<std::string, std::uint64_t, std::less<>> constants_;
  ExpressionReader expressions_;
  std::map<std::string, Type, std::less<>> enumerations_;
  std::map<std::string, Module, std::less<>> modules_;
  Module module_;
  std::vector<std::string> loop_ends_;
  std::set<std::string> left_by_break_;
  model::BooleanProgram program_;
  unsigned labels_ = 0;
};

}  // namespace

bool recognises(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view line = text.substr(begin);
    if (line.starts_with("module ")) return true;
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return false;
    begin = end + 1;
  }
  return false;
}

base::Parsed<ProgramFile> parse(const SourceText& source) { return RemoplaReader(source).run(); }

}  // namespace heddle::frontend::remopla
