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

/// Further bounds are told ten times a second at most.
constexpr std::uint32_t kAllReported = 20;

void report_free_contexts(base::RunContext& context, std::uint32_t contexts,
                          std::vector<std::pair<std::string, double>> figures) {
  constexpr const char* kName = "contexts without violation";
  if (context.statistics().get(kName) >= contexts) return;
  context.statistics().set(kName, contexts);
  if (contexts > kAllReported && !context.wants_event()) return;
  context.emit({"no violation within " + base::counted(contexts, "context") + " per thread",
                std::move(figures), true});
}

Unknown unknown(const coverability::Stopped& stopped) {
  return {unknown_reason(stopped.reason), "the search was stopped"};
}

Unknown unknown(const coverability::Overflowed& overflow) {
  return {UnknownReason::CounterOverflow, overflow.what};
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
  Verdict operator()(const coverability::Stopped& stopped) const { return unknown(stopped); }
  Verdict operator()(const coverability::Overflowed& overflow) const { return unknown(overflow); }
};

}  // namespace

Verdict to_verdict(coverability::SearchResult result) { return std::visit(ToVerdict{}, result); }

}  // namespace heddle::engine
