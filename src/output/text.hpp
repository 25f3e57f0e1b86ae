#pragma once

/// Answers for people.

#include <string>
#include <string_view>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "output/style.hpp"

namespace heddle::output {

struct TextOptions {
  Style style{};
  bool verbose = false;  ///< every step and state, every engine's fate, the statistics
  bool quiet = false;    ///< the headline only
  std::span<const SourceFile> sources = {};  ///< whose lines are shown; set by `report_text`
};

/// `UNSAFE  3 threads, 7 steps  (backward, 0.02 s)`, what was asked, the evidence, and what the
/// checker says about it. Ends with a line break.
std::string report_text(const model::AnyTask& task, const Asked& asked,
                        const answer::Report& report, const TextOptions& options);

/// The same for stored evidence that was checked again: `CONFIRMED`, `REFUTED`,
/// `NOT CHECKED`, `ANOTHER QUESTION`.
std::string recheck_text(const model::AnyTask& task, const Asked& asked,
                         const answer::Report& report, const TextOptions& options);

}  // namespace heddle::output
