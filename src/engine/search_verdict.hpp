#pragma once

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"

namespace heddle::engine {

answer::UnknownReason unknown_reason(base::StopReason reason);

/// Says that at most so many contexts per thread lead to no violation, with figures of the search.
/// What has been said is not said again by a search that begins anew.
void report_free_contexts(base::RunContext& context, std::uint32_t contexts,
                          std::vector<std::pair<std::string, double>> figures = {});

/// What a search that did not come to its end leaves to say.
answer::Unknown unknown(const coverability::Stopped& stopped);
answer::Unknown unknown(const coverability::Overflowed& overflow);

/// What a backward search of the whole task says about it.
answer::Verdict to_verdict(coverability::SearchResult result);

}  // namespace heddle::engine
