#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/boolean_program/tokens.hpp"
#include "frontend/remopla/bits.hpp"

namespace heddle::frontend::remopla {

/// A variable of the source: Boolean, an integer or of an enumeration, perhaps an array of them.
struct Variable {
  std::size_t width = 1;                        ///< bits of an element
  bool is_integer = false;                      ///< or of an enumeration
  std::vector<std::string> values;              ///< what they are called; empty: numbers
  bool is_array = false;                        //
  std::vector<std::vector<std::string>> names;  ///< of the Boolean variables: by element, by bit
};

/// What is declared where. Names of the Boolean variables: `x` of a Boolean one, `x_2` of bit 2 of
/// an integer, `a_3` and `a_3_2` of an array's element 3.
class Variables {
 public:
  /// The Boolean variables; reports a name that is taken already.
  std::vector<model::boolean::Declaration> declare(boolean_program::Tokens& tokens,
                                                   const text::Token& name, Variable variable,
                                                   std::size_t elements);
  /// Null if there is none.
  const Variable* find(std::string_view name) const;

  void enter_module() { in_module_ = true; }
  /// Forgets what the module declared.
  void leave_module();

  std::vector<std::string> declared() const;  ///< all names of the source, for hints

 private:
  std::map<std::string, Variable, std::less<>> globals_, locals_;
  std::set<std::string, std::less<>> taken_, taken_locally_;
  bool in_module_ = false;
};

}  // namespace heddle::frontend::remopla
