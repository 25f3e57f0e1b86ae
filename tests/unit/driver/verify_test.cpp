#include "driver/verify.hpp"

#include "answer/json.hpp"
#include "driver/recheck.hpp"
#include "support/sanitized.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver {
namespace {

using answer::EvidenceStatus;
using answer::Unsafe;
using answer::Verdict;
using testing::HasSubstr;

/// Threads go 0 → 1 → 2 under a lock that nobody gives back.
constexpr const char* kSystem = "2 3\n0 0 -> 1 1\n1 1 -> 1 2\n";

/// Takes the first step and stops there: a claim for targets in local state 1, a lie for others.
Verdict first_step(const model::AnyTask& task, const engine::Options&, base::RunContext&) {
  answer::Trace trace;
  const model::Configuration one_thread{{}, {{model::LocalState(0u), 1}}};
  const model::Region initial = model::counting_task(task).value().question.initial.front();
  trace.initial = model::least_initial_covering(initial, one_thread).value_or(one_thread);
  trace.blocks = {{1, {{model::TransitionId(0u), {}, {}, {}}}}};
  return Unsafe{trace};
}

std::vector<engine::EngineRow> engines() {
  engine::EngineRow row;
  row.name = "first-step";
  row.accepts = [](const model::AnyTask&) { return engine::Acceptance{}; };
  row.run = first_step;
  return {row};
}

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() { disk.files["dir/a.tts"] = kSystem; }

  VerifyRequest request() {
    VerifyRequest request;
    request.file = "dir/a.tts";
    return request;
  }

  Answered answer(const VerifyRequest& asked) {
    auto answered = verify(disk, asked, engines());
    EXPECT_TRUE(answered) << (answered ? "" : base::render(answered.error()));
    return answered ? std::move(*answered) : Answered{};
  }

  std::string complaint_about(const VerifyRequest& asked) {
    const auto answered = verify(disk, asked, engines());
    EXPECT_FALSE(answered);
    return answered ? "" : base::render(answered.error());
  }

  FakeDisk disk;
};

TEST_F(VerifyTest, TakesTheTargetOfTheCommandLine) {
  disk.files["dir/a.prop"] = "1|2\n";
  VerifyRequest asked = request();
  asked.question.targets = {"1|1"};
  const Answered answered = answer(asked);
  EXPECT_EQ(exit_code(answered.report), 10);
  EXPECT_EQ(answered.report.check.status, EvidenceStatus::Confirmed);
  EXPECT_EQ(answered.asked.targets_from, "--target");
  EXPECT_THAT(answered.asked.initial_from, HasSubstr("any number of threads"));
}

TEST_F(VerifyTest, TakesSeveralTargetsAndAPropertyFile) {
  disk.files["more.txt"] = "1|2\n";
  VerifyRequest asked = request();
  asked.question.targets = {"1|1", "0|2"};
  asked.question.property = "more.txt";
  const Answered answered = answer(asked);
  EXPECT_EQ(model::counting_task(answered.task)->question.targets.size(), 3u);
  EXPECT_EQ(answered.asked.targets_from, "--target and more.txt");
}

TEST_F(VerifyTest, TheStepLimitHoldsForATranslation) {
  disk.files["dir/p.bp"] =
      "decl a, b, c, d, e, f, g;\n"
      "void main() begin\n  a, b, c, d, e, f, g := *, *, *, *, *, *, *;\n  assert(a);\nend\n";
  VerifyRequest asked = request();
  asked.file = "dir/p.bp";
  asked.via = model::Tag<model::ThreadSystem>();
  asked.budget.steps = 1;
  const answer::Report report = answer(asked).report;
  const auto* unknown = std::get_if<answer::Unknown>(&report.verdict);
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->reason, answer::UnknownReason::StepLimit);
  EXPECT_EQ(unknown->detail, "the translation did not finish");
}

TEST_F(VerifyTest, TakesTheTargetOfASibling) {
  disk.files["dir/a.prop"] = "1|1\n";
  EXPECT_EQ(answer(request()).asked.targets_from, "dir/a.prop");
}

TEST_F(VerifyTest, TakesTheTargetOfTheOtherKindOfSibling) {
  disk.files["dir/a.prp"] = "1|1\n";
  EXPECT_EQ(answer(request()).asked.targets_from, "dir/a.prp");
}

TEST_F(VerifyTest, AsksForATargetIfThereIsNone) {
  const std::string text = complaint_about(request());
  EXPECT_THAT(text, HasSubstr("no target"));
  EXPECT_THAT(text, HasSubstr("--target 's|l'"));
}

