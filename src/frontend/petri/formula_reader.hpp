#pragma once

/// Formulas over places in infix notation, as `.pnet` and `.lola` write them:
///
///   formula    := clause (or clause)*         clause := literal (and literal)*
///   literal    := not literal | comparison
///   comparison := sum [("<" | "<=" | "=" | "!=" | ">=" | ">") sum | "in" "[" N "," N "]"]
///   sum        := product (("+" | "-") product)*      product := factor ("*" factor)*
///   factor     := "-" factor | N | place | true | false | "(" formula ")" | fireable "(" t ")"
///
/// Brackets may hold a formula or a sum, and only what stands behind them tells which is needed; so
/// the grammar does not separate the two, and each operator looks at what its operands are.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/petri/marking_sets.hpp"
#include "frontend/petri/place_table.hpp"
#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::petri {

/// How a format spells the operators. What is spelt "" does not exist.
struct FormulaWords {
  std::string_view conjunction;
  std::string_view disjunction;
  std::string_view negation;
  std::string_view truth;
  std::string_view falsity;
  std::string_view fireable;
  bool (*is_keyword)(std::string_view word);  ///< null: words beside these are names
};

class FormulaReader {
 public:
  FormulaReader(text::Lexer& lexer, const FormulaWords& words, const PlaceTable& places,
                const PlaceTable& transitions, const model::PetriNet& net, text::Problems& problems)
      : lexer_(lexer),
        words_(words),
        places_(places),
        transitions_(transitions),
        net_(net),
        problems_(problems) {}

  /// The markings that satisfy the formula or, if `negated`, those that do not, as targets. Nothing
  /// after an error, which is then reported.
  std::optional<std::vector<model::Region>> formula(bool negated);

 private:
  using Value = std::variant<MarkingSet, LinearSum>;
  using Maybe = std::optional<Value>;

  Maybe disjunction(bool negated);
  Maybe conjunction(bool negated);
  Maybe literal(bool negated);
  Maybe comparison(bool negated);
  Maybe interval(const LinearSum& sum, bool negated);
  Maybe sum(bool negated);
  Maybe product(bool negated);
  Maybe factor(bool negated);
  Maybe name(bool negated);
  Maybe brackets(bool negated);
  Maybe fireable(const text::Token& at, bool negated);
  std::optional<Relation> relation();

  /// Joins two conditions; `meet` tells whether both must hold.
  Maybe join(Maybe left, Maybe right, bool meet, const text::Token& at);
  Maybe not_linear(const std::string& why, const text::Token& at);
  Maybe wrong_kind(std::string_view wanted, const text::Token& at);
  bool word(std::string_view wanted) { return !wanted.empty() && lexer_.accept(wanted); }
  bool too_deep();

  text::Lexer& lexer_;
  const FormulaWords& words_;
  const PlaceTable& places_;
  const PlaceTable& transitions_;
  const model::PetriNet& net_;
  text::Problems& problems_;
  unsigned depth_ = 0;
};

}  // namespace heddle::frontend::petri
