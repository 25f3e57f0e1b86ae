/// Campaigns on a scheduler that is a fake: its jobs are run when somebody waits, and are lost,
/// kept waiting or refused as the test likes. The real one is tried by tests/slurm.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "driver/bench/cluster_run.hpp"
#include "unit/driver/fake_runner.hpp"

namespace heddle::driver::bench {
namespace {

namespace fs = std::filesystem;

using output::bench::CaseOutcome;
using output::bench::Record;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class FakeScheduler final : public slurm::Scheduler {
 public:
  std::vector<slurm::JobArray> submitted;
  std::optional<std::string> refusal;
  unsigned refusals = ~0U;    ///< so many of them
  bool loses_answer = false;  ///< jobs are accepted, but nobody hears of it
  unsigned silent = 0;        ///< so many questions are not answered
  bool is_missing = false;    ///< there is no scheduler
  bool is_stuck = false;      ///< jobs wait for ever
  std::string obstacle;
  std::function<void(const slurm::JobArray&)> run_array;

  std::expected<void, std::string> submit(const slurm::JobArray& array) override {
    if (refusal && refusals > 0) return --refusals, std::unexpected(*refusal);
    submitted.push_back(array);
    waiting_.push_back(array);
    if (loses_answer) return std::unexpected("timed out");
    return {};
  }
  std::expected<slurm::Queue, slurm::NoAnswer> queue(const std::string&) override {
    if (is_missing) return std::unexpected(slurm::NoAnswer{true, "squeue is not there"});
    if (silent > 0) return --silent, std::unexpected(slurm::NoAnswer{false, "connection refused"});
    return slurm::Queue{waiting_.size(), waiting_.empty() ? "" : obstacle};
  }
  void cancel(const std::string&) override { waiting_.clear(); }
  void run_waiting() {
    if (is_stuck) return;
    for (const slurm::JobArray& array : std::exchange(waiting_, {})) run_array(array);
  }

 private:
  std::vector<slurm::JobArray> waiting_;
};

class ClusterTest : public testing::Test {
 protected:
  ClusterTest()
      : folder(fs::temp_directory_path() / ("heddle-cluster-" + std::to_string(getpid()))) {
    fs::create_directories(folder / "suite");
    for (char name = 'a'; name <= 'j'; ++name)
      write(std::string("suite/") + name + ".tts", "2 2\n0 0 -> 1 1\n");
    request.suite = path("suite");
    request.output = path("out");
    request.tools = {{kOwnName, OwnTool{"heddle", {}}}};
    request.limits.time = std::chrono::duration<double>(5);
    request.header = {{"version", "1"}, {"build", "b"}};
    cluster.program = "heddle";
    cluster.group = 3;
    scheduler.run_array = [this](const slurm::JobArray& array) { run_jobs(array); };
  }
  ~ClusterTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
  }
  /// What the nodes do. A job dies when it comes to a deadly case.
  void run_jobs(const slurm::JobArray& array) {
    const std::size_t at = array.script.find("bench ") + 6;
    const std::string plan = array.script.substr(at, array.script.find('"', at) - at);
    BenchRequest part = request;
    part.resume = false;
    part.shard = Shard{1, 1};
    part.takes = [](const std::string&) { return true; };
    for (std::size_t task = 1; task <= array.tasks; ++task) {
      part.suite = plan + std::to_string(task) + ".json";
      part.job = std::to_string(++jobs_);
      DyingRunner runner(deadly);
      EXPECT_TRUE(run_bench(disk, part, runner));
      for (const std::string& one : runner.finished) ++runs[one];
    }
  }
  base::Parsed<BenchRun> run() {
    return run_on_cluster(disk, request, cluster, scheduler, [&](double) {
      scheduler.run_waiting();
      return signal;
    });
  }

  class DyingRunner final : public Runner {
   public:
    explicit DyingRunner(std::set<std::string>& deadly) : deadly_(deadly) {}
    std::vector<std::string> finished;
    void start(std::size_t id, const Command& command) override {
      inner_.start(id, command);
      name_ = fs::path(command.words[2]).stem().string();
    }
    std::optional<Finished> next() override {
      if (deadly_.contains(name_)) {
        if (name_.starts_with("once")) deadly_.erase(name_);
        return std::nullopt;
      }
      finished.push_back(name_);
      return inner_.next();
    }
    std::optional<int> interrupted_by() const override { return std::nullopt; }

