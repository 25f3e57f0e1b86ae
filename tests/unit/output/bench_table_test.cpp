#include "output/bench/table.hpp"

#include "output/bench/statistics.hpp"

namespace heddle::output::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Record a_record(std::string path, std::string tool, CaseOutcome outcome, Claim verdict,
                double cpu) {
  return {.path = std::move(path),
          .tool = std::move(tool),
          .outcome = outcome,
          .verdict = verdict,
          .seconds = cpu,
          .cpu_seconds = cpu,
          .peak_memory_mb = cpu * 10};
}

std::vector<Record> two_families() {
  return {a_record("petri/a/1.spec", "heddle", CaseOutcome::Solved, Claim::Safe, 1),
          a_record("petri/a/2.spec", "heddle", CaseOutcome::Solved, Claim::Unsafe, 3),
          a_record("petri/a/3.spec", "heddle", CaseOutcome::Unknown, Claim::Unknown, 20),
          a_record("threads/b/x/4.tts", "heddle", CaseOutcome::Wrong, Claim::Safe, 2)};
}

TEST(BenchStatistics, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(BenchStatistics, FamiliesAreTheFirstTwoFolders) {
  EXPECT_EQ(family_of("a/b/c/d.tts"), "a/b");
  EXPECT_EQ(family_of("a/b/c.tts"), "a/b");
  EXPECT_EQ(family_of("a/b.tts"), "a");
  EXPECT_EQ(family_of("b.tts"), ".");
  EXPECT_EQ(family_of("a/b.tts [reach, c/d.prop, 0/0]"), "a");
  EXPECT_THAT(families_of(two_families()), ElementsAre("petri/a", "threads/b"));
}

TEST(BenchStatistics, SumsAllCasesAndTakesTheMedianOfTheSolved) {
  const Summary summary = summarise(two_families(), "heddle", "petri/a");
  EXPECT_EQ(summary.cases, 3u);
  EXPECT_EQ(summary.count(CaseOutcome::Solved), 2u);
  EXPECT_EQ(summary.count(CaseOutcome::Unknown), 1u);
  EXPECT_EQ(summary.count(CaseOutcome::Wrong), 0u);
  EXPECT_EQ(summary.cpu_seconds, 24);
  EXPECT_EQ(summary.median_cpu_seconds, 2);
  EXPECT_EQ(summary.peak_memory_mb, 200);
  EXPECT_EQ(summarise(two_families(), "heddle").cases, 4u);
  EXPECT_EQ(summarise(two_families(), "other").cases, 0u);
}

TEST(BenchStatistics, ComparesTimesOnWhatBothSolved) {
  std::vector<Record> records = two_families();
  records.push_back(a_record("petri/a/1.spec", "mist", CaseOutcome::Solved, Claim::Safe, 10));
  records.push_back(a_record("petri/a/2.spec", "mist", CaseOutcome::Unknown, Claim::Unknown, 20));
  records.push_back(a_record("petri/a/3.spec", "mist", CaseOutcome::Solved, Claim::Safe, 5));
  const CommonTime time = common_time(pairs_of(records, "heddle", "mist"));
  EXPECT_EQ(time.cases, 1u);
  EXPECT_EQ(time.ours, 1);
  EXPECT_EQ(time.theirs, 10);
  EXPECT_EQ(common_time_text(records),
            "on the 1 cases that both solved: heddle 1.00 s, mist 10.00 s of CPU (factor 10.0)\n");
}

TEST(BenchTable, ALinePerFamilyAndOneForAll) {
  EXPECT_EQ(table_text(two_families()),
            "family     cases  solved  wrong  unconfirmed  unknown  cpu s  median s  peak MB\n"
            "petri/a        3       2      0            0        1   24.0     2.000      200\n"
            "threads/b      1       0      1            0        0    2.0     0.000       20\n"
            "all            4       2      1            0        1   26.0     2.000      200\n");
}

TEST(BenchTable, AGroupOfColumnsPerTool) {
  const std::vector<Record> records{
      a_record("a/1.spec", "heddle", CaseOutcome::Solved, Claim::Safe, 1),
      a_record("a/1.spec", "mist", CaseOutcome::Error, Claim::Unknown, 2)};
  EXPECT_EQ(
      table_text(records),
      "              │  heddle                                                        │  mist\n"
      "family  cases │  solved  wrong  unconfirmed  unknown  cpu s  median s  peak MB │  solved  "
      "wrong  unknown  error  cpu s  median s  peak MB\n"
      "a           1 │       1      0            0        0    1.0     1.000       10 │       0  "
      "    0        0      1    2.0     0.000       20\n"
      "all         1 │       1      0            0        0    1.0     1.000       10 │       0  "
      "    0        0      1    2.0     0.000       20\n");
}

TEST(BenchTable, NamesEachCaseThatDeservesALook) {
  std::vector<Record> records = two_families();
  records[3].expected = Claim::Unsafe;
  records.push_back(a_record("a/5.spec", "heddle", CaseOutcome::Refused, Claim::Unknown, 0));
  records.back().reason = "a/5.spec:1:1: error: no";
  EXPECT_EQ(remarks_text(records),
            "WRONG  threads/b/x/4.tts: heddle says safe, expected unsafe\n"
            "REFUSED  a/5.spec: heddle (a/5.spec:1:1: error: no)\n");
}

TEST(BenchTable, NamesCasesOnWhichToolsDisagree) {
  std::vector<Record> records = two_families();
  records.push_back(a_record("petri/a/1.spec", "mist", CaseOutcome::Solved, Claim::Unsafe, 1));
  records.push_back(a_record("petri/a/2.spec", "mist", CaseOutcome::Solved, Claim::Unsafe, 1));
  records.push_back(a_record("petri/a/3.spec", "mist", CaseOutcome::Solved, Claim::Unsafe, 1));
  EXPECT_THAT(remarks_text(records),
              HasSubstr("DISAGREEMENT  petri/a/1.spec: heddle says safe, mist says unsafe\n"));
  EXPECT_THAT(remarks_text(records), Not(HasSubstr("2.spec")));
  EXPECT_THAT(remarks_text(records), Not(HasSubstr("3.spec")));
}

TEST(BenchTable, NothingToRemark) {
  EXPECT_THAT(remarks_text({a_record("a", "heddle", CaseOutcome::Solved, Claim::Safe, 1)}),
              IsEmpty());
}

TEST(BenchProgress, EstimatesFromThisRunOnly) {
  EXPECT_EQ(progress_text({0, 0, 10, 0}, 5), "0/10  0 wrong");
  EXPECT_EQ(progress_text({0, 2, 10, 0}, 10), "2/10  0 wrong  about 40 s left");
  EXPECT_EQ(progress_text({4, 6, 10, 1}, 10), "6/10  1 wrong  about 20 s left");
  EXPECT_EQ(progress_text({0, 1, 11, 0}, 60), "1/11  0 wrong  about 10 min left");
  EXPECT_EQ(progress_text({0, 1, 101, 0}, 360), "1/101  0 wrong  about 10.0 h left");
  EXPECT_EQ(progress_text({0, 10, 10, 0}, 10), "10/10  0 wrong");
}

}  // namespace
}  // namespace heddle::output::bench
