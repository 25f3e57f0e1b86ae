#pragma once

/// Texts that are long in one way each: many transitions, labels, procedures, … What is read and
/// prepared in time that grows no faster than n log n can be read with a million of them.

#include <cstddef>
#include <span>
#include <string>

namespace heddle::test {

struct LongInput {
  const char* name;
  const char* format;
  std::string (*text)(std::size_t n);
};

std::span<const LongInput> long_inputs();

/// A net with n targets, none of which covers another and none of which can be reached.
std::string incomparable_targets(std::size_t n);

}  // namespace heddle::test
