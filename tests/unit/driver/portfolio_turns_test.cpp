/// Engines that take turns: none waits for the end of another.

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <new>
#include <string>

#include "driver/portfolio.hpp"
#include "driver/time_share.hpp"
#include "support/sanitized.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver {
namespace {

using answer::CheckResult;
using answer::EvidenceStatus;
using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::RunContext;
using engine::EngineRow;
using engine::Options;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

using RunEngine = std::function<Verdict(const model::AnyTask&, const Options&, RunContext&)>;

EngineRow turns_row(std::string_view name, RunEngine run) {
  EngineRow row;
  row.name = name;
  row.accepts = [](const model::AnyTask&) { return engine::Acceptance{}; };
  row.run = run;
  return row;
}

/// Computes until it has used so much processor time, wherever it is paused meanwhile.
void compute_for(Seconds time) {
  const auto used = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double end = used() + time.count();
  volatile unsigned spun = 0;
  while (used() < end)
    for (int i = 0; i < 10'000; ++i) spun = spun + 1;
}

[[noreturn]] void compute_without_end() {
  while (true) compute_for(Seconds(1));
}

/// It does not heed its deadline either.
const EngineRow kEndless = turns_row(
    "endless",
    [](const model::AnyTask&, const Options&, RunContext&) -> Verdict { compute_without_end(); });
const EngineRow kSleeper =
    turns_row("sleeper", [](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
      while (true) pause();
    });
const EngineRow kQuick = turns_row(
    "quick",
    [](const model::AnyTask&, const Options&, RunContext&) -> Verdict { return right_trace(); });
/// Needs several slices, and tells when it begins.
const EngineRow kSlow =
    turns_row("slow", [](const model::AnyTask&, const Options&, RunContext& context) -> Verdict {
      context.emit({"begins", {}, true});
      compute_for(Seconds(0.15));
      return right_trace();
    });
const EngineRow kSlowCrash =
    turns_row("crash", [](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
      compute_for(Seconds(0.07));
      _exit(1);
    });
const EngineRow kSlowLiar =
    turns_row("liar", [](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
      compute_for(Seconds(0.07));
      return wrong_trace();
    });
const EngineRow kHoarder =
    turns_row("hoarder", [](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
      const std::vector<char> hoard(100'000'000, 'x');
      compute_for(Seconds(hoard[7] == 'x' ? 1000 : 0));
      return Unknown{};
    });

/// Much more than anything here takes on a busy machine.
constexpr milliseconds kPlenty{60'000};

PortfolioSettings turns(unsigned jobs, milliseconds time = kPlenty) {
  PortfolioSettings settings;
  settings.jobs = jobs;
  settings.limits.deadline = steady_clock::now() + time;
  settings.check = [](const model::AnyTask&, const Verdict& verdict, RunContext&) {
    const bool right = verdict == Verdict(right_trace());
    return CheckResult{right ? EvidenceStatus::Confirmed : EvidenceStatus::Refuted, {}};
  };
  settings.short_of_memory = [] { return false; };
  return settings;
}

PortfolioResult take_turns(const std::vector<EngineRow>& engines, const PortfolioSettings& how) {
  const model::AnyTask task = one_step_task();
  const auto same = [](Verdict verdict) { return verdict; };
  return run_portfolio(engines, {task, task, same}, how);
}

const answer::EngineRun& fate(const PortfolioResult& result, std::string_view engine) {
  return *std::ranges::find(result.report.runs, engine, &answer::EngineRun::engine);
}

TEST(Turns, NoEngineWaitsForTheEndOfAnother) {
  EXPECT_EQ(take_turns({kEndless, kQuick}, turns(1)).report.engine, "quick");
  EXPECT_EQ(take_turns({kEndless, kEndless, kEndless, kQuick}, turns(2)).report.engine, "quick");
  EXPECT_EQ(take_turns({kEndless, kEndless, kSlow}, turns(1)).report.engine, "slow");
}

TEST(Turns, AnEngineThatSleepsGivesWay) {
  EXPECT_EQ(take_turns({kSleeper, kSleeper, kSlow}, turns(1)).report.engine, "slow");
}

TEST(Turns, AnEngineIsPausedAndNotBegunAnew) {
  PortfolioSettings how = turns(1);
  int begun = 0;
  how.on_event = [&](std::string_view engine, const base::Event& event) {
    begun += engine == "slow" && event.phase == "begins";
  };
  const PortfolioResult result = take_turns({kEndless, kSlow, kEndless}, how);
  EXPECT_EQ(result.report.engine, "slow");
  EXPECT_EQ(begun, 1);
}

TEST(Turns, ACrashFreesTheProcessor) {
  const PortfolioResult result = take_turns({kSlowCrash, kSlowCrash, kEndless, kSlow}, turns(1));
  EXPECT_EQ(result.report.engine, "slow");
  EXPECT_EQ(fate(result, "crash").outcome, "crashed");
}

TEST(Turns, ARefutedClaimFreesTheProcessor) {
  const PortfolioResult result = take_turns({kSlowLiar, kEndless, kSlow}, turns(1));
  EXPECT_EQ(result.report.engine, "slow");
  EXPECT_EQ(fate(result, "liar").outcome, "refuted");
}

TEST(Turns, ACheckWithoutEndKeepsNobodyFromAnswering) {
  PortfolioSettings how = turns(1);
  how.check = [](const model::AnyTask&, const Verdict& verdict, RunContext&) -> CheckResult {
    if (verdict != Verdict(right_trace())) compute_without_end();
    return {EvidenceStatus::Confirmed, {}};
  };
  const PortfolioResult result = take_turns({kSlowLiar, kSlow}, how);
  EXPECT_EQ(result.report.engine, "slow");
}

TEST(Turns, WhoeverIsPausedAtTheDeadlineIsEndedThen) {
  const auto start = steady_clock::now();
  const PortfolioResult result =
      take_turns({kEndless, kSleeper, kHoarder}, turns(1, milliseconds(2000)));
  EXPECT_LT(steady_clock::now() - start, kPlenty / 4);
  EXPECT_EQ(std::get<Unknown>(result.report.verdict).reason, UnknownReason::TimeLimit);
  for (const answer::EngineRun& run : result.report.runs) {
    EXPECT_EQ(run.outcome, "unknown") << run.engine;
    EXPECT_EQ(run.detail, "time limit reached") << run.engine;
  }
}

TEST(Turns, WhatHasNotBegunAtTheDeadlineDoesNotBegin) {
  const PortfolioResult result =
      take_turns({kEndless, turns_row("late", kQuick.run)}, turns(1, milliseconds(20)));
  EXPECT_EQ(fate(result, "late").outcome, "not started");
  EXPECT_EQ(std::get<Unknown>(result.report.verdict).reason, UnknownReason::TimeLimit);
}

TEST(Turns, TheFirstOfManyGetMost) {
  const PortfolioResult result = take_turns(
      {turns_row("first", kEndless.run), kEndless, kEndless, turns_row("last", kEndless.run)},
      turns(1, milliseconds(3000)));
  EXPECT_GT(fate(result, "first").seconds, 2 * fate(result, "last").seconds);
}

/// A process id that child processes share.
class SharedProcessId {
 public:
  SharedProcessId()
      : page_(mmap(nullptr, sizeof(std::atomic<pid_t>), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        id_(new(page_) std::atomic<pid_t>(0)) {}
  ~SharedProcessId() { munmap(page_, sizeof(std::atomic<pid_t>)); }
  SharedProcessId(const SharedProcessId&) = delete;
  SharedProcessId& operator=(const SharedProcessId&) = delete;
  std::atomic<pid_t>& operator*() const { return *id_; }

 private:
  void* page_;
  std::atomic<pid_t>* id_;
};

/// A process that has ended is there until it is reaped, which takes until the end of the
/// portfolio.
bool is_running_process(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t state = text.rfind(") ");
  return state != std::string::npos && text.substr(state + 2, 1) != "Z";
}

TEST(Turns, WhereMemoryIsShortThePausedEndLastOfTheOrderFirst) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "resident memory is the sanitizer's";
  PortfolioSettings how = turns(1);
  how.short_of_memory = [] { return true; };
  const SharedProcessId hoarder;
  const EngineRow last = turns_row(
      "hoarder", [&](const model::AnyTask& task, const Options& options, RunContext& context) {
        *hoarder = getpid();
        return kHoarder.run(task, options, context);
      });
  /// Answers when the hoarder is gone, however busy the machine is.
  const EngineRow survivor =
      turns_row("survivor", [&](const model::AnyTask&, const Options&, RunContext&) -> Verdict {
        while (*hoarder == 0 || is_running_process(*hoarder)) compute_for(Seconds(0.001));
        return right_trace();
      });
  const PortfolioResult result =
      take_turns({survivor, turns_row("earlier", kHoarder.run), last}, how);
  EXPECT_EQ(result.report.engine, "survivor");
  EXPECT_EQ(fate(result, "hoarder").outcome, "unknown");
  EXPECT_THAT(fate(result, "hoarder").detail, HasSubstr("memory"));
}

TEST(Turns, WhereMemorySufficesThePausedKeepTheirs) {
  EXPECT_EQ(take_turns({kSlow, kHoarder}, turns(1)).report.runs[1].outcome, "stopped");
}

}  // namespace
}  // namespace heddle::driver
