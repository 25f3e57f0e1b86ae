/// The engine `forward`: runs are found in few steps where parts are independent.

#include "engine/forward/forward.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "support/builders.hpp"

namespace heddle::engine::forward {
namespace {

using answer::EvidenceStatus;
using answer::Unknown;
using answer::Unsafe;
using answer::Verdict;
using Task = model::CountingTask;

constexpr unsigned kStates = 8;

/// Processes that go from their first state to their last one by one. One more place stays empty.
Task processes(unsigned count, bool ask_for_the_empty_place) {
  model::PetriNet net = test::net(count * kStates + 1);
  std::vector<unsigned> start(count * kStates + 1, 0);
  std::vector<unsigned> wanted(count * kStates + 1, 0);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned first = i * kStates;
    start[first] = 1;
    wanted[first + kStates - 1] = 1;
    for (unsigned k = first; k + 1 < first + kStates; ++k) {
      std::vector<unsigned> guard(k + 1, 0);
      guard[k] = 1;
      net.transitions.push_back(
          test::rule(guard, {test::update(k, {k}, -1), test::update(k + 1, {k + 1}, 1)}));
    }
  }
  if (ask_for_the_empty_place) wanted.back() = 1;
  return test::task(std::move(net), {test::marking(start)}, {test::at_least(wanted)});
}

Verdict solve(const Task& task, std::uint64_t steps) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  return row().run(task, {}, context);
}

void expect_confirmed(const Task& task, const Verdict& verdict) {
  ASSERT_TRUE(answer::is_definite(verdict));
  base::RunContext context;
  const auto checked = check::check(task, verdict, context);
  EXPECT_EQ(checked.status, EvidenceStatus::Confirmed) << checked.why;
}

TEST(Forward, IndependentProcessesCostTheirSum) {
  const Task task = processes(32, false);
  expect_confirmed(task, solve(task, 32 * kStates));
}

TEST(Forward, StubbornSetsLeaveOutWhatDoesNotHelp) {
  const Task task = processes(32, true);
  const Verdict verdict = solve(task, 100);
  ASSERT_TRUE(std::holds_alternative<answer::Safe>(verdict));
  expect_confirmed(task, verdict);
}

/// Two places that are never marked together: one process goes to its last state only from its
/// first one. The others are of no concern.
TEST(Forward, AProofIsAReducedCover) {
  Task task = processes(20, false);
  task.question.targets = {test::at_least({1, 0, 0, 1})};
  const Verdict verdict = solve(task, 100);
  ASSERT_TRUE(std::holds_alternative<answer::Safe>(verdict));
  expect_confirmed(task, verdict);
}

/// Both processes go on, so at no time is one in its first place and the other not. Whether that
/// holds is not a question about covering.
TEST(Forward, TargetsWithUpperBoundsAreSearchedExactly) {
  model::PetriNet net = test::net(3);
  net.transitions = {test::rule({1}, {test::update(0, {0}, -1), test::update(1, {1}, 2)}),
                     test::rule({0, 2}, {test::update(1, {1}, -2), test::update(2, {2}, 1)})};
  const auto asked = [&](unsigned tokens) {
    model::Region target = test::at_least({0, 1, 0});
    target.bounds[0].lower = tokens;
    target.bounds[0].upper = tokens;
    return test::task(net, {test::marking({2, 0, 0})}, {target});
  };
  for (const unsigned tokens : {0U, 2U, 4U}) {
    const Verdict verdict = solve(asked(tokens), 1000);
    EXPECT_TRUE(std::holds_alternative<Unsafe>(verdict)) << tokens;
    expect_confirmed(asked(tokens), verdict);
  }
  for (const unsigned tokens : {1U, 3U}) {
    const Verdict verdict = solve(asked(tokens), 1000);
    EXPECT_TRUE(std::holds_alternative<answer::Safe>(verdict)) << tokens;
    expect_confirmed(asked(tokens), verdict);
  }
}

/// In each process one token; only the first two processes matter.
TEST(Forward, ConditionsAreSearchedExactly) {
  const auto asked = [&](int least) {
    Task task = processes(20, false);
    std::vector<model::WeightedPlace> terms;  // how far the first process is ahead of the second
    for (unsigned k = 1; k < kStates; ++k) terms.push_back({model::Counter(k), k});
    for (int k = 1; k < static_cast<int>(kStates); ++k)
      terms.push_back({model::Counter(kStates + static_cast<unsigned>(k)), -k});
    task.question.targets = {
        {model::SharedState(0u), {}, model::Condition::at_least(std::move(terms), least)}};
    return task;
  };
  const Verdict ahead = solve(asked(7), 100);
  EXPECT_TRUE(std::holds_alternative<Unsafe>(ahead));
  expect_confirmed(asked(7), ahead);
  const Verdict beyond = solve(asked(8), 100);
  EXPECT_TRUE(std::holds_alternative<answer::Safe>(beyond));
  expect_confirmed(asked(8), beyond);
}

