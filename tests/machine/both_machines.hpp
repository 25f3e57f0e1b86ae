#pragma once

/// A C program on two machines: compiled and executed, and read and interpreted.

#include <cstdint>
#include <string>

namespace heddle::testing::c {

/// The program stores `cases` numbers in `results`, and prints them where HEDDLE_NATIVE is defined.
/// Expects the same numbers of both; keeps the text of a program that differs in the file that
/// HEDDLE_KEEP names. Adds the instructions that were interpreted.
void expect_same(const std::string& text, int cases, const std::string& name,
                 std::uint64_t& instructions);

}  // namespace heddle::testing::c
