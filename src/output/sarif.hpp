#pragma once

/// Answers for editors and continuous integration: SARIF 2.1.0 (OASIS), a log with one run.
/// A violation is one result: where it happens, a code flow with a thread flow for each thread
/// (`executionOrder` is the interleaving), the other place of a race and what waiting threads wait
/// for as related locations. A program that is safe has no result. What else is to be said, an
/// answer that is missing included, is a notification.

#include <span>
#include <string>

#include "answer/report.hpp"
#include "model/task.hpp"
#include "output/asked.hpp"

namespace heddle::output {

/// Steps of a code flow, at most: viewers accept no more. Longer runs lose their middle.
constexpr std::size_t kMostFlowSteps = 10'000;

/// Ends with a line break.
std::string sarif_log(const model::AnyTask& task, const Asked& asked, const answer::Report& report);

/// The address of a file as SARIF has it: relative names stay relative, absolute ones become
/// `file://` addresses; all but plain characters are encoded.
std::string file_address(const std::string& name);

}  // namespace heddle::output
