#pragma once

/// Terms as expressions of Z3 and back, for the files of this module. They include Z3's header
/// themselves, before this one.

#include <optional>
#include <unordered_map>
#include <vector>

#include "term/term.hpp"

namespace z3 {
class context;
class expr;
class exception;
}  // namespace z3

namespace heddle::solver {

/// std::bad_alloc if memory ran out, otherwise a bug of ours.
[[noreturn]] void rethrow(const z3::exception& problem);

/// Runs `work` and turns Z3's exceptions into ours.
template <class Work>
auto guarded(Work work) {
  try {
    return work();
  } catch (const z3::exception& problem) {
    rethrow(problem);
  }
}

/// Remembers what terms became.
class Z3Terms {
 public:
  explicit Z3Terms(z3::context& context) : context_(context) {}

  z3::expr express(const term::Term& term);

 private:
  z3::expr build(const term::Term& term);

  z3::context& context_;
  /// Terms are kept with what they became, so that no other term gets the same address.
  std::unordered_map<const void*, std::pair<term::Term, z3::expr>> expressed_;
};

/// The term that an expression stands for; bound variable i stands for `bound[i]`. None if it has
/// something that terms have not.
std::optional<term::Term> read_back(const z3::expr& expression,
                                    const std::vector<term::Term>& bound);

}  // namespace heddle::solver
