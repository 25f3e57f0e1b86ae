#include "answer/json_terms.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"

namespace heddle::answer {

using nlohmann::json;
using term::Operator;
using term::Sort;
using term::Term;

namespace {

// In the order of term::Operator; a constant or variable has its sort or value in its name.
constexpr std::array<std::string_view, 15> kTermWords = {
    "true", "int", "integer", "not", "and", "or",  "implies", "=",
    "<=",   "+",   "*",       "ite", "div", "mod", "boolean"};

bool is_simple_symbol(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '!';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
         std::ranges::all_of(name, is_plain);
}

/// The argument that is a number and not a term.
std::optional<std::size_t> factor_of(Operator op) {
  if (op == Operator::Product) return 0;
  if (op == Operator::Quotient || op == Operator::Remainder) return 1;
  return std::nullopt;
}

/// Whoever works on terms does so by recursion.
constexpr std::uint32_t kDeepestTerm = 5000;

/// One entry of the list, over those before it, of which the depths are known.
class EntryReader {
 public:
  EntryReader(const JsonNode& node, const std::vector<Term>& before,
              const std::vector<std::uint32_t>& depths)
      : node_(node), before_(before), depths_(depths) {}

  /// Of what was read.
  std::uint32_t depth() const { return depth_; }

  Term read() {
    if (node_.size() == 0) node_.fail("an empty term");
    if (node_.failed()) return term::constant(true);
    const JsonNode first = node_.item(0);
    const std::size_t word = first.one_of(std::span(kTermWords));
    if (node_.failed()) return term::constant(true);
    if (word == kTermWords.size() - 1) return variable(Sort::Boolean);
    return of(static_cast<Operator>(word));
  }

 private:
  Term of(Operator op) {
    switch (op) {
      case Operator::Boolean: node_.expect_size(2); return term::constant(small(1) != 0);
      case Operator::Integer: node_.expect_size(2); return term::constant(integer(1));
      case Operator::Variable: return variable(Sort::Integer);
      case Operator::Not: node_.expect_size(2); return term::negation(argument(1, Sort::Boolean));
      case Operator::And: return term::conjunction(arguments(Sort::Boolean));
      case Operator::Or: return term::disjunction(arguments(Sort::Boolean));
      case Operator::Implies:
        node_.expect_size(3);
        return term::implication(argument(1, Sort::Boolean), argument(2, Sort::Boolean));
      case Operator::Equal: {
        node_.expect_size(3);
        const Term left = any_argument(1);
        return term::equal(left, argument(2, left.sort()));
      }
      case Operator::AtMost:
        node_.expect_size(3);
        return term::at_most(argument(1, Sort::Integer), argument(2, Sort::Integer));
      case Operator::Sum: return term::sum(arguments(Sort::Integer));
      case Operator::Product:
        node_.expect_size(3);
        return term::product(integer(1), argument(2, Sort::Integer));
      case Operator::Choice: {
        node_.expect_size(4);
        const Term then = any_argument(2);
        return term::choice(argument(1, Sort::Boolean), then, argument(3, then.sort()));
      }
      case Operator::Quotient:
        node_.expect_size(3);
        return term::quotient(argument(1, Sort::Integer), divisor(2));
      case Operator::Remainder:
        node_.expect_size(3);
        return term::remainder(argument(1, Sort::Integer), divisor(2));
    }
    return term::constant(true);
  }

  Term variable(Sort sort) {
    node_.expect_size(2);
    if (node_.failed()) return term::constant(true);
    const JsonNode item = node_.item(1);
    const std::string name = item.text();
    if (!is_simple_symbol(name)) item.fail("not the name of a variable");
    return term::variable(item.failed() ? "x" : name, sort);
  }

  std::uint32_t small(std::size_t i) const {
    const JsonNode item = node_.item(i);
    return item.number();
  }
  base::Integer integer(std::size_t i) const {
    if (node_.failed()) return 0;
    const JsonNode item = node_.item(i);
    return item.integer();
  }
  base::Integer divisor(std::size_t i) const {
    base::Integer value = integer(i);
    if (value > 0) return value;
    node_.fail("a divisor is positive");
    return 1;
  }

  Term any_argument(std::size_t i) {
    if (node_.failed()) return term::constant(true);
    const JsonNode item = node_.item(i);
    const std::uint32_t index = item.number();
    if (!item.failed() && index < before_.size()) {
      depth_ = std::max(depth_, depths_[index] + 1);
      if (depth_ > kDeepestTerm) item.fail("terms are nested too deeply");
      return before_[index];
    }
    item.fail("the index of an earlier term expected");
    return term::constant(true);
  }
  Term argument(std::size_t i, Sort sort) {
    Term out = any_argument(i);
    if (out.sort() == sort) return out;
    node_.fail("an argument of the wrong sort");
    return sort == Sort::Boolean ? term::constant(true) : term::constant(base::Integer(0));
  }
  std::vector<Term> arguments(Sort sort) {
    std::vector<Term> out;
    for (std::size_t i = 1; i < node_.size(); ++i) out.push_back(argument(i, sort));
    return out;
  }

  const JsonNode& node_;
  const std::vector<Term>& before_;
  const std::vector<std::uint32_t>& depths_;
  std::uint32_t depth_ = 1;
};

}  // namespace

TermWriter::TermWriter() = default;
TermWriter::~TermWriter() = default;

std::uint32_t TermWriter::add(const Term& root) {
  std::vector<Term> work = {root};
  while (!work.empty()) {
    const Term term = work.back();
    if (known_.contains(term.identity())) {
      work.pop_back();
      continue;
    }
    bool is_ready = true;
    for (const Term& argument : term.arguments())
      if (!known_.contains(argument.identity())) {
        work.push_back(argument);
        is_ready = false;
      }
    if (!is_ready) continue;
    work.pop_back();
    json entry = json::array();
    const bool is_flag = term.op() == Operator::Variable && term.sort() == Sort::Boolean;
    entry.push_back(
        kTermWords[is_flag ? kTermWords.size() - 1 : static_cast<std::size_t>(term.op())]);
    switch (term.op()) {
      case Operator::Boolean: entry.push_back(term.boolean() ? 1 : 0); break;
      case Operator::Integer: entry.push_back(integer_to_json(term.integer())); break;
      case Operator::Variable: entry.push_back(term.name()); break;
      default:
        for (std::size_t i = 0; i < term.arguments().size(); ++i) {
          const Term& argument = term.arguments()[i];
          if (i == factor_of(term.op()))
            entry.push_back(integer_to_json(argument.integer()));
          else
            entry.push_back(known_.at(argument.identity()));
        }
    }
    known_.emplace(term.identity(), static_cast<std::uint32_t>(list_.size()));
    kept_.push_back(term);
    list_.push_back(std::move(entry));
  }
  return known_.at(root.identity());
}

json TermWriter::take() {
  json out = json::array();
  for (json& entry : list_) out.push_back(std::move(entry));
  return out;
}

std::vector<Term> terms_from_json(const JsonNode& node) {
  std::vector<Term> out;
  std::vector<std::uint32_t> depths;
  for (std::size_t i = 0; i < node.size() && !node.failed(); ++i) {
    const JsonNode item = node.item(i);
    EntryReader reader(item, out, depths);
    out.push_back(reader.read());
    depths.push_back(reader.depth());
  }
  return out;
}

}  // namespace heddle::answer
