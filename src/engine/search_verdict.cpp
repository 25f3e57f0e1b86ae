#include "engine/search_verdict.hpp"

namespace heddle::engine {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;

UnknownReason unknown_reason(base::StopReason reason) {
  switch (reason) {
    case base::StopReason::Cancelled: return UnknownReason::Cancelled;
    case base::StopReason::TimeLimit: return UnknownReason::TimeLimit;
    case base::StopReason::StepLimit: return UnknownReason::StepLimit;
    case base::StopReason::MemoryLimit: return UnknownReason::MemoryLimit;
  }
  return UnknownReason::Cancelled;
}

namespace {

struct ToVerdict {
  Verdict operator()(coverability::Coverable& found) const {
    return answer::Unsafe{std::move(found.trace)};
  }
  Verdict operator()(coverability::Uncoverable& found) const {
    return answer::Safe{
        answer::BackwardBasis{std::move(found.minimal), std::move(found.relative_to)}};
  }
  Verdict operator()(const coverability::Stopped& stopped) const {
    return Unknown{unknown_reason(stopped.reason), "backward search stopped"};
  }
  Verdict operator()(const coverability::Overflowed& overflow) const {
    return Unknown{UnknownReason::CounterOverflow, overflow.what};
  }
};

}  // namespace

Verdict to_verdict(coverability::SearchResult result) { return std::visit(ToVerdict{}, result); }

}  // namespace heddle::engine