   private:
    std::set<std::string>& deadly_;
    std::string name_;
    FakeRunner inner_;
  };

  fs::path folder;
  RealDisk disk;
  BenchRequest request;
  ClusterRequest cluster;
  FakeScheduler scheduler;
  std::optional<int> signal;
  std::set<std::string> deadly;          ///< cases that end their job
  std::map<std::string, unsigned> runs;  ///< how often a case was finished

 private:
  unsigned jobs_ = 0;
};

TEST_F(ClusterTest, RunsEachCaseOnceAndWritesWhatALocalRunWrites) {
  const auto done = run();
  ASSERT_TRUE(done) << base::render(done.error());
  ASSERT_THAT(done->results.records, SizeIs(10));
  EXPECT_EQ(done->results.records[0].path, "a.tts");
  EXPECT_EQ(done->results.records[9].path, "j.tts");
  ASSERT_THAT(scheduler.submitted, SizeIs(1));
  EXPECT_EQ(scheduler.submitted[0].tasks, 4u) << "three cases each";
  for (const auto& [name, count] : runs) EXPECT_EQ(count, 1u) << name;
  for (const char* name : {"results.tsv", "results.json", "cactus.svg"})
    EXPECT_TRUE(disk.exists(path("out/") + name)) << name;
}

TEST_F(ClusterTest, WhatALostNodeLeftIsDoneByTheNextRound) {
  write("suite/once.tts", "2 2\n0 0 -> 1 1\n");
  deadly = {"once"};
  const auto done = run();
  ASSERT_TRUE(done) << base::render(done.error());
  EXPECT_THAT(done->results.records, SizeIs(11));
  EXPECT_THAT(scheduler.submitted, SizeIs(2));
  for (const auto& [name, count] : runs) EXPECT_EQ(count, 1u) << name;
}

TEST_F(ClusterTest, ACaseThatEndsItsJobThreeTimesIsGivenUpAndTriedAgainByResume) {
  deadly = {"c"};
  const auto done = run();
  ASSERT_TRUE(done) << base::render(done.error());
  ASSERT_THAT(done->results.records, SizeIs(10));
  EXPECT_EQ(done->results.records[2].outcome, CaseOutcome::Error);
  EXPECT_THAT(done->results.records[2].reason, HasSubstr("ended 3 times"));
  EXPECT_THAT(scheduler.submitted, SizeIs(3));
  EXPECT_EQ(runs.size(), 9u);
  for (const auto& [name, count] : runs) EXPECT_EQ(count, 1u) << name;
  deadly.clear();
  request.resume = true;
  const auto again = run();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->results.records[2].outcome, CaseOutcome::Solved);
  EXPECT_EQ(again->resumed, 9u);
  EXPECT_EQ(runs["c"], 1u);
}

TEST_F(ClusterTest, JobsThatNeverFinishAnythingEndTheCampaign) {
  scheduler.run_array = [](const slurm::JobArray&) {};
  const auto done = run();
  ASSERT_FALSE(done);
  EXPECT_THAT(base::render(done.error()), HasSubstr("the jobs end without any result"));
  EXPECT_THAT(scheduler.submitted, SizeIs(3));
}

TEST_F(ClusterTest, ASilentControllerIsWaitedFor) {
  scheduler.silent = 5;
  ASSERT_TRUE(run());
  EXPECT_THAT(scheduler.submitted, SizeIs(1));
}

TEST_F(ClusterTest, WhyNothingHappensIsSaidOnce) {
  std::vector<std::string> notes;
  cluster.on_note = [&](const std::string& note) { notes.push_back(note); };
  scheduler.silent = 5;
  scheduler.obstacle = "PartitionTimeLimit";
  ASSERT_TRUE(run());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("does not answer, which is waited for: connection"),
                                 "Slurm starts none of the jobs: PartitionTimeLimit"));
}

TEST_F(ClusterTest, WithoutASchedulerItEnds) {
  scheduler.is_missing = true;
  const auto done = run();
  ASSERT_FALSE(done);
  EXPECT_THAT(base::render(done.error()), HasSubstr("squeue is not there"));
}

