#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "driver/bench/bench.hpp"
#include "output/bench/result_file.hpp"

namespace heddle::driver::bench {
namespace {

namespace fs = std::filesystem;

using output::bench::header_value;
using output::bench::Outcome;
using output::bench::Record;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Answers "unsafe, confirmed" for everything, the last one started first; stops after a while.
class FakeRunner final : public Runner {
 public:
  std::vector<std::string> started;  ///< the last words of the commands
  std::size_t most_at_once = 0;
  std::size_t interrupted_after = 1000;

  void start(std::size_t id, const Command& command) override {
    running_.push_back(id);
    most_at_once = std::max(most_at_once, running_.size());
    started.push_back(command.words[0] == "/bin/sh" ? command.words[2] : command.words[2]);
  }
  std::optional<Finished> next() override {
    if (finished_++ == interrupted_after) return std::nullopt;
    Finished finished{running_.back(), {}};
    running_.pop_back();
    finished.end.code = 10;
    finished.end.output = R"({"verdict": "unsafe", "evidence": {"status": "confirmed"}})";
    finished.end.cpu_seconds = 1;
    return finished;
  }
  std::optional<int> interrupted_by() const override {
    return finished_ > interrupted_after ? std::optional(2) : std::nullopt;
  }

 private:
  std::deque<std::size_t> running_;
  std::size_t finished_ = 0;
};

class BenchRunTest : public testing::Test {
 protected:
  BenchRunTest()
      : folder(fs::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
    write("INDEX.tsv", "path\texpected\na/1.tts\tunsafe\na/2.tts\t\na/3.tts\tunsafe\n");
    request.suite = path("INDEX.tsv");
    request.output = path("out");
    request.tools = {{kOwnName, OwnTool{"heddle", {}}}};
    request.limits.time = std::chrono::duration<double>(5);
    request.header = {{"version", "1"}, {"date", "today"}};
  }
  ~BenchRunTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
  }
  BenchRun run(FakeRunner& runner) {
    auto done = run_bench(disk, request, runner);
    EXPECT_TRUE(done) << base::render(done.error());
    return done ? std::move(*done) : BenchRun{};
  }

  fs::path folder;
  RealDisk disk;
  BenchRequest request;
};

TEST_F(BenchRunTest, RecordsComeInTheSuitesOrder) {
  FakeRunner runner;
  request.jobs = 3;
  const BenchRun done = run(runner);
  ASSERT_THAT(done.results.records, SizeIs(3));
  EXPECT_EQ(done.results.records[0].path, "a/1.tts");
  EXPECT_EQ(done.results.records[2].path, "a/3.tts");
  EXPECT_EQ(runner.most_at_once, 3u);
  EXPECT_EQ(exit_code(done.results.records), 0);
}

TEST_F(BenchRunTest, NoMoreAtOnceThanAllowed) {
  FakeRunner runner;
  request.jobs = 2;
  run(runner);
  EXPECT_EQ(runner.most_at_once, 2u);
}

TEST_F(BenchRunTest, WritesResultsAndPlots) {
  FakeRunner runner;
  VerdictRules rules;
  rules.unsafe = "unsafe";
  rules.safe = "safe";
  request.tools.push_back({"mist", OtherTool{"mist {file}", rules}});
  const BenchRun done = run(runner);
  for (const char* name : {"results.tsv", "results.json"}) {
    const auto read = output::bench::read_results(name, *disk.read(path("out/") + name));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->records, done.results.records);
  }
  EXPECT_TRUE(disk.exists(path("out/cactus.svg")));
  EXPECT_TRUE(disk.exists(path("out/scatter-mist.svg")));
  EXPECT_EQ(header_value(done.results.header, "tools"), "heddle = verify; mist = mist {file}");
  EXPECT_EQ(header_value(done.results.header, "limits"), "5 s a case");
}

TEST_F(BenchRunTest, GoesOnAfterAnInterruption) {
  FakeRunner first;
  first.interrupted_after = 2;
  const BenchRun half = run(first);
  EXPECT_EQ(half.interrupted_by, 2);
  EXPECT_THAT(half.results.records, SizeIs(2));

  FakeRunner second;
  request.resume = true;
  request.header[1].second = "tomorrow";
  const BenchRun rest = run(second);
  EXPECT_THAT(second.started, ElementsAre(path("a/3.tts")));
  EXPECT_EQ(rest.resumed, 2u);
  EXPECT_THAT(rest.results.records, SizeIs(3));

  FakeRunner third;
  run(third);
  EXPECT_THAT(third.started, IsEmpty());
}

