#pragma once

/// What tests about the threads of Boolean programs share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "answer/verdict.hpp"
#include "model/task.hpp"

namespace heddle::test {

/// The program's threads, or one thread in main; can they fail within so many rounds? What does not
/// parse fails the test.
model::ProgramTask threads_task(const std::string& text, std::optional<std::uint32_t> rounds);

/// Can any number of threads in main fail? What does not parse fails the test.
model::ProgramTask any_threads_task(const std::string& text);

answer::Verdict verdict_of(std::string_view engine, const model::ProgramTask& task,
                           std::optional<std::uint64_t> steps = std::nullopt);

/// The rounds of the run that fails, or nothing if there is none within the bound. A verdict that
/// the check does not confirm fails the test.
std::optional<std::size_t> failing_rounds(std::string_view engine, const model::ProgramTask& task,
                                          const answer::Verdict& verdict, const std::string& text);
std::optional<std::size_t> failing_rounds(std::string_view engine, const model::ProgramTask& task,
                                          const std::string& text);

/// Does the naive interpreter agree that the program fails, or that it does not, within so many
/// rounds? Nothing if it has not seen enough.
std::optional<bool> oracle_agrees(const model::ProgramTask& task, bool fails);

}  // namespace heddle::test
