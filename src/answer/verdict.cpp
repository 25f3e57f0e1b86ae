#include "answer/verdict.hpp"

#include "base/invariant.hpp"

namespace heddle::answer {

std::string_view to_string(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::TimeLimit: return "time_limit";
    case UnknownReason::MemoryLimit: return "memory_limit";
    case UnknownReason::StepLimit: return "step_limit";
    case UnknownReason::Cancelled: return "cancelled";
    case UnknownReason::CounterOverflow: return "counter_overflow";
    case UnknownReason::NotMonotone: return "not_monotone";
    case UnknownReason::Unsupported: return "unsupported";
    case UnknownReason::Incomplete: return "incomplete";
    case UnknownReason::Unconfirmed: return "unconfirmed";
    case UnknownReason::EngineFailed: return "engine_failed";
  }
  base::fail_invariant("reason", "UnknownReason should be one of its enumerators", __FILE__,
                       __LINE__);
}

std::string_view verdict_name(const Verdict& verdict) {
  constexpr std::string_view kNames[] = {"safe", "unsafe", "safe_up_to", "cutoff", "unknown"};
  return kNames[verdict.index()];
}

std::string_view to_string(BoundKind kind) {
  switch (kind) {
    case BoundKind::Contexts: return "contexts";
    case BoundKind::Threads: return "threads";
  }
  base::fail_invariant("kind", "BoundKind should be one of its enumerators", __FILE__, __LINE__);
}

std::string_view certificate_kind(const Certificate& certificate) {
  return kCertificateNames[certificate.index()];
}

std::string_view evidence_kind(const Verdict& verdict) {
  if (std::holds_alternative<Unsafe>(verdict)) return "trace";
  if (std::holds_alternative<Cutoff>(verdict)) return "cutoff";
  if (const auto* safe = std::get_if<Safe>(&verdict)) return certificate_kind(safe->certificate);
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  return bounded ? certificate_kind(bounded->certificate) : "none";
}

bool is_definite(const Verdict& verdict) { return !std::holds_alternative<Unknown>(verdict); }

}  // namespace heddle::answer
