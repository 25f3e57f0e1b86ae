/// The agreement harness must be able to fail: engines that lie have to be caught, and their lies
/// shrunk to the point.

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/counting.hpp"
#include "support/agreement.hpp"
#include "support/builders.hpp"
#include "support/shrink.hpp"

namespace heddle::test::harness_test {
namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;
using engine::EngineRow;
using engine::Options;
using Task = model::AnyTask;

using Run = Verdict (*)(const Task&, const Options&, RunContext&);

EngineRow fake(Run run) {
  EngineRow row{};
  row.name = "fake";
  row.proves = row.refutes = row.complete = true;
  row.accepts = [](const Task&) { return engine::Acceptance{}; };
  row.run = run;
  return row;
}

Verdict always_safe(const Task&, const Options&, RunContext&) {
  return answer::Safe{answer::BackwardBasis{}};
}

Verdict always_unsafe(const Task& task, const Options&, RunContext&) {
  const auto counting = model::counting_task(task).value();
  return answer::Unsafe{answer::Trace{model::least_element(counting.question.initial.front()), {}}};
}

Verdict honest(const Task& task, const Options& options, RunContext& context) {
  return engine::find_engine("backward")->run(task, options, context);
}

/// Drops what some published tools drop: edges whose local state does not change.
Verdict ignores_edges_that_keep_the_local_state(const Task& task, const Options& options,
                                                RunContext& context) {
  auto fewer = std::get<model::ThreadTask>(task);
  for (auto& t : fewer.model.transitions)
    if (t.source.local == t.target.local) t.target.shared = t.source.shared;
  return honest(fewer, options, context);
}

/// Answers a target of several threads as if one of them were enough.
Verdict looks_at_one_thread_only(const Task& task, const Options& options, RunContext& context) {
  model::CountingTask fewer = model::counting_task(task).value();
  for (auto& region : fewer.question.targets)
    for (auto& bound : region.bounds) bound.lower = 1;
  return honest(fewer, options, context);
}

/// Reads "any number of initial threads" as "one".
Verdict reads_any_number_as_one(const Task& task, const Options& options, RunContext& context) {
  model::CountingTask fewer = model::counting_task(task).value();
  for (auto& region : fewer.question.initial)
    for (auto& bound : region.bounds) bound.upper = bound.lower = 1;
  return honest(fewer, options, context);
}

Finding examine_fake(const EngineRow& row, const Task& task) {
  return examine({&row, {}, "fake"}, task, ask_truth(task));
}

Finding examine_fake(Run run, const Task& task) { return examine_fake(fake(run), task); }

model::CountingTask mutual_exclusion() {
  const auto lock = thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)});
  return task(lock, {any_number(0, {0})}, {target(1, {1, 1})});
}

model::CountingTask reachable() {
  model::CountingTask out = mutual_exclusion();
  out.question.targets = {target(1, {1})};
  return out;
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Harness, AgreesWithAnHonestEngine) {
  EXPECT_EQ(examine_fake(honest, mutual_exclusion()).outcome, Outcome::Agree);
  EXPECT_EQ(examine_fake(honest, mutual_exclusion()).what, "safe");
  EXPECT_EQ(examine_fake(honest, reachable()).what, "unsafe");
}

TEST(Harness, TheOracleContradictsAFalseSafe) {
  const Finding finding = examine_fake(always_safe, reachable());
  EXPECT_EQ(finding.outcome, Outcome::Conflict);
  EXPECT_TRUE(mentions(finding.what, "the oracle has a witness")) << finding.what;
  EXPECT_TRUE(mentions(finding.what, "refuted")) << finding.what;
}

TEST(Harness, TheCheckerRefutesARightAnswerForNoReason) {
  const Finding finding = examine_fake(always_safe, mutual_exclusion());
  EXPECT_EQ(finding.outcome, Outcome::Conflict);
  EXPECT_TRUE(mentions(finding.what, "the checker says refuted")) << finding.what;
}

TEST(Harness, TheOracleContradictsAFalseUnsafe) {
  model::CountingTask one_thread = mutual_exclusion();
  one_thread.question.initial = {exactly(0, {0})};
  const Finding finding = examine_fake(always_unsafe, one_thread);
  EXPECT_EQ(finding.outcome, Outcome::Conflict);
  EXPECT_TRUE(mentions(finding.what, "the oracle has seen everything")) << finding.what;
}

