#pragma once

/// Engines against the naive oracle, and every answer through the checker.
///
/// An answer is a conflict if
///   * it says safe and the oracle has a witness,
///   * it says unsafe and its trace does not replay step by step (test code, no checker involved),
///     or the oracle knows exactly that no target is reachable,
///   * the checker does not confirm it, or
///   * something throws, or the engine's row does not allow the answer.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "model/oracle.hpp"
#include "model/task.hpp"

namespace heddle::test {

enum class Outcome { Agree, Skipped, Unknown, Conflict };

struct Finding {
  Outcome outcome;
  std::string what;  ///< for a person: the verdict, or what is wrong with it
};

/// One engine with one setting of its options.
struct Contestant {
  const engine::EngineRow* engine;
  engine::Options options;
  std::string name;  ///< "backward order=bfs invariants=on"
};

/// Every engine under every combination of the values of the options that it reads.
/// Engines for Boolean programs play elsewhere (agreement/boolean_program_test.cpp).
std::vector<Contestant> contestants(std::span<const engine::EngineRow> engines);

constexpr std::uint64_t kAgreementSteps = 200'000;

/// What a contestant says about a task: through the monotone relaxation and back where the task
/// needs it. Takes an engine's word; throws what the engine throws.
answer::Verdict verdict_of(const Contestant& contestant, const model::Task& task,
                           base::RunContext& context);

Finding examine(const Contestant& contestant, const model::Task& task,
                const model::OracleAnswer& oracle);

/// Replays with nothing but model::step: does the trace lead from an initial to a target
/// configuration? Empty if so, otherwise why not.
std::string naive_replay(const model::Task& task, const answer::Trace& trace);

/// Runs all contestants on task after task and keeps the score.
class Agreement {
 public:
  Agreement(std::span<const engine::EngineRow> engines, model::OracleLimits limits)
      : contestants_(contestants(engines)), limits_(std::move(limits)) {}

  void compare(const model::Task& task);
  void compare(const model::Task& task, const model::OracleAnswer& oracle);

  std::size_t count(Outcome outcome) const { return counts_[static_cast<std::size_t>(outcome)]; }
  /// How many tasks an engine has not accepted.
  std::size_t skipped_by(const std::string& engine) const;
  std::size_t tasks() const { return tasks_; }
  std::size_t unaccepted() const { return unaccepted_; }  ///< tasks that all engines refuse
  /// The first few conflicts: who, what, and the shrunk task as text.
  const std::vector<std::string>& conflicts() const { return conflicts_; }
  /// "120 tasks (30 reached, 20 exactly not, 70 not found): 480 agree, 0 skipped, …".
  std::string summary() const;

 private:
  void keep_conflict(const Contestant& contestant, const model::Task& task);

  std::vector<Contestant> contestants_;
  model::OracleLimits limits_;
  std::size_t counts_[4] = {};
  std::map<std::string, std::size_t> skipped_by_;
  std::size_t tasks_ = 0;
  std::size_t unaccepted_ = 0;
  std::size_t reached_ = 0;
  std::size_t exactly_not_ = 0;
  std::vector<std::string> conflicts_;
};

}  // namespace heddle::test
