#pragma once

#include <string>

#include "support/random.hpp"

namespace heddle::test {

struct ThreadsFlavour {
  unsigned threads = 2;   ///< listed as procedures; 1: a program with main alone
  bool recursion = true;  ///< procedures may call themselves and each other
};

/// The text of a small program whose threads call procedures with parameters and results; it names
/// only what it declares. Now and then it has `init`, atomic sections and choices.
std::string random_threads(Random& random, const ThreadsFlavour& flavour);

}  // namespace heddle::test
