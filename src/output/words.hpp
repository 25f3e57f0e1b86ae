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

using base::counted;
/// `2 contexts`, `1 context`.
std::string bound_text(const answer::Bound& bound);

/// `0.02 s`, `14.3 s`, `2 min 5 s`.
std::string duration_text(double seconds);

/// See kinds.hpp.
base::Integer step_count(const answer::AnyRun& run);

/// See threads_of in kinds.hpp. Nothing for runs of another kind of model.
std::optional<base::Integer> thread_count(const model::AnyTask& task, const answer::AnyRun& run);

/// Why there is no answer, and what might give one.
struct Explanation {
  std::string why;
  std::string what_to_try;  ///< may be empty
};
Explanation explain(answer::UnknownReason reason);

/// The targets of a question, in words or in the notation of the command line.
std::vector<std::string> target_texts(const model::AnyTask& task);
std::vector<std::string> initial_texts(const model::AnyTask& task);

}  // namespace heddle::output
