#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driver/bench/bench.hpp"
#include "driver/bench/journal.hpp"
#include "driver/bench/merge.hpp"
#include "output/bench/result_file.hpp"
#include "unit/driver/fake_runner.hpp"

namespace heddle::driver::bench {
namespace {

namespace fs = std::filesystem;

using output::bench::CaseOutcome;
using output::bench::header_value;
using output::bench::Record;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BenchRunTest : public testing::Test {
 protected:
  BenchRunTest()
      : folder(fs::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()))) {
    fs::create_directories(folder / "a");
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

TEST_F(BenchRunTest, AnEditedCaseIsRunAgain) {
  for (const char* name : {"a/1.tts", "a/2.tts", "a/3.tts"}) write(name, "model");
  FakeRunner first;
  run(first);
  request.resume = true;
  write("a/2.tts", "another model");
  FakeRunner second;
  const BenchRun edited = run(second);
  EXPECT_THAT(second.started, ElementsAre(path("a/2.tts")));
  EXPECT_EQ(edited.stale, 1u);
  EXPECT_EQ(edited.resumed, 2u);
  write("a/3.prop", "a target beside it");
  write("INDEX.tsv", "path\texpected\na/1.tts\tsafe\na/2.tts\t\na/3.tts\tunsafe\n");
  FakeRunner third;
  EXPECT_EQ(run(third).stale, 2u);
  EXPECT_THAT(third.started, ElementsAre(path("a/1.tts"), path("a/3.tts")));
  FakeRunner fourth;
  EXPECT_EQ(run(fourth).stale, 0u);
  EXPECT_THAT(fourth.started, IsEmpty());
}

TEST_F(BenchRunTest, ShardsTogetherAreTheWhole) {
  const BenchRun whole = [&] {
    FakeRunner runner;
    return run(runner);
  }();
  request.output = path("parts");
  for (std::size_t part = 1; part <= 2; ++part) {
    request.shard = Shard{part, 2};
    FakeRunner runner;
    EXPECT_THAT(run(runner).results.records, SizeIs(part == 1 ? 2 : 1));
    EXPECT_EQ(runner.started.front(), path(part == 1 ? "a/1.tts" : "a/2.tts"));
  }
  EXPECT_FALSE(disk.exists(path("parts/results.tsv")));
  const auto merged = merge(disk, {{path("parts")}, path("merged")});
  ASSERT_TRUE(merged) << base::render(merged.error());
  EXPECT_EQ(merged->results.records, whole.results.records) << "in the same order, too";
  EXPECT_THAT(merged->missing, IsEmpty());
  EXPECT_TRUE(disk.exists(path("merged/cactus.svg")));
  EXPECT_TRUE(disk.exists(path("merged/results.json")));
  fs::remove(path("parts/shard-2-of-2.tsv"));
  EXPECT_THAT(merge(disk, {{path("parts")}, path("merged")})->missing, ElementsAre("2 of 2"));
}

TEST_F(BenchRunTest, OnlyPartsOfTheSameSettingsAreMerged) {
  FakeRunner runner;
  request.shard = Shard{1, 2};
  run(runner);
  request.shard = Shard{2, 2};
  request.limits.time = std::chrono::duration<double>(7);
  run(runner);
  const auto refused = merge(disk, {{path("out")}, path("merged")});
  ASSERT_FALSE(refused);
  EXPECT_THAT(base::render(refused.error()), HasSubstr("the limits of that run differ"));
  EXPECT_FALSE(merge(disk, {{path("a")}, path("merged")}));
}

TEST_F(BenchRunTest, TheWholeGoesOnWherePartsEnded) {
  FakeRunner first;
  request.shard = Shard{1, 2};
  run(first);
  request.shard.reset();
  FakeRunner refused;
  const auto fresh = run_bench(disk, request, refused);
  ASSERT_FALSE(fresh) << "or the part would be mixed up with what comes";
  EXPECT_THAT(refused.started, IsEmpty());
  request.resume = true;
  FakeRunner second;
  EXPECT_EQ(run(second).resumed, 2u);
  EXPECT_THAT(second.started, ElementsAre(path("a/2.tts")));
}

/// /dev/full takes nothing: what is written is told to have failed, and no case follows.
TEST_F(BenchRunTest, AFullDiskEndsTheRunWithAWord) {
  Journal journal("/dev/full");
  const auto added = journal.add("a\theddle\n");
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error(), HasSubstr("No space left"));
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
  Record record{.path = "a", .tool = kOwnName, .outcome = CaseOutcome::Refused};
  EXPECT_EQ(exit_code({record}), 0);
  record.outcome = CaseOutcome::Error;
  EXPECT_EQ(exit_code({record}), 70);
  Record wrong = record;
  wrong.outcome = CaseOutcome::Unconfirmed;
  EXPECT_EQ(exit_code({record, wrong}), 71);
  wrong.tool = "mist";
  EXPECT_EQ(exit_code({wrong}), 0);
}

TEST(BenchExitCode, OfAComparison) {
  output::bench::Comparison comparison;
  EXPECT_EQ(exit_code(comparison, {}), 0);
  const Record wrong{.path = "a", .tool = kOwnName, .outcome = CaseOutcome::Wrong};
  EXPECT_EQ(exit_code(comparison, {{}, {wrong}}), 71);
  comparison.flipped.push_back({});
  EXPECT_EQ(exit_code(comparison, {}), 71);
}

}  // namespace
}  // namespace heddle::driver::bench