TEST_F(BenchRunTest, ANarrowerFilterKeepsWhatIsKnown) {
  FakeRunner first;
  run(first);
  request.resume = true;
  request.takes = [](const std::string& path) { return path == "a/2.tts"; };
  FakeRunner second;
  const BenchRun narrow = run(second);
  EXPECT_THAT(second.started, IsEmpty());
  EXPECT_EQ(narrow.resumed, 1u);
  EXPECT_THAT(narrow.results.records, SizeIs(3));
}

TEST_F(BenchRunTest, OtherRulesForAVerdictAreAnotherTool) {
  VerdictRules rules;
  rules.words = "unsafe: /bug/";
  request.tools.push_back({"mist", OtherTool{"mist {file}", rules}});
  FakeRunner runner;
  run(runner);
  request.resume = true;
  std::get<OtherTool>(request.tools[1].how).rules.words = "unsafe: /error/";
  const auto refused = run_bench(disk, request, runner);
  ASSERT_FALSE(refused);
  EXPECT_THAT(base::render(refused.error()), HasSubstr("the tools of that run differ"));
}

TEST_F(BenchRunTest, WithoutResumeEverythingIsRunAgain) {
  FakeRunner first;
  run(first);
  FakeRunner second;
  run(second);
  EXPECT_THAT(second.started, SizeIs(3));
}

TEST_F(BenchRunTest, ARunWithOtherSettingsIsNotResumed) {
  FakeRunner runner;
  run(runner);
  request.resume = true;
  request.limits.time = std::chrono::duration<double>(7);
  const auto refused = run_bench(disk, request, runner);
  ASSERT_FALSE(refused);
  EXPECT_THAT(base::render(refused.error()),
              HasSubstr("the limits of that run differ: 5 s a case"));
}

TEST_F(BenchRunTest, WhatMustBeTheSame) {
  const output::bench::Header header{
      {"version", "1"}, {"limits", "5 s"}, {"tools", "t"}, {"build", "b"}, {"jobs", "1"}};
  EXPECT_EQ(difference(header, header), std::nullopt);
  for (const auto& [i, name] :
       {std::pair{0, "version"}, {1, "limits"}, {2, "tools"}, {3, "build"}}) {
    output::bench::Header other = header;
    other[static_cast<std::size_t>(i)].second = "x";
    EXPECT_EQ(difference(header, other), name);
  }
  output::bench::Header other = header;
  other[4].second = "2";
  EXPECT_EQ(difference(header, other), std::nullopt);
}

TEST_F(BenchRunTest, ProgressCountsWrongVerdicts) {
  write("INDEX.tsv", "path\texpected\na/1.tts\tunsafe\na/2.tts\tsafe\n");
  std::vector<std::size_t> done, wrong;
  request.on_progress = [&](const output::bench::Progress& progress) {
    EXPECT_EQ(progress.total, 2u);
    done.push_back(progress.done);
    wrong.push_back(progress.wrong);
  };
  FakeRunner runner;
  const BenchRun finished = run(runner);
  EXPECT_THAT(done, ElementsAre(1, 2));
  EXPECT_THAT(wrong, ElementsAre(0, 1));
  EXPECT_EQ(exit_code(finished.results.records), 71);
}

TEST(BenchExitCode, OursCountOnly) {
  Record record{.path = "a", .tool = kOwnName, .outcome = Outcome::Refused};
  EXPECT_EQ(exit_code({record}), 0);
  record.outcome = Outcome::Error;
  EXPECT_EQ(exit_code({record}), 70);
  Record wrong = record;
  wrong.outcome = Outcome::Unconfirmed;
  EXPECT_EQ(exit_code({record, wrong}), 71);
  wrong.tool = "mist";
  EXPECT_EQ(exit_code({wrong}), 0);
}

TEST(BenchExitCode, OfAComparison) {
  output::bench::Comparison comparison;
  EXPECT_EQ(exit_code(comparison, {}), 0);
  const Record wrong{.path = "a", .tool = kOwnName, .outcome = Outcome::Wrong};
  EXPECT_EQ(exit_code(comparison, {{}, {wrong}}), 71);
  comparison.flipped.push_back({});
  EXPECT_EQ(exit_code(comparison, {}), 71);
}

}  // namespace
}  // namespace heddle::driver::bench
