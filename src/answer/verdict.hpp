#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "answer/bound.hpp"
#include "answer/certificate.hpp"
#include "answer/cutoff.hpp"
#include "answer/trace.hpp"

namespace heddle::answer {

struct Safe {
  Certificate certificate;
  friend bool operator==(const Safe&, const Safe&) = default;
};

struct Unsafe {
  AnyRun trace;
  friend bool operator==(const Unsafe&, const Unsafe&) = default;
};

/// The certificate proves the bound: its kind has it among its Bounds.
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
  Incomplete,       ///< an engine cannot cover all of the program: the detail says what is left
  Unconfirmed,      ///< a claim was made, but its check could not decide it
  EngineFailed,     ///< a crash, an internal error, or evidence that was refuted
};

struct Unknown {
  UnknownReason reason = UnknownReason::Cancelled;
  std::string detail;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

/// What an engine says. A bound never becomes Safe. Cutoff answers the question how many threads
/// are enough; the others answer whether a target can be reached.
using Verdict = std::variant<Safe, Unsafe, SafeUpTo, Cutoff, Unknown>;

std::string_view to_string(UnknownReason reason);  ///< "time_limit", as in the JSON
std::string_view verdict_name(const Verdict&);     ///< "safe", "safe_up_to", as in the JSON
std::string_view evidence_kind(
    const Verdict&);               ///< of its certificate, or "trace", "cutoff", "none"
bool is_definite(const Verdict&);  ///< anything but Unknown

}  // namespace heddle::answer
