#include "driver/portfolio.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <new>
#include <stdexcept>

#include "check/check.hpp"
#include "driver/child_process.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver {
namespace {

using answer::EvidenceStatus;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;
using engine::EngineRow;
using engine::Options;
using testing::HasSubstr;

engine::Acceptance accept(const model::AnyTask&) { return {}; }
engine::Acceptance refuse(const model::AnyTask&) { return {"it is Tuesday"}; }

EngineRow row(std::string_view name,
              Verdict (*run)(const model::AnyTask&, const Options&, RunContext&),
              engine::Acceptance (*accepts)(const model::AnyTask&) = accept) {
  EngineRow row;
  row.name = name;
  row.accepts = accepts;
  row.run = run;
  return row;
}

[[noreturn]] Verdict hang(const model::AnyTask&, const Options&, RunContext&) {
  while (true) pause();
}

Verdict crash(const model::AnyTask&, const Options&, RunContext&) {
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return Unknown{};
}

const EngineRow kRight = row(
    "right",
    [](const model::AnyTask&, const Options&, RunContext&) -> Verdict { return right_trace(); });
const EngineRow kLiar = row(
    "liar",
    [](const model::AnyTask&, const Options&, RunContext&) -> Verdict { return wrong_trace(); });
const EngineRow kCrash = row("crash", crash);
const EngineRow kHang = row("hang", hang);
const EngineRow kHungry = row(
    "hungry",
    [](const model::AnyTask&, const Options&, RunContext&) -> Verdict { throw std::bad_alloc(); });
const EngineRow kThrower =
    row("thrower", [](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
      throw std::runtime_error("no luck today");
    });
const EngineRow kTired =
    row("tired", [](const model::AnyTask&, const Options&, RunContext& c) -> Verdict {
      c.statistics().set("naps", 3);
      return Unknown{UnknownReason::StepLimit, "too many steps"};
    });
const EngineRow kRefuser = row("refuser", hang, refuse);

PortfolioSettings settings(unsigned jobs = 8) {
  PortfolioSettings settings;
  settings.jobs = jobs;
  settings.check = &check::check;
  return settings;
}

PortfolioResult ask(const std::vector<EngineRow>& engines,
                    const PortfolioSettings& how = settings()) {
  const model::AnyTask task = one_step_task();
  const auto same = [](Verdict verdict) { return verdict; };
  PortfolioResult result = run_portfolio(engines, {task, task, same}, how);
  reap_departed();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "there should be no child left";
  return result;
}

UnknownReason reason(const PortfolioResult& result) {
  return std::get<Unknown>(result.report.verdict).reason;
}

std::string outcome(const PortfolioResult& result, std::string_view engine) {
  for (const answer::EngineRun& run : result.report.runs)
    if (run.engine == engine) return run.outcome;
  return "absent";
}

TEST(Portfolio, TheConfirmedAnswerWinsAmongCrashesLiesAndSilence) {
  const PortfolioResult result = ask({kCrash, kLiar, kHang, kHungry, kThrower, kRefuser, kRight});
  EXPECT_TRUE(std::holds_alternative<answer::Unsafe>(result.report.verdict));
  EXPECT_EQ(result.report.engine, "right");
  EXPECT_EQ(result.report.check.status, EvidenceStatus::Confirmed);
  EXPECT_EQ(outcome(result, "right"), "unsafe");
  EXPECT_EQ(outcome(result, "hang"), "stopped");
  EXPECT_EQ(outcome(result, "refuser"), "not accepted");
}

TEST(Portfolio, RunsOneAfterTheOtherWithOneJob) {
  const PortfolioResult result = ask({kCrash, kLiar, kThrower, kRight, kHang}, settings(1));
  EXPECT_EQ(result.report.engine, "right");
  EXPECT_EQ(outcome(result, "crash"), "crashed");
  EXPECT_EQ(outcome(result, "thrower"), "crashed");
}

TEST(Portfolio, AClaimThatIsRefutedIsNoAnswer) {
  const PortfolioResult result = ask({kLiar, kTired}, settings(1));
  EXPECT_EQ(reason(result), UnknownReason::EngineFailed);
  EXPECT_EQ(result.report.check.status, EvidenceStatus::Refuted);
  EXPECT_EQ(result.report.claim, "unsafe");
  EXPECT_EQ(result.report.engine, "liar");
  EXPECT_EQ(outcome(result, "liar"), "refuted");
  EXPECT_FALSE(result.unconfirmed);
}

template <int kBound>
Verdict safe_up_to(const model::AnyTask&, const Options&, RunContext&) {
  return answer::SafeUpTo{answer::context_bound(kBound), answer::BackwardBasis{}};
}

/// Believes everything.
PortfolioSettings gullible(unsigned jobs) {
  PortfolioSettings how = settings(jobs);
  how.check = [](const model::AnyTask&, const Verdict&, RunContext&) {
    return answer::CheckResult{EvidenceStatus::Confirmed, {}};
  };
  return how;
}

EngineRow counting(EngineRow row) {
  row.counts_contexts = true;
  return row;
}

TEST(Portfolio, ABoundIsAnAnswerOnlyWhereNothingBetterComes) {
  const EngineRow two = row("two", safe_up_to<2>);
  const EngineRow five = row("five", safe_up_to<5>);
  EXPECT_EQ(ask({two, kTired, five, two}, gullible(1)).report.engine, "five");
  EXPECT_EQ(reason(ask({two}, settings(1))), UnknownReason::EngineFailed);
  const PortfolioResult better = ask({two, five, kRight}, gullible(1));
  EXPECT_EQ(better.report.engine, "right");
}

Verdict safe_up_to_nine_threads(const model::AnyTask&, const Options&, RunContext&) {
  return answer::SafeUpTo{answer::thread_bound(9), answer::BackwardBasis{}};
}

TEST(Portfolio, BoundsOfDifferentKindsDoNotCompare) {
  const EngineRow two = row("two", safe_up_to<2>);
  const EngineRow nine = row("nine", safe_up_to_nine_threads);
  EXPECT_EQ(ask({two, nine}, gullible(1)).report.engine, "two");
  EXPECT_EQ(ask({nine, two}, gullible(1)).report.engine, "nine");
}

TEST(Portfolio, ABoundThatWasAskedForIsTheAnswer) {
  const std::vector<EngineRow> engines = {counting(row("two", safe_up_to<2>)),
                                          counting(row("five", safe_up_to<5>)), kRight,
                                          counting(kHang)};
  auto bounded = std::get<model::ThreadTask>(one_step_task());
  bounded.question.contexts = 5;
  const model::AnyTask task = bounded;
  const auto same = [](Verdict verdict) { return verdict; };
  const PortfolioResult result = run_portfolio(engines, {task, task, same}, gullible(1));
  EXPECT_EQ(result.report.engine, "five");
  EXPECT_EQ(outcome(result, "right"), "not accepted");
}

TEST(Portfolio, ACrashAloneIsAFailure) {
  const PortfolioResult result = ask({kCrash});
  EXPECT_EQ(reason(result), UnknownReason::EngineFailed);
  EXPECT_THAT(std::get<Unknown>(result.report.verdict).detail, HasSubstr("SIGSEGV"));
}

TEST(Portfolio, AnExceptionKeepsItsMessage) {
  const PortfolioResult result = ask({kThrower});
  EXPECT_EQ(reason(result), UnknownReason::EngineFailed);
  EXPECT_EQ(std::get<Unknown>(result.report.verdict).detail, "no luck today");
}

TEST(Portfolio, MemoryRunsOut) { EXPECT_EQ(reason(ask({kHungry})), UnknownReason::MemoryLimit); }

TEST(Portfolio, TimeRunsOutForAnEngineThatDoesNotLook) {
  PortfolioSettings how = settings();
  how.limits.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(reason(ask({kHang}, how)), UnknownReason::TimeLimit);
}

TEST(Portfolio, ALimitIsReportedRatherThanACrash) {
  const PortfolioResult result = ask({kCrash, kTired});
  EXPECT_EQ(reason(result), UnknownReason::StepLimit);
  EXPECT_EQ(result.report.engine, "tired");
  EXPECT_EQ(result.report.statistics.get("naps"), 3);
  EXPECT_EQ(result.report.claim, "");
}

TEST(Portfolio, NobodyAcceptsTheTask) {
  const PortfolioResult result = ask({kRefuser});
  EXPECT_EQ(reason(result), UnknownReason::Unsupported);
  EXPECT_EQ(std::get<Unknown>(result.report.verdict).detail,
            "refuser does not accept it: it is Tuesday");
}

TEST(Portfolio, ACheckThatDoesNotFinishLeavesTheClaimUnconfirmed) {
  PortfolioSettings how = settings();
  how.check = [](const model::AnyTask&, const Verdict&, RunContext&) -> answer::CheckResult {
    throw std::bad_alloc();
  };
  const PortfolioResult result = ask({kRight}, how);
  EXPECT_EQ(reason(result), UnknownReason::Unconfirmed);
  EXPECT_EQ(result.report.claim, "unsafe");
  EXPECT_EQ(result.report.check.status, EvidenceStatus::NotChecked);
  EXPECT_EQ(result.report.check.why, "the check ran out of memory");
  ASSERT_TRUE(result.unconfirmed);
  EXPECT_EQ(*result.unconfirmed, Verdict(right_trace()));
}

/// The process that claimed last: an engine notes itself here, in its own copy of this variable.
pid_t claimant = 0;

Verdict claim_at_once(const model::AnyTask&, const Options&, RunContext&) {
  claimant = getpid();
  return right_trace();
}
Verdict claim_late(const model::AnyTask&, const Options&, RunContext&) {
  claimant = getpid();
  while (std::clock() < CLOCKS_PER_SEC / 20) continue;
  return right_trace();
}

TEST(Portfolio, WhatWasFoundAtOnceIsCheckedWhereItWasFound) {
  PortfolioSettings how = settings();
  how.check = [](const model::AnyTask&, const Verdict&, RunContext&) {
    return answer::CheckResult{EvidenceStatus::Confirmed,
                               claimant == getpid() ? "there" : "elsewhere"};
  };
  EXPECT_EQ(ask({row("at once", claim_at_once)}, how).report.check.why, "there");
  EXPECT_EQ(ask({row("late", claim_late)}, how).report.check.why, "elsewhere");
}

TEST(Portfolio, NoOtherSearchBeginsBesideOneThatAnswersAtOnce) {
  const PortfolioResult result = ask({row("at once", claim_at_once), kHang});
  EXPECT_EQ(outcome(result, "hang"), "not started");
}

TEST(Portfolio, ACheckThatFailsWhereTheClaimWasFoundIsMadeAgain) {
  PortfolioSettings how = settings();
  for (const auto failure :
       {+[] { throw std::bad_alloc(); }, +[] { throw std::runtime_error(""); }}) {
    how.check = [failure](const model::AnyTask&, const Verdict&, RunContext&) {
      if (claimant == getpid()) failure();
      return answer::CheckResult{EvidenceStatus::Confirmed, "elsewhere"};
    };
    EXPECT_EQ(ask({row("at once", claim_at_once)}, how).report.check.why, "elsewhere");
  }
  how.check = [](const model::AnyTask&, const Verdict&, RunContext&) {
    return answer::CheckResult{
        claimant == getpid() ? EvidenceStatus::Refuted : EvidenceStatus::Confirmed, "elsewhere"};
  };
  EXPECT_EQ(ask({row("at once", claim_at_once)}, how).report.check.why, "elsewhere");
}

TEST(Portfolio, WithoutCheckTheFirstClaimIsTakenAsItIs) {
  PortfolioSettings how = settings();
  how.check = nullptr;
  const PortfolioResult result = ask({kLiar}, how);
  EXPECT_EQ(result.report.verdict, Verdict(wrong_trace()));
  EXPECT_EQ(result.report.check.status, EvidenceStatus::NotChecked);
}

TEST(Portfolio, TheAnswerIsTranslatedBackBeforeItIsChecked) {
  const model::AnyTask task = one_step_task();
  const auto repair = [](const Verdict&) { return Verdict(right_trace()); };
  const EngineRow engines[] = {kLiar};
  const PortfolioResult result = run_portfolio(engines, {task, task, repair}, settings());
  EXPECT_EQ(result.report.verdict, Verdict(right_trace()));
  EXPECT_EQ(result.report.check.status, EvidenceStatus::Confirmed);
}

TEST(Portfolio, ASignalStopsEverything) {
  const EngineRow messenger =
      row("messenger",
          [](const model::AnyTask& task, const Options& options, RunContext& context) -> Verdict {
            kill(getppid(), SIGTERM);
            hang(task, options, context);
          });
  const PortfolioResult result = ask({kHang, messenger});  // which begins second
  EXPECT_EQ(result.interrupted_by, SIGTERM);
  EXPECT_EQ(reason(result), UnknownReason::Cancelled);
  EXPECT_EQ(outcome(result, "hang"), "stopped");
  EXPECT_EQ(outcome(result, "messenger"), "stopped");
}

TEST(Portfolio, EventsReachTheListener) {
  const EngineRow chatty =
      row("chatty",
          [](const model::AnyTask& task, const Options& options, RunContext& context) -> Verdict {
            context.emit({"knitting", {{"stitches", 12.5}, {"rows", 3}}});
            context.emit({"a sleeve is done", {{"stitches", 800.5}, {"rows", 40}}, true});
            return claim_late(task, options, context);
          });
  PortfolioSettings how = settings();
  std::vector<std::string> heard;
  how.on_event = [&](std::string_view engine, const base::Event& event) {
    if (event.figures.size() == 2) {
      EXPECT_EQ(event.figures[0],
                (std::pair<std::string, double>("stitches", event.milestone ? 800.5 : 12.5)));
    }
    heard.push_back(std::string(engine) + ": " + event.phase);
  };
  ask({chatty}, how);
  EXPECT_EQ(heard, (std::vector<std::string>{
                       "chatty: searching", "chatty: knitting", "chatty: a sleeve is done",
                       "chatty: its answer is being checked: unsafe", "chatty: "}));
}

TEST(Portfolio, WhatIsEstablishedIsToldWhereThereIsNoAnswer) {
  const EngineRow tired =
      row("tired", [](const model::AnyTask&, const Options&, RunContext& context) -> Verdict {
        context.emit({"no bug with 3 threads", {}, true});
        context.emit({"no bug with 4 threads", {}, true});
        return Unknown{UnknownReason::StepLimit, "enough"};
      });
  const PortfolioResult result = ask({tired});
  EXPECT_EQ(std::get<Unknown>(result.report.verdict).detail,
            "enough; so far, not checked: tired: no bug with 4 threads");
}

}  // namespace
}  // namespace heddle::driver
