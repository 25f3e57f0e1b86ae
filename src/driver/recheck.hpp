#pragma once

/// Re-validates stored evidence against a file.

#include <chrono>
#include <cstdint>
#include <string>

#include "answer/json.hpp"
#include "driver/verify.hpp"

namespace heddle::driver {

inline constexpr std::chrono::minutes kCheckTime{10};
inline constexpr std::uint64_t kCheckMemoryMb = 4'000;

struct RecheckRequest {
  std::string file;
  std::string evidence;  ///< a file
  QuestionOptions question;
  /// Evidence may come from anywhere: its check has limits also where nobody asked for them.
  Budget budget{kCheckTime, kCheckMemoryMb, std::nullopt};
};

/// Stored evidence; the error says where the file stops making sense.
base::Parsed<answer::StoredEvidence> load_evidence(const Disk& disk, const std::string& path);

/// The question is the one that `verify` puts with the same options, and what `verify` refuses is
/// refused here. Evidence that answers another question is not checked; the reason names the
/// options that would put that one. The report's verdict is the stored one if it is confirmed,
/// Unknown otherwise.
base::Parsed<Answered> recheck(const Disk& disk, const RecheckRequest& request);
/// The same, of evidence that has been loaded.
base::Parsed<Answered> recheck(const Disk& disk, const RecheckRequest& request,
                               const answer::StoredEvidence& evidence);

/// Stored evidence as it was written, beside what the checker says about it.
struct StoredVerdict {
  Answered answered;  ///< see `recheck`; its verdict is what the check left of the stored one
  answer::Verdict verdict;
  bool same_kind = false;  ///< is the evidence about the kind of model that the file holds?
};

base::Parsed<StoredVerdict> load_stored(const Disk& disk, const RecheckRequest& request);

}  // namespace heddle::driver
