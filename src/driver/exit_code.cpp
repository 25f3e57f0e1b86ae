#include "driver/exit_code.hpp"

#include <algorithm>
#include <array>

namespace heddle::driver {

namespace {

int code_of(const answer::Safe&) { return kDone; }
int code_of(const answer::Unsafe&) { return kUnsafe; }
int code_of(const answer::SafeUpTo&) { return kSafeUpTo; }
int code_of(const answer::Cutoff&) { return kDone; }
int code_of(const answer::Unknown& unknown) { return exit_code(unknown); }

}  // namespace

std::span<const ExitCodeRow> exit_codes() {
  static constexpr std::array rows = {
      ExitCodeRow{kDone, "safe (or: done, confirmed)"},
      ExitCodeRow{kUnsafe, "unsafe"},
      ExitCodeRow{kUnknown, "unknown (or: not checked)"},
      ExitCodeRow{kSafeUpTo, "safe up to a bound"},
      ExitCodeRow{kUsage, "wrong usage"},
      ExitCodeRow{kBadInput, "bad input"},
      ExitCodeRow{kInternalError, "an error inside Heddle"},
      ExitCodeRow{kRefuted, "evidence was refuted"},
  };
  return rows;
}

int exit_code(const answer::Report& report) {
  if (report.check.status == answer::EvidenceStatus::Refuted) return kRefuted;
  return std::visit([](const auto& claim) { return code_of(claim); }, report.verdict);
}

int exit_code(answer::EvidenceStatus status) {
  switch (status) {
    case answer::EvidenceStatus::Confirmed: return kDone;
    case answer::EvidenceStatus::Refuted: return kRefuted;
    case answer::EvidenceStatus::NotChecked:
    case answer::EvidenceStatus::OtherQuestion: break;
  }
  return kUnknown;
}

int worse_code(int a, int b) {
  static constexpr std::array order = {kInternalError, kRefuted, kUsage,    kBadInput,
                                       kUnsafe,        kUnknown, kSafeUpTo, kDone};
  const auto rank = [](int code) { return std::ranges::find(order, code) - order.begin(); };
  return rank(b) < rank(a) ? b : a;
}

int exit_code(const answer::Unknown& unknown) {
  return unknown.reason == answer::UnknownReason::EngineFailed ? kInternalError : kUnknown;
}

}  // namespace heddle::driver
