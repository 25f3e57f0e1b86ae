#pragma once

#include "frontend/remopla/variables.hpp"

namespace heddle::frontend::remopla {

/// Larger expressions are refused.
inline constexpr std::size_t kLargestExpression = 100'000;

/// What is on the left of an assignment: an element, by its position or one that is computed.
struct LeftSide {
  const Variable* variable = nullptr;
  std::optional<std::size_t> element;  ///< if it is known; else `index`
  Bits index;
};

/// Reads expressions. Precedence as in C, with `^^` (exclusive or of truth values) between `||` and
/// `&&`.
class ExpressionReader {
 public:
  ExpressionReader(boolean_program::Tokens& tokens, const Variables& variables,
                   const std::map<std::string, std::uint64_t, std::less<>>& constants)
      : tokens_(tokens), variables_(variables), constants_(constants) {}

  Bits read();
  Bit read_condition() { return truth(read()); }
  /// A number that is known when the program is read.
  std::uint64_t read_constant(std::string_view what);
  LeftSide read_place(const text::Token& name);
  /// Reports an expression that would be so large; sizes multiply where an index is computed.
  void check_size(const text::Token& at, std::size_t size);

 private:
  Bits read_binary(int least);
  Bits read_unary();
  Bits read_primary();
  std::string read_operator();
  Bits value_of_place(const text::Token& at, const LeftSide& place);

  boolean_program::Tokens& tokens_;
  const Variables& variables_;
  const std::map<std::string, std::uint64_t, std::less<>>& constants_;
  std::string ahead_;  // an operator that was read and not used yet
};

}  // namespace heddle::frontend::remopla
