#pragma once

#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "coverability/backward_search.hpp"

namespace heddle::engine {

answer::UnknownReason unknown_reason(base::StopReason reason);

/// What a backward search of the whole task says about it.
answer::Verdict to_verdict(coverability::SearchResult result);

}  // namespace heddle::engine
