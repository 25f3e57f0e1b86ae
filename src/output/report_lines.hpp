#pragma once

/// What the texts of several answers share. Private to src/output.

#include <string>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "output/text.hpp"

namespace heddle::output {

/// `CONFIRMED`, `REFUTED`, `ANOTHER QUESTION` or `NOT CHECKED`.
std::string check_word(const answer::CheckResult& check, const Style& style);

/// `  initial  0/0  (the file)`.
std::string initial_line(const model::AnyTask& task, const Asked& asked,
                         const TextOptions& options);

/// `evidence confirmed: …`.
std::string evidence_line(const answer::CheckResult& check, const Style& style);

}  // namespace heddle::output
