#pragma once

/// What a shell script learns. Each code has one row, from which the help is made; the tables of
/// README.md and docs/command-line.md are tested against it.

#include <span>
#include <string>
#include <string_view>

#include "answer/report.hpp"

namespace heddle::driver {

inline constexpr int kDone = 0;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kUnsafe = 10;
inline constexpr int kUnknown = 20;
inline constexpr int kSafeUpTo = 21;
inline constexpr int kInternalError = 70;
inline constexpr int kRefuted = 71;

struct ExitCodeRow {
  int code;
  std::string_view meaning;  ///< "safe (or: done, confirmed)"
};

std::span<const ExitCodeRow> exit_codes();

/// Of `verify` and `cutoff`.
int exit_code(const answer::Report& report);
/// Of a command whose whole answer is what the checker says.
int exit_code(answer::EvidenceStatus status);
int exit_code(const answer::Unknown& unknown);

/// Of several models: what deserves most attention. First what is wrong with Heddle or the input,
/// then a violation, then what is not known.
int worse_code(int a, int b);

}  // namespace heddle::driver
