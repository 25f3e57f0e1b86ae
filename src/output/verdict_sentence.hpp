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

/// `no assertion can fail, starting with 1 thread in main`: what is proved or found, for which
/// threads; of Unknown, why.
std::string statement(const model::AnyTask& task, const Asked& asked, const answer::Report& report);

/// The first line of an answer: what is proved or found, for which threads, checked or not.
/// `SAFE: no assertion can fail, in any interleaving of its threads; confirmed by …`
std::string headline(const model::AnyTask& task, const Asked& asked, const answer::Report& report,
                     const Style& style = Style{});

/// "Found: an assertion can fail (line 20) with 3 threads, in 24 steps.", …
std::string verdict_sentence(const model::AnyTask& task, const Asked& asked,
                             const answer::Report& report);

/// "The independent checker confirmed it: replayed 7 steps."
std::string check_sentence(const answer::Report& report);

}  // namespace heddle::output
