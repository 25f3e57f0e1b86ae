#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace heddle::test {

/// True with HEDDLE_AGREEMENT=full in the environment: all cases, however long it takes.
inline bool runs_in_full() {
  const char* setting = std::getenv("HEDDLE_AGREEMENT");
  return setting && std::string_view(setting) == "full";
}

/// How much less is done in a build with sanitizers, which is about that much slower.
constexpr unsigned kSlowdown = kAddressSanitizer ? 40 : 1;

/// One of `of` equal parts of a long list, so that tests of the parts can run side by side.
struct Share {
  unsigned part = 0;
  unsigned of = 1;
};

/// Chooses about one in n cases of a share of a long list, spread evenly, the same ones every time.
class Sample {
 public:
  explicit Sample(unsigned one_in, Share share = {})
      : one_in_(runs_in_full() ? 1 : one_in * kSlowdown), share_(share) {}

  bool next() {
    const std::uint64_t index = index_++;
    return index % share_.of == share_.part && Random(index).below(one_in_) == 0;
  }
  unsigned one_in() const { return one_in_; }

 private:
  unsigned one_in_;
  Share share_;
  std::uint64_t index_ = 0;
};

/// How many random cases to run: `usual` of them, thirty times as many in full.
inline unsigned random_cases(unsigned usual) {
  return runs_in_full() ? 30 * usual : usual / kSlowdown;
}

/// The same for a test that is in the optimised tree as well, in full there: a sample with
/// sanitizers.
constexpr unsigned sampled(unsigned usual) { return usual / (kSlowdown > 1 ? 10 : 1); }

/// Are there more cases than a test wants to have seen? Samples of slowed-down builds are too small
/// to ask.
constexpr bool are_enough(std::size_t seen, std::size_t wanted) {
  return kSlowdown > 1 || seen > wanted;
}

}  // namespace heddle::test
