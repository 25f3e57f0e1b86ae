/// Engines as jobs, on a scheduler that is a fake: its jobs store what the test tells them to.

#include "driver/slurm/verify_jobs.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "answer/json.hpp"
#include "driver/recheck.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver::slurm {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSteps = "2 3\n0 0 -> 1 1\n1 1 -> 1 2\n";

/// What a job stores, by the engine's name: a verdict, or nothing.
class StoringScheduler final : public Scheduler {
 public:
  StoringScheduler(FakeDisk& disk, const VerifyRequest& request) : disk_(disk), request_(request) {}
  std::map<std::string, answer::Verdict> says;
  std::string script;
  unsigned cancelled = 0;
  std::function<void(const std::string& folder)> on_submit;

  std::expected<void, std::string> submit(const JobArray& array) override {
    script = array.script;
    if (on_submit) on_submit(array.name);
    const auto posed = pose_whole(disk_, request_.file, request_.question);
    for (std::size_t at = 0; (at = script.find("--engine=", at)) != std::string::npos; ++at) {
      const std::string engine = script.substr(at + 9, script.find(' ', at) - at - 9);
      const std::size_t from = script.find("--evidence=", at) + 11;
      const std::string path = script.substr(from, script.find(' ', from) - from);
      if (says.contains(engine))
        disk_.files[path] = answer::write_evidence(
            {model::kind_of(posed->task), engine, model::question_of(posed->task), says[engine]});
      const std::string stem = path.substr(0, path.rfind('.'));
      disk_.files[stem + ".answer"] = says.contains(engine)
                                          ? R"({"verdict": "unsafe"})"
                                          : R"({"verdict": "unknown", "reason": "time_limit"})";
    }
    return {};
  }
  std::expected<Queue, NoAnswer> queue(const std::string&) override { return Queue{}; }
  void cancel(const std::string&) override { ++cancelled; }

 private:
  FakeDisk& disk_;
  const VerifyRequest& request_;
};

class VerifyJobsTest : public testing::Test {
 protected:
  VerifyJobsTest() : scheduler(disk, request) {
    disk.files["a.tts"] = kSteps;
    request.file = "a.tts";
    request.question.initial = "0/0";
    request.question.targets = {"1|1"};
    settings.folder = std::filesystem::temp_directory_path().string();
    settings.program = "heddle";
    settings.words = {"a.tts", "--target", "it's"};
  }
  Answered ask() {
    auto answered = verify_by_jobs(disk, request, engine::registry(), settings, scheduler,
                                   [](double) { return std::nullopt; });
    EXPECT_TRUE(answered) << base::render(answered.error());
    return answered ? std::move(*answered) : Answered{};
  }
  static std::string name(const Variant& variant) {
    std::string out = variant.engine;
    for (const std::string& word : variant.words) out += " " + word;
    return out;
  }
  /// The run that takes the first step.
  static answer::Unsafe first_step() {
    answer::Trace trace;
    trace.initial.counts = {{model::LocalState(0u), 1}};
    trace.blocks = {{1, {{model::TransitionId(0u), {}, {}, {}}}}};
    return {trace};
  }

  FakeDisk disk;
  VerifyRequest request;
  JobSettings settings;
  StoringScheduler scheduler;
};

TEST_F(VerifyJobsTest, WhatAJobSaysIsCheckedHere) {
  answer::Unsafe lie = first_step();
  std::get<answer::Trace>(lie.trace).blocks.clear();
  scheduler.says["backward"] = lie;
  scheduler.says["forward"] = first_step();
  const Answered answered = ask();
  EXPECT_TRUE(std::holds_alternative<answer::Unsafe>(answered.report.verdict));
  EXPECT_EQ(answered.report.engine, "forward");
  EXPECT_EQ(answered.report.check.status, answer::EvidenceStatus::Confirmed);
  EXPECT_GE(scheduler.cancelled, 1u);
  EXPECT_THAT(scheduler.script, HasSubstr(R"(--target 'it'\''s')"));
}

/// A job that is cancelled goes on storing what it has until it is killed.
TEST_F(VerifyJobsTest, NoFolderIsLeftBehindByJobsThatEndLate) {
  namespace fs = std::filesystem;
  std::vector<std::thread> jobs;
  std::vector<fs::path> folders;
  scheduler.on_submit = [&](const std::string& name) {
    folders.push_back(fs::path(settings.folder) / name);
    jobs.emplace_back([folder = folders.back()] {
      constexpr int kMany = 10'000;
      for (int i = 0; i < kMany && std::ofstream(folder / (std::to_string(i) + ".late")); ++i)
        continue;
    });
  };
  for (int i = 0; i < 100; ++i) ask();
  for (std::thread& job : jobs) job.join();
  for (const fs::path& folder : folders) EXPECT_FALSE(fs::exists(folder)) << folder;
}

TEST_F(VerifyJobsTest, WithoutAConfirmedAnswerItIsUnknownAndSaysWhy) {
  const Answered answered = ask();
  const auto* unknown = std::get_if<answer::Unknown>(&answered.report.verdict);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->reason, answer::UnknownReason::TimeLimit);
  EXPECT_THAT(unknown->detail, HasSubstr("jobs has a confirmed answer"));
}

TEST_F(VerifyJobsTest, WorkIsSplitBySeedsAndThreads) {
  settings.seeds = 2;
  std::vector<std::string> names;
  bool proofs_of_less = false;
  for (const Variant& variant : variants_of(disk, request, engine::registry(), settings)) {
    names.push_back(name(variant));
    if (names.back().find("--threads") != std::string::npos)
      proofs_of_less |= !variant.only_refutes;
  }
  for (const char* expected :
       {"backward --seed=0", "backward --seed=1", "forward --threads=2", "forward --threads=3"})
    EXPECT_THAT(names, Contains(expected));
  EXPECT_THAT(names, Not(Contains(HasSubstr("pushdown"))));
  EXPECT_FALSE(proofs_of_less);
  request.question.initial = "0|0";
  for (const Variant& variant : variants_of(disk, request, engine::registry(), settings))
    EXPECT_THAT(name(variant), Not(HasSubstr("--threads"))) << "there is exactly one thread";
}

}  // namespace
}  // namespace heddle::driver::slurm
