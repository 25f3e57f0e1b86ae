#pragma once

/// States in questions, by number or by the name that the file gives them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/text/lexer.hpp"
#include "frontend/text/problems.hpp"

namespace heddle::frontend::text {

/// Takes a number, a name in double quotes, or a name up to one of `| , / ^ ;` or the end of the
/// line, as one token: of kind Number, or of kind Quoted. If none of them comes next, it is only
/// looked at, and of another kind.
Token take_state(Lexer& lexer);

/// The names of the states of one kind.
struct NamedStates {
  std::string kind;                    ///< "shared state"
  std::span<const std::string> names;  ///< of the states from `first` on; "": it has none
  std::uint32_t first = 0;
};

/// The state of that name. If there is none, or several states have it, that is reported.
std::optional<std::uint32_t> find_state(const Token& name, const NamedStates& states,
                                        Problems& problems);

}  // namespace heddle::frontend::text
