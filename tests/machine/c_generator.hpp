#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::testing::c {

/// Random C without undefined behaviour (compiled with wrapping arithmetic): functions `case_0`, …
/// that return a number, called one after the other by `main`, which keeps what they return in the
/// array `results`. With HEDDLE_NATIVE defined, main prints them.
class CGenerator {
 public:
  explicit CGenerator(std::uint32_t seed) : random_(seed) {}
  std::string program(int cases);

  /// Not random: every operator of C on operands of every two integer types, for values around the
  /// limits of all of them. `cases` is set to the length of `results`.
  static std::string operators_program(int& cases);

 private:
  struct Variable {
    std::string name;
    std::string type;
  };
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }
  std::string type();
  std::string constant();
  std::string expression(int depth);
  std::string condition(int depth);
  std::string place();
  void statement(std::string& text, int depth, int indent);
  std::string function(int number);

  std::mt19937 random_;
  std::vector<Variable> variables_;
  int loops_ = 0;
  int functions_ = 0;
};

}  // namespace heddle::testing::c
