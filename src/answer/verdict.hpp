#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "answer/certificate.hpp"
#include "answer/trace.hpp"
#include "base/integer.hpp"

namespace heddle::answer {

struct Safe {
  Certificate certificate;
  friend bool operator==(const Safe&, const Safe&) = default;
};

struct Unsafe {
  Trace trace;
  friend bool operator==(const Unsafe&, const Unsafe&) = default;
};

/// No violation within a bound. `what` names the bounded thing, for example "contexts".
struct Bound {
  std::string what;
  base::Integer value;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// The certificate proves the bound: not each kind of certificate can (docs/evidence.md).
struct SafeUpTo {
  Bound bound;
  Certificate certificate;
  friend bool operator==(const SafeUpTo&, const SafeUpTo&) = default;
};

enum class UnknownReason {
  TimeLimit,
  MemoryLimit,
  StepLimit,
  Cancelled,
  CounterOverflow,  ///< a machine counter of an engine was too small
  NotMonotone,      ///< only a relaxation could be decided, and its answer does not carry over
  Unsupported,      ///< no engine accepts the task
  Unconfirmed,      ///< a claim was made, but its check did not finish
  EngineFailed,     ///< a crash, an internal error, or evidence that was refuted
};

struct Unknown {
  UnknownReason reason = UnknownReason::Cancelled;
  std::string detail;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

/// What an engine says. A bound never becomes Safe.
using Verdict = std::variant<Safe, Unsafe, SafeUpTo, Unknown>;

std::string_view to_string(UnknownReason reason);  ///< "time_limit", as in the JSON
std::string_view verdict_name(const Verdict&);     ///< "safe", "unsafe", "safe_up_to", "unknown"
std::string_view certificate_kind(const Certificate&);  ///< "backward_basis", as in the JSON
std::string_view evidence_kind(const Verdict&);  ///< of its certificate, or "trace", or "none"
bool is_definite(const Verdict&);                ///< anything but Unknown

}  // namespace heddle::answer
