#pragma once

#include <vector>

#include "frontend/frontend.hpp"

namespace heddle::frontend::pushdown {

/// `3|1,-,*`: shared state 3, symbol 1 on top of the first thread's stack, an empty second one,
/// anything (in a target only) on the third.
base::Parsed<std::vector<model::Region>> parse_targets(const model::PushdownSystem& system,
                                                       const SourceText& source);
base::Parsed<std::vector<model::Region>> parse_initial(const model::PushdownSystem& system,
                                                       const SourceText& source);

}  // namespace heddle::frontend::pushdown
