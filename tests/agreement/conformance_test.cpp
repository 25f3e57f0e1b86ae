/// What every engine of the registry owes its caller, whatever its algorithm, shown on models of
/// its own kind: a contestant without them fails.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "support/agreement.hpp"
#include "support/builders.hpp"
#include "support/conformance_models.hpp"
#include "support/model_kinds.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::conformance_test {
namespace {

using answer::SafeUpTo;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;
using Task = model::AnyTask;

class Conformance : public testing::TestWithParam<Contestant> {
 protected:
  Verdict run(const Task& task, RunContext& context) const {
    return verdict_of(GetParam(), task, context);
  }

  /// The models that the contestant accepts.
  std::vector<const ConformanceModel*> models() const {
    std::vector<const ConformanceModel*> out;
    for (const ConformanceModel& model : conformance_models())
      if (plays(GetParam(), model.task)) out.push_back(&model);
    return out;
  }

  /// Those of them that take it some time.
  std::vector<const ConformanceModel*> long_models() const {
    auto out = models();
    std::erase_if(out, [](const ConformanceModel* model) { return !model->is_long; });
    EXPECT_FALSE(out.empty()) << "no long model for this engine in conformance_models.cpp";
    return out;
  }

  void expect_unknown(const Task& task, RunContext& context, UnknownReason reason) const {
    const Verdict verdict = run(task, context);
    ASSERT_TRUE(std::holds_alternative<Unknown>(verdict)) << verdict_name(verdict);
    EXPECT_EQ(std::get<Unknown>(verdict).reason, reason);
    EXPECT_FALSE(std::get<Unknown>(verdict).detail.empty());
  }
};

/// Unsafe if the target is reachable; otherwise safe, at all or up to a bound.
TEST_P(Conformance, AnswersAreRightAndConfirmedAfterAJourneyThroughJson) {
  std::map<std::string, unsigned> verdicts;
  for (const ConformanceModel* model : models()) {
    SCOPED_TRACE(model->name);
    RunContext context, checking;
    const Verdict verdict = run(model->task, context);
    ++verdicts[std::string(verdict_name(verdict))];
    if (GetParam().engine->complete) {
      EXPECT_EQ(verdict_name(verdict), model->reachable ? "unsafe" : "safe");
    }
    EXPECT_EQ(std::holds_alternative<answer::Unsafe>(verdict), model->reachable);
    if (model->is_long) {
      EXPECT_GT(context.steps(), 100U) << "an engine should count its work";
    }
    if (!answer::is_definite(verdict)) continue;
    const auto read =
        answer::verdict_from_json(answer::verdict_to_json(verdict), model::kind_of(model->task));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(*read, verdict);
    const auto checked = check::check(model->task, *read, checking);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  }
  // An engine has a model for each of its verdicts. Where one that is not complete neither proves
  // nor refutes, it says up to which bound, or that it does not know.
  const engine::EngineRow& row = *GetParam().engine;
  EXPECT_EQ(verdicts["safe"] > 0, row.proves);
  EXPECT_EQ(verdicts["unsafe"] > 0, row.refutes);
  EXPECT_EQ(verdicts["safe_up_to"] + verdicts["unknown"] > 0, !row.complete);
}

TEST_P(Conformance, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  for (const ConformanceModel* model : long_models()) {
    SCOPED_TRACE(model->name);
    RunContext context({}, 0, source.get_token());
    expect_unknown(model->task, context, UnknownReason::Cancelled);
  }
}

/// What is said by a run that is stopped by a listener of its first event or, if it ends without
/// one, by another thread, sooner or later after its start.
Verdict stop_meanwhile(const Contestant& contestant, const Task& task) {
  std::stop_source source;
  RunContext context({}, 0, source.get_token());
  context.listen([&](const base::Event&) { source.request_stop(); });
  Verdict verdict = verdict_of(contestant, task, context);
  for (unsigned i = 0; i < 2'000 && answer::is_definite(verdict); ++i) {
    std::stop_source late;
    RunContext interrupted({}, 0, late.get_token());
    // The other thread is there before the run begins: on a busy machine it may be started late.
    std::atomic<bool> is_there = false;
    const std::jthread other([&] {
      is_there = true;
      std::this_thread::sleep_for(std::chrono::microseconds(10 * (i % 50)));
      late.request_stop();
    });
    while (!is_there) std::this_thread::yield();
    verdict = verdict_of(contestant, task, interrupted);
  }
  return verdict;
}

TEST_P(Conformance, StopsWhileItRuns) {
  for (const ConformanceModel* model : long_models()) {
    SCOPED_TRACE(model->name);
    const Verdict verdict = stop_meanwhile(GetParam(), model->task);
    const auto* unknown = std::get_if<Unknown>(&verdict);
    ASSERT_TRUE(unknown) << verdict_name(verdict);
    EXPECT_EQ(unknown->reason, UnknownReason::Cancelled);
  }
}

TEST_P(Conformance, StopsAtItsStepLimit) {
  for (const ConformanceModel* model : long_models()) {
    for (const std::uint64_t steps : {0U, 1U, 10U, 100U}) {
      SCOPED_TRACE(model->name + ", " + std::to_string(steps) + " steps");
      base::Limits limits;
      limits.steps = steps;
      RunContext context(limits);
      expect_unknown(model->task, context, UnknownReason::StepLimit);
      EXPECT_LE(context.steps(), steps + 1);
    }
  }
}

TEST_P(Conformance, StopsAtAPastDeadline) {
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::time_point::min();
  for (const ConformanceModel* model : long_models()) {
    SCOPED_TRACE(model->name);
    RunContext context(limits);
    expect_unknown(model->task, context, UnknownReason::TimeLimit);
  }
}

/// How many random models of a kind, and for how many steps: diagrams take long.
unsigned conformance_cases(const ModelKind& kind) {
  return std::max(2U, random_cases(std::min(30U, kind.cases / 10)));
}
constexpr std::uint64_t kConformanceSteps = 300;

/// Verdict, figures and steps of two runs, with and without a seed.
TEST_P(Conformance, TheSameRunTwiceIsTheSame) {
  const auto once = [&](const Task& task, std::uint64_t seed) {
    base::Limits limits;
    limits.steps = kConformanceSteps;
    RunContext context(limits, seed);
    Verdict verdict = run(task, context);
    return std::tuple(std::move(verdict), context.statistics().entries(), context.steps());
  };
  unsigned runs = 0;
  for (const ModelKind& kind : model_kinds())
    for (unsigned i = 0; i < conformance_cases(kind); ++i) {
      Random random(8'000'000 + i);
      const Task task = kind.random(random);
      if (!plays(GetParam(), task)) continue;
      ++runs;
      for (const std::uint64_t seed : {0U, 42U})
        EXPECT_EQ(once(task, seed), once(task, seed)) << task_text(task);
    }
  EXPECT_TRUE(are_enough(runs, 0));
}

TEST_P(Conformance, EverySeedGivesAConfirmedAnswer) {
  const auto answer = [&](const Task& task, std::uint64_t seed) {
    base::Limits limits;
    limits.steps = kConformanceSteps;
    RunContext context(limits, seed);
    return run(task, context);
  };
  unsigned definite = 0;
  for (const ModelKind& kind : model_kinds())
    for (unsigned i = 0; i < conformance_cases(kind); ++i) {
      Random random(9'000'000 + i);
      const Task task = kind.random(random);
      if (!plays(GetParam(), task)) continue;
      const Verdict plain = answer(task, 0), seeded = answer(task, 1 + i);
      if (!answer::is_definite(plain) || !answer::is_definite(seeded)) continue;
      ++definite;
      EXPECT_EQ(verdict_name(seeded), verdict_name(plain)) << task_text(task);
      RunContext checking;
      const auto checked = check::check(task, seeded, checking);
      EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                   << task_text(task);
    }
  EXPECT_TRUE(are_enough(definite, 0));
}

TEST_P(Conformance, TheRowIsFilledIn) {
  const engine::EngineRow& row = *GetParam().engine;
  EXPECT_FALSE(row.name.empty() || row.summary.empty() || row.models.empty() ||
               row.evidence.empty());
  EXPECT_TRUE(row.proves || row.refutes);
  EXPECT_EQ(engine::find_engine(row.name), &row);
  for (const engine::OptionRow& option : row.options)
    EXPECT_FALSE(option.standard.empty() || option.help.empty()) << option.name;
}

std::string test_name(const testing::TestParamInfo<Contestant>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance, testing::ValuesIn(contestants(engine::registry())),
                         test_name);

/// The corners of coverability, for all who accept them.
class Corners : public testing::TestWithParam<Contestant> {};

TEST_P(Corners, AnInitialStateInTheTargetNeedsNoStep) {
  const auto system = thread_system(2, 2, {move(0, 0, 1, 1)});
  for (const model::CountingTask& task :
       {task(system, {exactly(0, {0, 0})}, {target(0, {0, 0})}),
        task(system, {any_number(0, {0})}, {target(0, {0, 0, 0})}),
        task(system, {any_number(0, {0})}, {target(0, {})}),
        task(net(2), {marking({1, 2})}, {at_least({0, 2})})}) {
    SCOPED_TRACE(task_text(task));
    if (!plays(GetParam(), task)) continue;
    RunContext context;
    const Verdict verdict = verdict_of(GetParam(), task, context);
    ASSERT_TRUE(std::holds_alternative<answer::Unsafe>(verdict)) << verdict_name(verdict);
    const auto& trace = std::get<answer::Trace>(std::get<answer::Unsafe>(verdict).trace);
    EXPECT_TRUE(trace.blocks.empty());
    EXPECT_EQ(naive_replay(task, trace), "");
  }
}

TEST_P(Corners, NoTransitionsAndNoWayIn) {
  for (const model::CountingTask& task :
       {task(thread_system(1, 2, {}), {any_number(0, {0})}, {target(0, {1})}),
        task(net(1), {marking({1})}, {at_least({2})})}) {
    if (!plays(GetParam(), task)) continue;
    RunContext context;
    EXPECT_EQ(verdict_name(verdict_of(GetParam(), task, context)), "safe");
  }
}

/// Those that count threads or tokens.
std::vector<Contestant> counting_contestants() {
  std::vector<Contestant> out = contestants(engine::registry());
  const Task trivial = task(thread_system(1, 2, {}), {any_number(0, {0})}, {target(0, {1})});
  std::erase_if(out, [&](const Contestant& c) { return !plays(c, trivial); });
  return out;
}

INSTANTIATE_TEST_SUITE_P(Registry, Corners, testing::ValuesIn(counting_contestants()), test_name);

}  // namespace
}  // namespace heddle::test::conformance_test