TEST_F(ClusterTest, AControllerThatIsDownWhileJobsAreSubmittedIsWaitedFor) {
  scheduler.refusal = "Unable to contact slurm controller";
  scheduler.refusals = 4;
  scheduler.run_array = [this](const slurm::JobArray& array) { run_jobs(array); };
  unsigned asked = 0;
  cluster.on_note = [&](const std::string&) { ++asked; };
  // It answers before the array is made; then it is down until three more have been refused.
  const auto done = run_on_cluster(disk, request, cluster, scheduler, [&](double) {
    scheduler.run_waiting();
    if (scheduler.refusals > 0) scheduler.silent = 1;
    return signal;
  });
  ASSERT_TRUE(done) << base::render(done.error());
  EXPECT_EQ(asked, 1u);
  EXPECT_THAT(scheduler.submitted, SizeIs(1));
}

TEST_F(ClusterTest, JobsWereAcceptedThoughNobodyHeardOfIt) {
  scheduler.loses_answer = true;
  const auto done = run();
  ASSERT_TRUE(done) << base::render(done.error());
  EXPECT_THAT(scheduler.submitted, SizeIs(1));
  for (const auto& [name, count] : runs) EXPECT_EQ(count, 1u) << name;
}

TEST(SlurmQueue, IsReadJobByJob) {
  std::vector<std::string> held;
  const auto read = [&](const char* lines) { return slurm::queue_of(lines, held); };
  EXPECT_EQ(read("").jobs, 0u);
  EXPECT_EQ(read("7_1 R None\n7_[2-9] PD JobArrayTaskLimit\n").jobs, 2u);
  EXPECT_EQ(read("7_[1-9%2] PD Resources\n").obstacle, "");
  EXPECT_EQ(read("7_[1-9] PD PartitionTimeLimit\n").obstacle, "PartitionTimeLimit");
  EXPECT_EQ(read("7_1 CG None\n7_[2-9] PD PartitionDown\n").obstacle, "") << "one has run";
  EXPECT_EQ(read("7_[2-9] PD Nodes required for job are DOWN\n").obstacle,
            "Nodes required for job are DOWN");
  EXPECT_THAT(held, IsEmpty());
  EXPECT_EQ(read("7_3 PD launch failed requeued held\n7_4 R None\n").jobs, 1u);
  EXPECT_THAT(held, ElementsAre("7_3"));
}

TEST_F(ClusterTest, WhatSlurmRefusesIsSaid) {
  scheduler.refusal = "invalid partition";
  const auto done = run();
  ASSERT_FALSE(done);
  EXPECT_THAT(base::render(done.error()), HasSubstr("not accepted: invalid partition"));
}

/// The process that submitted is killed while jobs run: the next one waits for them.
TEST_F(ClusterTest, ResumingWaitsForJobsThatAreStillAtWork) {
  scheduler.is_stuck = true;
  signal = 15;
  const auto killed = run();
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->interrupted_by, 15);
  EXPECT_THAT(killed->results.records, IsEmpty());
  scheduler.is_stuck = false;
  signal.reset();
  request.resume = true;
  const auto done = run();
  ASSERT_TRUE(done) << base::render(done.error());
  EXPECT_THAT(done->results.records, SizeIs(10));
  EXPECT_THAT(scheduler.submitted, SizeIs(1)) << "nothing was submitted twice";
}

TEST_F(ClusterTest, ResultsAreNotReplacedWithoutResume) {
  ASSERT_TRUE(run());
  const auto again = run();
  ASSERT_FALSE(again);
  EXPECT_THAT(base::render(again.error()), HasSubstr("--resume"));
}

TEST_F(ClusterTest, OptionsReachSbatchAndTheJobs) {
  cluster.nodes = 2;
  cluster.partition = "fast";
  cluster.sbatch = {"--account=x"};
  cluster.settings = {"--against=it's {file}"};
  request.limits.memory_mb = 1000;
  ASSERT_TRUE(run());
  const slurm::JobArray& array = scheduler.submitted[0];
  EXPECT_THAT(array.script, HasSubstr(R"('--against=it'\''s {file}')"));
  EXPECT_EQ(array.minutes, 2u) << "three cases of 11 s";
  const auto words = slurm::sbatch_words(array);
  for (const char* word : {"--array=1-4%2", "--partition=fast", "--account=x", "--time=2",
                           "--mem=2512M", "--no-requeue"})
    EXPECT_EQ(std::ranges::count(words, word), 1) << word;
}

TEST(ClusterGroups, TakeMinutes) {
  EXPECT_EQ(group_size(60), 5u);
  EXPECT_EQ(group_size(0.1), 3000u);
  EXPECT_EQ(group_size(1000), 1u);
  EXPECT_EQ(group_size(0), 10'000u);
}

}  // namespace
}  // namespace heddle::driver::bench
