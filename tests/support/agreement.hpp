#pragma once

/// Engines against the naive searches, on models of any kind, and every answer through the checker.
///
/// An answer is a conflict if
///   * it says safe, at all or up to a bound, and the search has a witness,
///   * it says unsafe and its trace does not replay step by step (test code, no checker involved),
///     or the search knows exactly that no target is reachable,
///   * the checker does not confirm it,
///   * something throws, or the engine's row does not allow the answer, or
///   * another engine gives the opposite answer, however well both are confirmed.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "model/task.hpp"
#include "support/truth.hpp"

namespace heddle::test {

enum class Outcome { Agree, Skipped, Unknown, Conflict };

struct Finding {
  Outcome outcome;
  std::string what;      ///< for a person: the verdict, or what is wrong with it
  std::string evidence;  ///< its kind; empty unless there is agreement
};

/// One engine with one setting of its options.
struct Contestant {
  const engine::EngineRow* engine;
  engine::Options options;
  std::string name;  ///< "backward order=bfs invariants=on"
};

/// Every engine under every combination of the values of the options that it reads.
std::vector<Contestant> contestants(std::span<const engine::EngineRow> engines);

constexpr std::uint64_t kAgreementSteps = 200'000;

/// Is the contestant asked about the task, as it is or through the monotone relaxation? Only those
/// that count contexts are asked about a number of contexts. `why_not` is set if not.
bool plays(const Contestant& contestant, const model::AnyTask& task,
           std::string* why_not = nullptr);

/// What a contestant says about a task that it plays: through the monotone relaxation and back
/// where the task needs it. Takes an engine's word; throws what the engine throws.
answer::Verdict verdict_of(const Contestant& contestant, const model::AnyTask& task,
                           base::RunContext& context);

/// "a says safe, b says unsafe" if two of these answers to one task contradict each other; empty if
/// none do.
std::string contradiction(const std::vector<std::pair<const Contestant*, Finding>>& answers);

Finding examine(const Contestant& contestant, const model::AnyTask& task, const Truth& truth,
                std::uint64_t steps = kAgreementSteps);

/// What an engine was seen to do.
struct Observed {
  std::map<std::string, std::size_t> verdicts;  ///< how often, by name; "skipped" among them
  std::set<std::string> evidence;               ///< kinds of confirmed evidence
};

/// Runs all contestants on task after task and keeps the score.
class Agreement {
 public:
  explicit Agreement(std::span<const engine::EngineRow> engines, TruthLimits limits = {},
                     std::uint64_t steps = kAgreementSteps)
      : contestants_(contestants(engines)), limits_(std::move(limits)), steps_(steps) {}

  /// From now on each setting of an engine plays one task in n only, in turns: for long lists of
  /// tasks.
  void take_turns(unsigned n) { turns_ = n; }

  void compare(const model::AnyTask& task);
  void compare(const model::AnyTask& task, const Truth& truth);

  std::size_t count(Outcome outcome) const { return counts_[static_cast<std::size_t>(outcome)]; }
  /// By the engine's name.
  const std::map<std::string, Observed>& observed() const { return observed_; }
  /// How many tasks an engine has not accepted, once for each of its settings.
  std::size_t skipped_by(const std::string& engine) const;
  std::size_t tasks() const { return tasks_; }
  std::size_t reached() const { return reached_; }          ///< tasks whose witness was found
  std::size_t exactly_not() const { return exactly_not_; }  ///< tasks known to have none
  std::size_t unaccepted() const { return unaccepted_; }    ///< tasks that all engines refuse
  /// The first few conflicts: who, what, and the shrunk task as text.
  const std::vector<std::string>& conflicts() const { return conflicts_; }
  /// "120 tasks (30 reached, 20 exactly not, 70 not found): 480 agree, 0 skipped, …".
  std::string summary() const;

 private:
  void keep_conflict(const Contestant& contestant, const model::AnyTask& task);
  void look_for_contradiction(const model::AnyTask& task,
                              const std::vector<std::pair<const Contestant*, Finding>>& answers);

  std::vector<Contestant> contestants_;
  TruthLimits limits_;
  std::uint64_t steps_;
  unsigned turns_ = 1;
  std::size_t counts_[4] = {};
  std::map<std::string, Observed> observed_;
  std::size_t tasks_ = 0;
  std::size_t unaccepted_ = 0;
  std::size_t reached_ = 0;
  std::size_t exactly_not_ = 0;
  std::vector<std::string> conflicts_;
};

}  // namespace heddle::test
