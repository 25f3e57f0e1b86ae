#pragma once

#include "answer/verdict.hpp"
#include "driver/recheck.hpp"

namespace heddle::driver {

/// Stored evidence as it was written, beside what the checker says about it.
struct StoredVerdict {
  Answered answered;  ///< see `recheck`; its verdict is what the check left of the stored one
  answer::Verdict verdict;
  bool same_kind = false;  ///< is the evidence about the kind of model that the file holds?
};

base::Parsed<StoredVerdict> load_stored(const Disk& disk, const RecheckRequest& request);

}  // namespace heddle::driver
