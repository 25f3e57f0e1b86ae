#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "support/random.hpp"

namespace heddle::test {

/// Chooses the same cases of a long list every time: about one in n, spread evenly, or all of them
/// with HEDDLE_AGREEMENT=full in the environment.
class Sample {
 public:
  explicit Sample(unsigned one_in) : one_in_(runs_in_full() ? 1 : one_in) {}

  bool next() { return Random(index_++).below(one_in_) == 0; }

  static bool runs_in_full() {
    const char* setting = std::getenv("HEDDLE_AGREEMENT");
    return setting && std::string_view(setting) == "full";
  }

 private:
  unsigned one_in_;
  std::uint64_t index_ = 0;
};

}  // namespace heddle::test
