#pragma once

#include <functional>

#include "base/integer.hpp"
#include "term/term.hpp"

namespace heddle::term {

/// What a variable stands for; a Boolean is 0 or 1.
using Assignment = std::function<base::Integer(const Term& variable)>;

/// The value of an integer term.
base::Integer evaluate(const Term& term, const Assignment& assignment);

/// The truth of a Boolean term.
bool holds(const Term& term, const Assignment& assignment);

}  // namespace heddle::term