TEST_F(VerifyTest, NamesWhatCannotBeRead) {
  VerifyRequest asked = request();
  asked.file = "b.tts";
  EXPECT_EQ(complaint_about(asked), "b.tts: error: cannot be read: no such file or folder\n");
  asked = request();
  asked.question.property = "nowhere";
  EXPECT_THAT(complaint_about(asked), HasSubstr("nowhere: error: cannot be read"));
}

TEST_F(VerifyTest, NamesTheFormatsIfItCannotTell) {
  disk.files["c.xyz"] = "?!";
  VerifyRequest asked = request();
  asked.file = "c.xyz";
  EXPECT_THAT(complaint_about(asked), HasSubstr("--format: tts, spec"));
}

TEST_F(VerifyTest, FixesTheNumberOfThreads) {
  VerifyRequest asked = request();
  asked.question.targets = {"1|1"};
  asked.question.threads = 3;
  const Answered answered = answer(asked);
  const model::CounterBound bound =
      model::counting_task(answered.task)->question.initial.at(0).bounds.at(0);
  EXPECT_EQ(bound.lower, 3);
  EXPECT_EQ(bound.upper, base::Integer(3));
  EXPECT_EQ(answered.asked.initial_from, "--threads");
}

TEST_F(VerifyTest, RefusesToFixWhatIsFixedOrManifold) {
  VerifyRequest asked = request();
  asked.question.targets = {"1|1"};
  asked.question.threads = 3;
  asked.question.initial = "0|0,0";
  EXPECT_THAT(complaint_about(asked), HasSubstr("already has an exact number"));
  asked.question.initial = "0/0,1";
  EXPECT_THAT(complaint_about(asked), HasSubstr("several local states"));
  asked.question.initial = "0|0,0,0,0/0";
  EXPECT_THAT(complaint_about(asked), HasSubstr("at least"));
}

TEST_F(VerifyTest, AsksForInitialStatesIfANetHasNone) {
  disk.files["n.spec"] = "vars\nx\nrules\nx >= 1 -> x' = x - 1;\ninit\n\ntarget\nx >= 2\n";
  VerifyRequest asked = request();
  asked.file = "n.spec";
  EXPECT_FALSE(verify(disk, asked, engines()));
}

TEST_F(VerifyTest, NamesTheThreadsOfATrace) {
  VerifyRequest asked = request();
  asked.question.targets = {"1|1"};
  const Answered answered = answer(asked);
  const auto& trace = std::get<answer::Trace>(std::get<Unsafe>(answered.report.verdict).trace);
  EXPECT_EQ(trace.blocks.at(0).body.at(0).thread, answer::ThreadId(0u));
}

TEST_F(VerifyTest, ARefutedClaimIsAnErrorOfItsOwn) {
  VerifyRequest asked = request();
  asked.question.targets = {"1|2"};
  const Answered answered = answer(asked);
  EXPECT_EQ(exit_code(answered.report), 71);
  EXPECT_EQ(evidence_text(answered), std::nullopt);
}

TEST_F(VerifyTest, WithoutEnginesThereIsNoAnswer) {
  VerifyRequest asked = request();
  asked.question.targets = {"1|2"};
  const auto answered = verify(disk, asked, {});
  ASSERT_TRUE(answered);
  EXPECT_EQ(exit_code(answered->report), 20);
}

/// Stored evidence for target 1|1 and the default initial states.
class RecheckTest : public VerifyTest {
 protected:
  RecheckTest() {
    VerifyRequest asked = VerifyTest::request();
    asked.question.targets = {"1|1"};
    disk.files["e.json"] = evidence_text(answer(asked)).value_or("");
  }

  RecheckRequest recheck_request() {
    RecheckRequest request;
    request.file = "dir/a.tts";
    request.evidence = "e.json";
    request.question.targets = {"1|1"};
    // The address sanitizer's maps exceed any limit on memory.
    if (test::kAddressSanitizer) request.budget.memory_mb.reset();
    return request;
  }

  Answered again(const RecheckRequest& asked) {
    auto answered = recheck(disk, asked);
    EXPECT_TRUE(answered) << (answered ? "" : base::render(answered.error()));
    return answered ? std::move(*answered) : Answered{};
  }
};

TEST_F(RecheckTest, ConfirmsTheQuestionThatVerifyPuts) {
  const Answered answered = again(recheck_request());
  EXPECT_EQ(answered.report.check.status, EvidenceStatus::Confirmed);
  EXPECT_EQ(answered.asked.targets_from, "--target");
  EXPECT_THAT(answered.asked.initial_from, HasSubstr("assumed"));
  EXPECT_TRUE(std::holds_alternative<Unsafe>(answered.report.verdict));
}

