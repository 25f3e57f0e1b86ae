#pragma once

/// Small pieces of wording that several outputs share.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/report.hpp"
#include "answer/trace.hpp"
#include "base/integer.hpp"
#include "model/task.hpp"

namespace heddle::output {

/// `1 thread`, `3 threads`.
std::string counted(const base::Integer& count, std::string_view singular);

/// `0.02 s`, `14.3 s`, `2 min 5 s`.
std::string duration_text(double seconds);

/// All steps of a trace, those of repetition blocks counted as often as they are run.
base::Integer step_count(const answer::Trace& trace);

/// The threads that take part in a trace: those at its start and those spawned on the way. Nothing
/// for nets.
std::optional<base::Integer> thread_count(const model::Model& model, const answer::Trace& trace);
base::Integer thread_count(const model::ThreadSystem& system, const answer::Trace& trace);

/// Why there is no answer, and what might give one.
struct Explanation {
  std::string why;
  std::string what_to_try;  ///< may be empty
};
Explanation explain(answer::UnknownReason reason);

/// The targets of a question, in words or in the notation of the command line.
std::vector<std::string> target_texts(const model::Task& task);

}  // namespace heddle::output