TEST(Harness, ATraceHasToReplay) {
  for (const model::CountingTask& wrong : {mutual_exclusion(), reachable()}) {
    const Finding finding = examine_fake(always_unsafe, wrong);
    EXPECT_EQ(finding.outcome, Outcome::Conflict);
    EXPECT_TRUE(mentions(finding.what, "its trace does not replay: it ends in 0|")) << finding.what;
  }
}

TEST(Harness, CatchesTheMistakesOfPublishedTools) {
  const auto keeps_local = thread_system(2, 1, {move(0, 0, 1, 0)});
  EXPECT_EQ(examine_fake(ignores_edges_that_keep_the_local_state,
                         task(keeps_local, {any_number(0, {0})}, {target(1, {0})}))
                .outcome,
            Outcome::Conflict);
  EXPECT_EQ(examine_fake(looks_at_one_thread_only, mutual_exclusion()).outcome, Outcome::Conflict);
  const auto meeting = thread_system(2, 3, {move(0, 0, 1, 1), move(1, 0, 1, 2)});
  EXPECT_EQ(
      examine_fake(reads_any_number_as_one, task(meeting, {any_number(0, {0})}, {target(1, {2})}))
          .outcome,
      Outcome::Conflict);
}

TEST(Harness, AnExceptionIsAConflict) {
  const auto throws = [](const Task&, const Options&, RunContext&) -> Verdict {
    throw std::runtime_error("out of luck");
  };
  const Finding finding = examine_fake(throws, reachable());
  EXPECT_EQ(finding.outcome, Outcome::Conflict);
  EXPECT_EQ(finding.what, "thrown: out of luck");
}

TEST(Harness, OutOfStepsIsUnknownAndACompleteEngineHasNoOtherExcuse) {
  const auto tired = [](const Task&, const Options&, RunContext&) -> Verdict {
    return Unknown{UnknownReason::StepLimit, ""};
  };
  const auto helpless = [](const Task&, const Options&, RunContext&) -> Verdict {
    return Unknown{UnknownReason::Unsupported, ""};
  };
  EXPECT_EQ(examine_fake(tired, reachable()).outcome, Outcome::Unknown);
  EXPECT_EQ(examine_fake(helpless, reachable()).outcome, Outcome::Conflict);
  EngineRow incomplete = fake(helpless);
  incomplete.complete = false;
  EXPECT_EQ(examine_fake(incomplete, reachable()).outcome, Outcome::Unknown);
}

TEST(Harness, AnEngineMayNotSayMoreThanItsRow) {
  EngineRow row = fake(honest);
  row.refutes = false;
  EXPECT_EQ(examine_fake(row, reachable()).outcome, Outcome::Conflict);
  row = fake(honest);
  row.proves = false;
  EXPECT_EQ(examine_fake(row, mutual_exclusion()).outcome, Outcome::Conflict);
}

TEST(Harness, ARefusedTaskIsSkipped) {
  EngineRow row = fake(honest);
  row.accepts = [](const Task&) { return engine::Acceptance{"not today"}; };
  EXPECT_EQ(examine_fake(row, reachable()).outcome, Outcome::Skipped);
  EXPECT_EQ(examine_fake(row, reachable()).what, "not today");
}

TEST(Harness, ContestantsAreAllCombinationsOfOptions) {
  EngineRow rows[] = {fake(honest), fake(honest)};
  rows[1].options = engine::find_engine("backward")->options;
  std::vector<std::string> names;
  for (const Contestant& contestant : contestants(rows)) names.push_back(contestant.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "fake", "fake order=bfs invariants=on", "fake order=bfs invariants=off",
                       "fake order=smallest invariants=on", "fake order=smallest invariants=off"}));
}

TEST(Harness, KeepsScore) {
  const EngineRow row = fake(looks_at_one_thread_only);
  Agreement agreement({&row, 1}, {});
  agreement.compare(mutual_exclusion());
  agreement.compare(reachable());
  agreement.compare(reachable());
  EXPECT_EQ(agreement.count(Outcome::Conflict), 1u);
  EXPECT_EQ(agreement.count(Outcome::Agree), 2u);
  EXPECT_EQ(agreement.tasks(), 3u);
}

