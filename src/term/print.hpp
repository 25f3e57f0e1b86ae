#pragma once

#include <string>
#include <vector>

#include "term/term.hpp"

namespace heddle::term {

/// The term in SMT-LIB 2 notation, on one line. Linear in the size of the term as a tree.
std::string to_smtlib(const Term& term);

/// A whole script: logic, declarations of every variable in the order of first use, one assertion
/// per term, check-sat.
std::string to_smtlib_script(const std::vector<Term>& assertions);

/// Every variable once, in the order of first use.
std::vector<Term> variables(const std::vector<Term>& terms);

}  // namespace heddle::term
