/// What every engine of the registry owes its caller, whatever its algorithm.

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "check/check.hpp"
#include "support/agreement.hpp"
#include "support/builders.hpp"
#include "support/random_models.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test {
namespace {

using answer::Unknown;
using answer::UnknownReason;
using base::RunContext;
using model::Task;

/// A thread walks a long way, one shared state after the other, and two of them meet at its end.
Task long_walk() {
  constexpr unsigned kLength = 400;
  std::vector<model::ThreadTransition> edges;
  for (unsigned s = 0; s + 1 < kLength; ++s) edges.push_back(move(s, 0, s + 1, 0));
  edges.push_back(move(kLength - 1, 0, 0, 1));
  return task(thread_system(kLength, 3, edges), {any_number(0, {0})},
              {target(kLength - 1, {1, 1}), target(0, {2})});
}

/// A counter that has to be filled one by one.
Task long_count() {
  model::PetriNet counting = net(2);
  add_transition(counting, "", counts({1, 0}), counts({1, 1}));
  return task(counting, {marking({1, 0})}, {at_least({0, 3'000})});
}

class Conformance : public testing::TestWithParam<Contestant> {
 protected:
  bool accepts(const Task& task) const { return GetParam().engine->accepts(task).yes(); }
  answer::Verdict run(const Task& task, RunContext& context) const {
    return GetParam().engine->run(task, GetParam().options, context);
  }

  void expect_unknown(const Task& task, RunContext& context, UnknownReason reason) const {
    if (!accepts(task)) return;
    const answer::Verdict verdict = run(task, context);
    ASSERT_TRUE(std::holds_alternative<Unknown>(verdict)) << verdict_name(verdict);
    EXPECT_EQ(std::get<Unknown>(verdict).reason, reason);
    EXPECT_FALSE(std::get<Unknown>(verdict).detail.empty());
  }
};

TEST_P(Conformance, TheExamplesAreAnsweredWithoutLimits) {
  for (const Task& task : {long_walk(), long_count()}) {
    if (!accepts(task)) continue;
    RunContext context;
    EXPECT_EQ(verdict_name(run(task, context)), "unsafe");
    EXPECT_GT(context.steps(), 300u) << "an engine should count its work";
  }
}

TEST_P(Conformance, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  for (const Task& task : {long_walk(), long_count()}) {
    RunContext context({}, 0, source.get_token());
    expect_unknown(task, context, UnknownReason::Cancelled);
  }
}

TEST_P(Conformance, StopsWhileItRuns) {
  for (const Task& task : {long_walk(), long_count()}) {
    std::stop_source source;
    RunContext context({}, 0, source.get_token());
    context.listen([&](const base::Event&) { source.request_stop(); });
    if (!accepts(task)) continue;
    const answer::Verdict verdict = run(task, context);
    if (!source.stop_requested()) continue;  // it was done before it told anybody
    const auto* unknown = std::get_if<Unknown>(&verdict);
    EXPECT_TRUE(!unknown || unknown->reason == UnknownReason::Cancelled);
  }
}

TEST_P(Conformance, StopsAtItsStepLimit) {
  for (const std::uint64_t steps : {0u, 1u, 10u, 100u}) {
    for (const Task& task : {long_walk(), long_count()}) {
      base::Limits limits;
      limits.steps = steps;
      RunContext context(limits);
      expect_unknown(task, context, UnknownReason::StepLimit);
      EXPECT_LE(context.steps(), steps + 1);
    }
  }
}

TEST_P(Conformance, StopsAtAPastDeadline) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::time_point::min();
  for (const Task& task : {long_walk(), long_count()}) {
    RunContext context(limits);
    expect_unknown(task, context, UnknownReason::TimeLimit);
  }
}

TEST_P(Conformance, AnInitialStateInTheTargetNeedsNoStep) {
  const auto system = thread_system(2, 2, {move(0, 0, 1, 1)});
  for (const Task& task : {task(system, {exactly(0, {0, 0})}, {target(0, {0, 0})}),
                           task(system, {any_number(0, {0})}, {target(0, {0, 0, 0})}),
                           task(system, {any_number(0, {0})}, {target(0, {})}),
                           task(net(2), {marking({1, 2})}, {at_least({0, 2})})}) {
    SCOPED_TRACE(task_text(task));
    if (!accepts(task)) continue;
    RunContext context;
    const answer::Verdict verdict = run(task, context);
    ASSERT_TRUE(std::holds_alternative<answer::Unsafe>(verdict)) << verdict_name(verdict);
    const answer::Trace& trace = std::get<answer::Unsafe>(verdict).trace;
    EXPECT_TRUE(trace.blocks.empty());
    EXPECT_EQ(naive_replay(task, trace), "");
  }
}

TEST_P(Conformance, NoTransitionsAndNoWayIn) {
  for (const Task& task : {task(thread_system(1, 2, {}), {any_number(0, {0})}, {target(0, {1})}),
                           task(net(1), {marking({1})}, {at_least({2})})}) {
    if (!accepts(task)) continue;
    RunContext context;
    EXPECT_EQ(verdict_name(run(task, context)), "safe");
  }
}

TEST_P(Conformance, TheSameRunTwiceIsTheSame) {
  const auto once = [&](const Task& task, std::uint64_t seed) {
    base::Limits limits;
    limits.steps = 3'000;
    RunContext context(limits, seed);
    answer::Verdict verdict = run(task, context);
    return std::tuple(std::move(verdict), context.statistics().entries(), context.steps());
  };
  for (unsigned i = 0; i < random_cases(300); ++i) {
    Random random(8'000'000 + i);
    const Task task = i % 2 == 0 ? random_thread_task(random) : random_net_task(random, {});
    if (!accepts(task)) continue;
    for (const std::uint64_t seed : {0u, 42u})
      EXPECT_EQ(once(task, seed), once(task, seed)) << task_text(task);
  }
}

TEST_P(Conformance, EverySeedGivesAConfirmedAnswer) {
  for (unsigned i = 0; i < random_cases(500); ++i) {
    Random random(9'000'000 + i);
    const Task task = i % 2 == 0 ? random_thread_task(random) : random_net_task(random, {});
    if (!accepts(task)) continue;
    RunContext plain({}, 0), seeded({}, 1 + i), checking;
    const answer::Verdict verdict = run(task, seeded);
    EXPECT_EQ(verdict_name(verdict), verdict_name(run(task, plain))) << task_text(task);
    const auto checked = check::check(task, verdict, checking);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << task_text(task);
  }
}

TEST_P(Conformance, TheRowIsFilledIn) {
  const engine::EngineRow& row = *GetParam().engine;
  EXPECT_FALSE(row.name.empty() || row.summary.empty() || row.models.empty() ||
               row.evidence.empty());
  EXPECT_TRUE(row.proves || row.refutes);
  EXPECT_EQ(engine::find_engine(row.name), &row);
  for (const std::string_view option : row.options)
    EXPECT_NE(std::ranges::find(engine::option_table(), option, &engine::OptionRow::name),
              engine::option_table().end())
        << option;
}

std::string test_name(const testing::TestParamInfo<Contestant>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance, testing::ValuesIn(contestants(engine::registry())),
                         test_name);

}  // namespace
}  // namespace heddle::test
