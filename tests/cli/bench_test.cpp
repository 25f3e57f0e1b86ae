#include <nlohmann/json.hpp>

#include "cli/binary.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Two cases that Heddle solves, one that no limit this small suffices for, one of another format.
class Bench : public BinaryTest {
 protected:
  Bench() {
    write("lock.tts", kLock);
    write("lock.prop", "2|4,4\n");
    write("net.spec", kNet);
    write("endless.spec", kEndlessNet);
    write_index("unsafe");
  }
  void write_index(const std::string& expected) const {
    write("INDEX.tsv",
          "path\tformat\tproperty\ttarget\tinitial\texpected\n"
          "lock.tts\ttts\treach\tlock.prop\t0/0\t" +
              expected +
              "\n"
              "net.spec\tspec\treach\tin file\t\tunsafe\n"
              "old.xyz\txyz\treach\tin file\t\tunsafe\n");
  }
};

TEST_F(Bench, RunsAnIndex) {
  const Outcome outcome = heddle({"bench", "INDEX.tsv"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty()) << "no progress in a pipe";
  EXPECT_THAT(outcome.out, HasSubstr("skipped: 1 (format xyz is not read)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("family  cases  solved  wrong  unconfirmed"));
  EXPECT_THAT(outcome.out, HasSubstr("\nall         2       2      0            0        0"));
  const json results = json::parse(read("bench-results/results.json"));
  EXPECT_EQ(results["records"].size(), 2u);
  EXPECT_EQ(results["records"][0]["verdict"], "unsafe");
  EXPECT_EQ(results["records"][0]["evidence"], "confirmed");
  EXPECT_GT(results["records"][0]["peak_memory_mb"], 0);
  EXPECT_EQ(results["header"]["command"], "heddle bench INDEX.tsv");
  EXPECT_THAT(read("bench-results/cactus.svg"), HasSubstr("heddle (2 solved)"));
}

TEST_F(Bench, AWrongVerdictIsNamedAndHasItsExitCode) {
  write_index("safe");
  const Outcome outcome = heddle({"bench", "INDEX.tsv", "--output", "out"});
  EXPECT_EQ(outcome.code, 71);
  EXPECT_THAT(outcome.out, HasSubstr("WRONG  lock.tts: heddle says unsafe, expected safe\n"));
}

TEST_F(Bench, RunsAFolderWithinLimits) {
  const Outcome outcome = heddle(
      {"bench", ".", "--engine", "backward", "--timeout", "0.3", "--filter", "endless|lock"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nall         2       1      0            0        1"));
  EXPECT_THAT(read("bench-results/results.tsv"), HasSubstr("endless.spec\theddle\tunknown"));
}

TEST_F(Bench, RunsOthersOnTheSameCases) {
  const Outcome outcome =
      heddle({"bench", "INDEX.tsv", "--against", "loud=test -f {file} && echo unsafe", "--against",
              "quiet=exit 7", "--safe-exit", "7"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("│  loud"));
  EXPECT_THAT(outcome.out, HasSubstr("on the 2 cases that both solved: heddle"));
  EXPECT_THAT(outcome.out, HasSubstr("WRONG  net.spec: quiet says safe, expected unsafe\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("DISAGREEMENT  lock.tts: heddle says unsafe, quiet says safe\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("DISAGREEMENT  lock.tts: heddle says unsafe, loud")));
  EXPECT_TRUE(exists("bench-results/scatter-loud.svg"));
  EXPECT_TRUE(exists("bench-results/scatter-quiet.svg"));
}

TEST_F(Bench, OthersAreStoppedAtTheLimitWithTheirChildren) {
  const Outcome outcome = heddle({"bench", "INDEX.tsv", "--filter", "net", "--timeout", "0.3",
                                  "--against", "slow=sleep 1000; echo unsafe"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("bench-results/results.tsv"),
              HasSubstr("net.spec\tslow\tunknown\tunsafe\tunknown\t\ttimeout"));
}

TEST_F(Bench, ResumesAndCompares) {
  const std::vector<std::string> command{"bench", "INDEX.tsv", "--output", "one"};
  ASSERT_EQ(heddle(command).code, 0);
  std::vector<std::string> again = command;
  again.push_back("--resume");
  const Outcome resumed = heddle(again);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("resumed: 2 were done before\n"));
  again.insert(again.end(), {"--order", "bfs"});
  EXPECT_EQ(heddle(again).code, 3);

  const Outcome same = heddle({"bench", "--compare", "one/results.tsv", "one/results.json"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("0 newly solved, 0 lost, 0 faster, 0 slower"));
}

TEST_F(Bench, PartsArePutTogether) {
  for (const char* part : {"1/2", "2/2"}) {
    const Outcome outcome = heddle({"bench", "INDEX.tsv", "--shard", part, "--output", "parts"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("every case: parts/shard-"));
  }
  const Outcome merged = heddle({"bench", "--merge", "parts", "--output", "all"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("\nall         2       2      0            0        0"));
  EXPECT_TRUE(exists("all/results.json"));
  const Outcome again = heddle({"bench", "INDEX.tsv", "--resume", "--output", "parts"});
  EXPECT_THAT(again.out, HasSubstr("resumed: 2 were done before\n"));
  write("net.spec", std::string(kNet) + "\n");
  const Outcome edited = heddle({"bench", "INDEX.tsv", "--resume", "--output", "parts"});
  EXPECT_THAT(edited.out, HasSubstr("stale: 1 were done before on other files or options"));
  EXPECT_EQ(heddle({"bench", "--merge", "nowhere"}).code, 3);
}

TEST_F(Bench, WhatNeedsSlurmSaysSo) {
  EXPECT_THAT(heddle({"bench", "INDEX.tsv", "--nodes", "2"}).err, HasSubstr("hint: add --slurm"));
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--shard", "3/2"}).code, 2);
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--slurm", "--shard", "1/2"}).code, 2);
  EXPECT_EQ(heddle({"verify", "lock.tts", "--seeds", "2"}).code, 2);
  EXPECT_EQ(heddle({"verify", "-", "--slurm"}).code, 2);
}

TEST_F(Bench, MistakesAreFoundBeforeTheFirstCase) {
  EXPECT_EQ(heddle({"bench"}).code, 2);
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--engine", "bakward"}).code, 2);
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--filter", "("}).code, 2);
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--order", "up"}).code, 2);
  EXPECT_EQ(heddle({"bench", "INDEX.tsv", "--safe-exit", "x"}).code, 2);
  EXPECT_EQ(heddle({"bench", "--compare", "a"}).code, 2);
  EXPECT_EQ(heddle({"bench", "x", "--compare", "a", "b"}).code, 2);
  EXPECT_EQ(heddle({"bench", "--compare", "a", "b"}).code, 3);
  EXPECT_EQ(heddle({"bench", "nowhere.tsv"}).code, 3);
  EXPECT_FALSE(exists("bench-results"));
}

}  // namespace
}  // namespace heddle::cli
