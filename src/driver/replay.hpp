#pragma once

/// A stored trace, checked and ready to be looked at.

#include "answer/trace.hpp"
#include "driver/recheck.hpp"

namespace heddle::driver {

struct CheckedTrace {
  Answered answered;  ///< the task, and in the report what the checker says about the trace
  answer::AnyRun trace;
};

/// Reads the model and the evidence, checks it as `recheck` does, and hands out the trace whatever
/// the check says: the caller must say it. The error says what cannot be read, that the evidence
/// holds no trace, or that its trace cannot be followed on this model at all.
base::Parsed<CheckedTrace> load_trace(const Disk& disk, const RecheckRequest& request);

}  // namespace heddle::driver
