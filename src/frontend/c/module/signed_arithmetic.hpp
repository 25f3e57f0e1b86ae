#pragma once

/// What Clang's code does not tell about signed arithmetic: that a left shift is one of signed
/// numbers, and that an operation on constants overflows, because it is computed while code is
/// generated. Both are looked for in the syntax tree and put into the code.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace clang {
class ASTConsumer;
}  // namespace clang

namespace llvm {
class Module;
}  // namespace llvm

namespace heddle::frontend::c {

struct SignedArithmetic {
  /// The last part of the file's name, line and column: as in debug information.
  using SourcePlace = std::tuple<std::string, unsigned, unsigned>;
  struct Folded {
    SourcePlace place;
    std::uint64_t result = 0;  ///< wrapped
    unsigned width = 0;        ///< 0: there is no result
  };
  std::set<SourcePlace> signed_shifts;
  std::set<SourcePlace> other_shifts;  ///< a macro may have both at one place
  std::vector<Folded> overflows;
};

/// Looks into the bodies of functions. `out` must outlive it.
std::unique_ptr<clang::ASTConsumer> signed_arithmetic_reader(SignedArithmetic& out);

/// Marks signed shifts, and adds operations that overflow where the results of those that were
/// computed in advance are used. Where that is not clear, and overflows are asked for, the program
/// ends as unsupported.
void mark_signed_arithmetic(llvm::Module& module, const SignedArithmetic& found,
                            bool asks_for_overflow);

}  // namespace heddle::frontend::c
