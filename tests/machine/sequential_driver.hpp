#pragma once

/// A sequential C program (transform/sequential_c), compiled and executed for all values that it
/// may choose. Guesses are not enumerated but found: those for a round are taken from what runs
/// have left in the round before, until nothing new is found, so that every right guess is tried.

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::testing::c {

enum class Enumerated : std::uint8_t { Fails, Safe, TooMany };

/// Compiles with all warnings as errors. None: it does not compile, or the driver gave up.
std::optional<Enumerated> enumerate(const std::string& text, const std::string& folder);

}  // namespace heddle::testing::c
