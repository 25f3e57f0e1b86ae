#pragma once

/// A verdict in a sentence that a person can repeat to a colleague.

#include <string>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"
#include "output/style.hpp"

namespace heddle::output {

/// `SAFE`, `UNSAFE`, `SAFE UP TO 3 contexts`, `CUTOFF 2 threads`, `UNKNOWN`; of termination
/// `TERMINATES under every scheduler`.
std::string verdict_word(const model::AnyTask& task, const answer::Verdict& verdict,
                         const Style& style = Style{});

/// "An assertion fails: 3 threads, 24 steps.", "No run reaches the target.", …
std::string verdict_sentence(const model::AnyTask& task, const Asked& asked,
                             const answer::Report& report);

/// "The independent checker confirmed it: replayed 7 steps."
std::string check_sentence(const answer::Report& report);

/// `3 threads, 7 steps`, or nothing for other verdicts than Unsafe.
std::string run_size(const model::AnyTask& task, const answer::Verdict& verdict);

}  // namespace heddle::output
