/// Changes of a task that must not change its verdict, on models of every kind and with every
/// engine that accepts them.

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "support/agreement.hpp"
#include "support/metamorphosis.hpp"
#include "support/model_kinds.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::metamorphic_test {
namespace {

using Task = model::AnyTask;

/// The verdict; of a refusal only that it is one, since its words may name a transition's number.
std::string verdict_name(const Contestant& contestant, const Task& task, std::uint64_t steps) {
  const Finding finding = examine(contestant, task, Truth{}, steps);
  if (finding.outcome == Outcome::Skipped) return "refused";
  return finding.outcome == Outcome::Unknown ? "unknown" : finding.what;
}

/// A budget may be used up, or an engine that is not complete may find a proof in one of two ways
/// to write a model only.
bool may_follow(const Contestant& contestant, const Task& task, const std::string& before,
                const std::string& after) {
  if (before == after || before == "unknown" || after == "unknown") return true;
  if (contestant.engine->complete || before == "refused" || after == "refused") return false;
  const bool one_fails = before == "unsafe" || after == "unsafe";
  const bool bounded = before == "safe_up_to" || after == "safe_up_to";
  return bounded && (!one_fails || !model::contexts_of(task));
}

class Metamorphic : public testing::TestWithParam<ModelKind> {};

TEST_P(Metamorphic, VerdictsFollow) {
  const ModelKind& kind = GetParam();
  const auto all = contestants(engine::registry());
  std::map<std::string_view, unsigned> changes, compared;
  for (unsigned i = 0;
       i < random_cases(std::min(kind.cases / 2, kind.cases / 20 + 15)) && !HasFailure(); ++i) {
    Random random(5'000'000 + kind.first_seed + i);
    const Task task = kind.random(random);
    std::map<std::string, std::string> before;
    for (const Contestant& contestant : all)
      before[contestant.name] = verdict_name(contestant, task, kind.steps);
    for (const Metamorphosis& metamorphosis : metamorphoses(task)) {
      const Task changed = metamorphosis.change(task, random);
      if (task_text(changed) == task_text(task)) continue;
      ++changes[metamorphosis.name];
      for (const Contestant& contestant : all) {
        const std::string after = verdict_name(contestant, changed, kind.steps);
        compared[metamorphosis.name] += after != "refused" && after != "unknown";
        EXPECT_TRUE(may_follow(contestant, task, before[contestant.name], after))
            << contestant.name << ": " << before[contestant.name] << ", " << metamorphosis.name
            << " " << after << "\n"
            << task_text(task) << "\n"
            << metamorphosis.name << ":\n"
            << task_text(changed);
      }
    }
  }
  for (const auto& [name, count] : changes) {
    std::cout << name << ": " << count << " tasks, " << compared[name] << " verdicts\n";
    EXPECT_TRUE(are_enough(compared[name], 0)) << name;
  }
}

/// Not every change applies to every kind (only programs with several listed threads have threads
/// to permute), but each applies to models of some kind.
TEST(Metamorphoses, EachChangesModelsOfSomeKind) {
  std::map<std::string_view, unsigned> changes;
  for (const ModelKind& kind : model_kinds())
    for (unsigned i = 0; i < 20; ++i) {
      Random random(5'000'000 + kind.first_seed + i);
      const Task task = kind.random(random);
      for (const Metamorphosis& metamorphosis : metamorphoses(task))
        changes[metamorphosis.name] +=
            task_text(metamorphosis.change(task, random)) != task_text(task);
    }
  for (const auto& [name, count] : changes) EXPECT_GT(count, 0U) << name;
}

/// The changes themselves, judged by the naive searches: what they find before they must find
/// after.
TEST_P(Metamorphic, TheOracleFollowsToo) {
  const ModelKind& kind = GetParam();
  unsigned reached = 0;
  std::map<std::string_view, unsigned> followed, undecided;
  for (unsigned i = 0; i < random_cases(std::min(kind.cases, 100U)) && !HasFailure(); ++i) {
    Random random(7'000'000 + kind.first_seed + i);
    const Task task = kind.random(random);
    TruthLimits near, far;
    near.counting.max_configurations = 200;
    far.counting.max_configurations = 2'000;
    far.counting.max_total = 2 * near.counting.max_total;  // a copy has as many tokens again
    far.pushdown = {.max_height = 8, .max_configurations = 2'000, .max_rounds = 5};
    far.runs.max_states = far.rounds.max_states = 20'000;
    if (ask_truth(task, near).decided(task) != true) continue;
    ++reached;
    for (const Metamorphosis& metamorphosis : metamorphoses(task)) {
      const Task changed = metamorphosis.change(task, random);
      const auto answer = ask_truth(changed, far).decided(changed);
      EXPECT_NE(answer, false) << metamorphosis.name << "\n"
                               << task_text(task) << task_text(changed);
      ++(answer ? followed : undecided)[metamorphosis.name];
    }
  }
  EXPECT_TRUE(are_enough(reached, 0));
  for (const auto& [name, count] : undecided)
    EXPECT_TRUE(are_enough(followed[name], count)) << name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Metamorphic,
                         testing::ValuesIn(model_kinds().begin(), model_kinds().end()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace heddle::test::metamorphic_test
