#pragma once

/// All engines that accept a task, each in a child process; every claim is checked in a child
/// process of its own; the first confirmed answer wins and the rest are stopped.
///
/// They are started in an order that depends on the task (schedule.hpp), and at most `jobs`
/// children run at a moment. Each runs for a slice of time and is then paused if
/// another one's turn has come (time_share.hpp), so that no engine waits for the end of another.
/// A paused child keeps its memory; where the machine runs short of it, a paused child is ended.
///
/// Small tasks: the first engine has a head start of milliseconds before another process is forked,
/// and what it claims within that time is checked in its own process, as it is written down and
/// read back. Only a confirmation counts; any other outcome leaves the check to a process of its
/// own.
///
/// Time: an engine and a check are both told the deadline, on the wall clock. Whoever does not keep
/// it is killed a moment later, and who is paused then, at once. So a check has what the engine
/// left of the time, and a claim whose check does not finish stays unconfirmed.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "answer/report.hpp"
#include "answer/verdict.hpp"
#include "base/run_context.hpp"
#include "driver/system_memory.hpp"
#include "engine/engine.hpp"
#include "model/task.hpp"
#include "output/engine_turn.hpp"

namespace heddle::driver {

using CheckFunction = std::function<answer::CheckResult(const model::AnyTask&,
                                                        const answer::Verdict&, base::RunContext&)>;

/// What the engines work on, and how an answer about it becomes one about the original task.
struct Assignment {
  const model::AnyTask& original;
  const model::AnyTask& transformed;
  /// Runs in the engine's child process.
  std::function<answer::Verdict(answer::Verdict)> translate_back;
  /// Set if engines that accept the original task are to work on it, and then what is done with
  /// their answers.
  std::function<answer::Verdict(answer::Verdict)> finish_original = {};
};

struct PortfolioSettings {
  base::Limits limits;  ///< memory holds for each child process, steps for each engine
  std::uint64_t seed = 0;
  unsigned jobs = 1;  ///< child processes that run at a moment, at least 1
  engine::Options options;
  CheckFunction check;  ///< empty: take the first claim as it is
  bool (*short_of_memory)() = &machine_is_short_of_memory;
  /// Hears of the engines' progress; may be empty.
  std::function<void(std::string_view engine, const base::Event&)> on_event;
  std::span<const engine::EngineRow> all_engines = {};  ///< that could have been asked, too
};

struct PortfolioResult {
  answer::Report report;  ///< `seconds` is left to the caller
  /// The claim behind an Unconfirmed verdict, so that it can be stored and checked later.
  std::optional<answer::Verdict> unconfirmed;
  std::optional<int> interrupted_by;  ///< a signal
  /// When each of `report.runs` had a processor; nothing for engines that were not started.
  std::vector<std::vector<output::EngineTurn>> turns;
};

PortfolioResult run_portfolio(std::span<const engine::EngineRow> engines,
                              const Assignment& assignment, const PortfolioSettings& settings);

}  // namespace heddle::driver