/// From any number of tokens, and with a reset, which exact searches do not take.
TEST(Forward, ATargetThatIsNowhereIsSafe) {
  model::PetriNet net = test::net(2);
  net.transitions = {test::rule({1}, {test::update(1, {})})};
  model::Region target{model::SharedState(0u), {}, model::Condition::any({})};
  model::Region initial{model::SharedState(0u), {{model::Counter(0u), 1, std::nullopt}}};
  const Task task = test::task(net, {initial}, {target});
  ASSERT_TRUE(row().accepts(task).yes());
  const Verdict verdict = solve(task, 10);
  EXPECT_TRUE(std::holds_alternative<answer::Safe>(verdict));
  expect_confirmed(task, verdict);
}

TEST(Forward, WeightsThatFitNoMachineWordAreNotRounded) {
  Task task = processes(1, false);
  const base::Integer huge("100000000000000000000");
  task.question.targets = {
      {model::SharedState(0u), {}, model::Condition::at_least({{model::Counter(0u), huge}}, huge)}};
  const Verdict verdict = solve(task, 100);
  const auto* unknown = std::get_if<Unknown>(&verdict);
  ASSERT_TRUE(unknown) << answer::verdict_name(verdict);
  EXPECT_EQ(unknown->reason, answer::UnknownReason::CounterOverflow);
}

/// The step is possible while the second place is empty: an inhibitor arc.
TEST(Forward, GuardsWithUpperBoundsAreHonoured) {
  model::PetriNet net = test::net(2);
  net.transitions = {test::rule({1}, {test::update(0, {0}, -1), test::update(1, {1}, 1)})};
  net.transitions[0].guard.push_back({model::Counter(1u), 0, base::Integer(0)});
  const Task task = test::task(net, {test::marking({2, 0})}, {test::at_least({0, 2})});
  const Verdict verdict = solve(task, 1000);
  EXPECT_TRUE(std::holds_alternative<answer::Safe>(verdict));
  expect_confirmed(task, verdict);
}

/// Independent processes beside the question do not matter, exact or not.
TEST(Forward, StubbornSetsServeExactQuestionsToo) {
  Task task = processes(20, false);
  model::Region target = test::at_least({0, 1, 0, 1});
  target.bounds[0].upper = 1;
  task.question.targets = {target};
  const Verdict verdict = solve(task, 100);
  EXPECT_TRUE(std::holds_alternative<answer::Safe>(verdict));
  expect_confirmed(task, verdict);
}

/// One token goes to and fro and leaves tokens behind; the target needs it in both places.
TEST(Forward, GivesUpWhereNumbersGrowWithoutEnd) {
  model::PetriNet net = test::net(4);
  net.transitions = {test::rule({0, 0, 1}, {test::update(0, {0}, 1), test::update(2, {2}, -1),
                                            test::update(3, {3}, 1)}),
                     test::rule({0, 0, 0, 1}, {test::update(2, {2}, 1), test::update(3, {3}, -1)}),
                     test::rule({0, 0, 1, 1}, {test::update(1, {1}, 1)})};
  const Verdict verdict = solve(
      test::task(net, {test::marking({0, 0, 1, 0})}, {test::at_least({0, 1, 0, 0})}), 100'000);
  const auto* unknown = std::get_if<Unknown>(&verdict);
  ASSERT_TRUE(unknown) << answer::verdict_name(verdict);
  EXPECT_EQ(unknown->reason, answer::UnknownReason::Incomplete);
}

TEST(Forward, AsManyThreadsStartAsTheRunNeeds) {
  const Task task =
      test::task(test::thread_system(2, 3, {test::move(0, 0, 1, 1), test::move(1, 0, 0, 2)}),
                 {test::any_number(0, {0})}, {test::target(0, {1, 1, 1, 2, 2, 2})});
  const Verdict verdict = solve(task, 1000);
  expect_confirmed(task, verdict);
  const auto& trace = std::get<answer::Trace>(std::get<Unsafe>(verdict).trace);
  EXPECT_EQ(trace.initial.counts.total(), 6);
}

}  // namespace
}  // namespace heddle::engine::forward
