#pragma once

/// The other half of an answer about a C program: executions end where they reach an invalid access
/// or a division by zero, whatever is asked, so that an answer is about what comes before. Whoever
/// hears SAFE is told of such an end, with an execution that leads to it.

#include "driver/portfolio.hpp"
#include "driver/verify.hpp"

namespace heddle::driver {

/// Looks for one, unless the check of the answer has seen all executions and met none, and adds it
/// to the report and to the warnings of its check. Takes at most half as long as the answer did,
/// but up to a tenth of a second always, and a second at most. Which engines look for it does not
/// depend on those that were asked: no part of the answer rests on it. Does nothing for other
/// kinds, other verdicts, and questions that ask for such ends.
void add_fault(Answered& answered, const PortfolioSettings& settings,
               std::chrono::duration<double> taken);

}  // namespace heddle::driver
