#pragma once

#include <expected>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "answer/report.hpp"
#include "driver/child_process.hpp"
#include "driver/portfolio.hpp"

namespace heddle::driver {

/// The deadline with its grace, and the memory.
ChildLimits hard_limits(const base::Limits& limits);

/// What the end of an engine's process says, if it ended without an answer.
std::optional<answer::Unknown> failure(const ChildOutcome& outcome);
answer::Unknown unreadable_answer(const std::string& why);

/// What the ended process says, read by `read`, or what its end says about it. An answer that does
/// not fit into our own memory costs that process only.
template <class Read>
auto message_of(const ChildOutcome& outcome, const Read& read) ->
    typename decltype(read(std::string_view()))::value_type {
  if (auto unknown = failure(outcome)) return {std::move(*unknown), {}};
  try {
    auto message = read(outcome.text);
    if (message) return std::move(*message);
    return {unreadable_answer(message.error()), {}};
  } catch (const std::bad_alloc&) {
    return {answer::Unknown{answer::UnknownReason::MemoryLimit, "no memory for its answer"}, {}};
  }
}

/// Checks in this process. The step limit is for engines and does not apply.
answer::CheckResult check_here(const CheckFunction& check, const model::AnyTask& task,
                               const answer::Verdict& verdict, const base::Limits& limits);

/// Starts a check in a child process.
ChildProcess start_check(const CheckFunction& check, const model::AnyTask& task,
                         const answer::Verdict& verdict, const base::Limits& limits);

/// What the ended child said; a check that did not come to its end is NotChecked.
answer::CheckResult check_result(const ChildOutcome& outcome);

/// What the check has come across joins the warnings about the file.
void take_warnings(answer::CheckResult& check, base::Diagnostics& warnings);

}  // namespace heddle::driver
