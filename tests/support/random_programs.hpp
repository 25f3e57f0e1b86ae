#pragma once

#include "model/boolean_program/syntax.hpp"
#include "support/random.hpp"

namespace heddle::test {

/// What random programs may have.
struct ProgramFlavour {
  bool broadcasts = true;
  bool signals = false;
  bool passive = false;  ///< assignments to variables of other threads
  bool calls = true;
};

/// A small program that names only what it declares: up to two shared and two local variables, a
/// dozen statements, threads started at labels and by calls, atomic sections, waits.
model::BooleanProgram random_program(Random& random, const ProgramFlavour& flavour);

}  // namespace heddle::test