TEST_F(RecheckTest, TheEvidenceDoesNotCompleteAQuestion) {
  RecheckRequest asked = recheck_request();
  asked.question.targets.clear();
  const auto answered = recheck(disk, asked);
  ASSERT_FALSE(answered);
  EXPECT_THAT(base::render(answered.error()), HasSubstr("there is no target"));
  EXPECT_THAT(base::render(answered.error()), HasSubstr("--target '1|1'"));
}

TEST_F(RecheckTest, ConfirmsWithTheSameQuestionInOtherWords) {
  RecheckRequest asked = recheck_request();
  asked.question.initial = "0/0";
  EXPECT_EQ(again(asked).report.check.status, EvidenceStatus::Confirmed);
}

TEST_F(RecheckTest, DoesNotCheckEvidenceForAnotherTarget) {
  RecheckRequest asked = recheck_request();
  asked.question.targets = {"1|2"};
  const Answered answered = again(asked);
  EXPECT_EQ(answered.report.check.status, EvidenceStatus::OtherQuestion);
  EXPECT_THAT(answered.report.check.why, HasSubstr("--target '1|1'"));
  EXPECT_EQ(answered.report.claim, "unsafe");
}

TEST_F(RecheckTest, DoesNotCheckEvidenceForTheTargetOfAnotherPropertyFile) {
  disk.files["dir/a.prop"] = "1|2\n";
  RecheckRequest asked = recheck_request();
  asked.question.targets.clear();
  EXPECT_EQ(again(asked).report.check.status, EvidenceStatus::OtherQuestion);
}

TEST_F(RecheckTest, DoesNotCheckEvidenceForOtherInitialStates) {
  RecheckRequest asked = recheck_request();
  asked.question.initial = "0|0";
  EXPECT_THAT(again(asked).report.check.why, HasSubstr("--initial '0/0'"));
  asked = recheck_request();
  asked.question.threads = 5;
  EXPECT_EQ(again(asked).report.check.status, EvidenceStatus::OtherQuestion);
}

TEST_F(RecheckTest, RefutesEvidenceForAnotherModel) {
  disk.files["dir/a.tts"] = "2 3\n0 1 -> 1 1\n";
  EXPECT_EQ(again(recheck_request()).report.check.status, EvidenceStatus::Refuted);
  disk.files["dir/a.tts"] = "1 1\n0 0 -> 0 0\n";
  RecheckRequest asked = recheck_request();
  asked.question.targets = {"0|0"};
  EXPECT_THAT(again(asked).report.check.why, HasSubstr("does not have"));
  disk.files["n.spec"] = "vars\nx\nrules\nx >= 1 -> x' = x - 1;\ninit\nx = 1\ntarget\nx >= 2\n";
  asked.question.targets.clear();
  asked.file = "n.spec";
  EXPECT_THAT(again(asked).report.check.why, HasSubstr("about a thread system"));
}

TEST_F(RecheckTest, ComplainsAboutUnreadableEvidence) {
  disk.files["e.json"].resize(disk.files["e.json"].size() / 2);
  const auto answered = recheck(disk, recheck_request());
  ASSERT_FALSE(answered);
  EXPECT_THAT(base::render(answered.error()), HasSubstr("e.json:1:"));
  EXPECT_THAT(base::render(answered.error()), HasSubstr("error: is not evidence"));

  disk.files["e.json"] = "{\n  \"engine\": oops }";
  const auto located = recheck(disk, recheck_request());
  ASSERT_FALSE(located);
  EXPECT_THAT(base::render(located.error()), HasSubstr("e.json:2:13: error"));
}

TEST(ExitCode, HasOneMeaningEach) {
  const auto code = [](Verdict verdict, EvidenceStatus status = EvidenceStatus::Confirmed) {
    answer::Report report;
    report.verdict = std::move(verdict);
    report.check.status = status;
    return exit_code(report);
  };
  EXPECT_EQ(code(answer::Safe{}), 0);
  EXPECT_EQ(code(Unsafe{}), 10);
  EXPECT_EQ(code(answer::SafeUpTo{}), 21);
  using answer::Unknown;
  using answer::UnknownReason;
  EXPECT_EQ(code(Unknown{UnknownReason::TimeLimit, ""}, EvidenceStatus::NotChecked), 20);
  EXPECT_EQ(code(Unknown{UnknownReason::EngineFailed, ""}, EvidenceStatus::NotChecked), 70);
  EXPECT_EQ(code(Unknown{UnknownReason::EngineFailed, ""}, EvidenceStatus::Refuted), 71);
}

}  // namespace
}  // namespace heddle::driver
