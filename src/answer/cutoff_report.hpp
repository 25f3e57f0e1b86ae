#pragma once

#include "answer/cutoff.hpp"
#include "answer/report.hpp"

namespace heddle::answer {

/// A cutoff as shown to a person, a script or a stored file.
struct CutoffReport {
  CutoffAnswer answer = Unknown{};
  CheckResult check;
  /// A claim that was made but not confirmed stands behind an Unknown answer.
  bool has_claim = false;
  double seconds = 0;
  double peak_memory_mb = 0;  ///< of the largest child process
  base::Statistics statistics;
};

}  // namespace heddle::answer