TEST(Shrink, KeepsOnlyWhatTheConflictNeeds) {
  const EngineRow row = fake(ignores_edges_that_keep_the_local_state);
  Agreement agreement({&row, 1}, {});
  const auto large = thread_system(3, 4,
                                   {move(0, 0, 0, 1), move(0, 1, 0, 2, {{0, 1}}), spawn(0, 0, 0, 2),
                                    move(0, 0, 1, 0, {{3, 2}, {3, 1}}), transfer(1, 0, 1, 2)});
  agreement.compare(task(large, {any_number(0, {0, 3})}, {target(2, {1}), target(1, {2, 2})}));
  ASSERT_EQ(agreement.conflicts().size(), 1u);
  const std::string& text = agreement.conflicts()[0];
  EXPECT_TRUE(mentions(text, "fake: safe, but the oracle has a witness")) << text;
  EXPECT_TRUE(mentions(text, "\n2 1\n0 0 -> 1 0\n# initial 0/0\n# target 1|\n")) << text;
  EXPECT_EQ(agreement.summary(),
            "1 tasks (1 reached, 0 exactly not reached, 0 not found): 0 agree, 0 skipped, 0 "
            "unknown, 1 conflict");
}

TEST(Shrink, LowersCountsAndDropsPartsOfNets) {
  model::PetriNet start = net(2);
  start.transitions = {rule({2, 1}, {update(0, {0, 1}, -1), update(1, {}, 2)}),
                       rule({0, 1}, {update(1, {1}, 1)})};
  start.claimed_invariants = {{{model::Counter(0u), 1}}};
  const Task large = task(start, {marking({3, 2})}, {at_least({2, 2}), at_least({4, 0})});
  const auto small = std::get<model::NetTask>(shrink(large, [](const Task& candidate) {
    const auto& rules = std::get<model::NetTask>(candidate).model.transitions;
    return std::ranges::any_of(rules, [](const auto& r) { return r.updates.size() == 2; });
  }));
  const model::PetriNet& shrunk = small.model;
  ASSERT_EQ(shrunk.transitions.size(), 1u);
  EXPECT_TRUE(shrunk.transitions[0].guard.empty());
  EXPECT_TRUE(shrunk.claimed_invariants.empty());
  EXPECT_EQ(small.question.targets.size(), 1u);
  EXPECT_TRUE(small.question.targets[0].bounds.empty());
  EXPECT_TRUE(small.question.initial[0].bounds.empty());
}

TEST(Shrink, NothingLessFails) {
  const Task large = mutual_exclusion();
  const auto fails = [](const Task& candidate) {
    return std::get<model::ThreadTask>(candidate).model.transitions.size() == 2;
  };
  const Task small = shrink(large, fails);
  for (const Task& less : one_thing_less(small)) EXPECT_FALSE(fails(less)) << task_text(less);
}

TEST(NaiveReplay, SaysWhatIsWrong) {
  const Task wrong = mutual_exclusion();
  const model::TransitionId enter(0u);
  EXPECT_EQ(naive_replay(wrong, trace(configuration(1, {1}), {})),
            "it does not start in an initial configuration");
  EXPECT_EQ(naive_replay(wrong, trace(configuration(0, {2}), {{enter, {}}, {enter, {}}})),
            "step 2: shared state is 1, not 0");
  EXPECT_EQ(naive_replay(wrong, trace(configuration(0, {2}), {{enter, {}}})),
            "it ends in 1|0,1, which is not a target");
  EXPECT_EQ(naive_replay(reachable(), trace(configuration(0, {2}), {{enter, {}}})), "");
}

TEST(NaiveReplay, TheOraclesWitnessReplays) {
  const auto oracle = model::ask_oracle(reachable(), {});
  ASSERT_TRUE(std::holds_alternative<model::Reached>(oracle));
  EXPECT_EQ(naive_replay(reachable(), to_trace(std::get<model::Reached>(oracle))), "");
}

/// However well both are confirmed: then the checker is wrong.
TEST(Harness, OppositeAnswersAreAConflict) {
  const Contestant one{nullptr, {}, "one"}, two{nullptr, {}, "two"}, three{nullptr, {}, "three"};
  const Finding safe{Outcome::Agree, "safe", {}}, unsafe{Outcome::Agree, "unsafe", {}};
  const Finding unknown{Outcome::Unknown, "unsafe", {}};
  EXPECT_EQ(contradiction({{&one, safe}, {&two, unknown}, {&three, safe}}), "");
  EXPECT_EQ(contradiction({{&one, unsafe}, {&two, unsafe}}), "");
  EXPECT_EQ(contradiction({{&one, unsafe}, {&two, unknown}, {&three, safe}}),
            "three says safe, one says unsafe");
}

}  // namespace
}  // namespace heddle::test::harness_test
