#include "output/bench/comparison.hpp"
#include "output/bench/result_file.hpp"

namespace heddle::output::bench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

Record solved(std::string path, Claim verdict, double cpu) {
  return {.path = std::move(path),
          .tool = "heddle",
          .outcome = CaseOutcome::Solved,
          .verdict = verdict,
          .evidence = "confirmed",
          .seconds = cpu,
          .cpu_seconds = cpu,
          .peak_memory_mb = 12.5,
          .task_class = "Petri net, small"};
}

Record unsolved(std::string path) {
  return {.path = std::move(path), .tool = "heddle", .reason = "timeout", .cpu_seconds = 20};
}

Results sample() {
  return {{{"version", "1"}, {"command", "heddle bench x: y"}},
          {solved("a/1.spec", Claim::Safe, 0.25), unsolved("a/2.spec")}};
}

TEST(BenchResults, BothFormsAreReadBack) {
  for (const std::string& text : {to_tsv(sample()), to_json(sample())}) {
    const auto read = read_results("r", text);
    ASSERT_TRUE(read) << base::render(read.error());
    EXPECT_EQ(read->header, sample().header);
    EXPECT_EQ(read->records, sample().records);
  }
}

/// Earlier versions had no keys, and before that no classes of tasks.
TEST(BenchResults, FilesOfEarlierVersionsAreRead) {
  Results results = sample();
  for (Record& record : results.records) record.task_class.clear();
  std::string tsv = to_tsv(results);
  std::string json = to_json(results);
  for (const std::string column : {"key", "task_class"}) {
    for (std::size_t at = 0; (at = tsv.find("\t\n", at)) != std::string::npos;) tsv.erase(at, 1);
    tsv.erase(tsv.find("\t" + column), 1 + column.size());
    const std::string field = ",\n   \"" + column + "\": \"\"";
    for (std::size_t at = 0; (at = json.find(field)) != std::string::npos;)
      json.erase(at, field.size());
    for (const std::string& text : {tsv, json}) {
      ASSERT_EQ(text.find(column), std::string::npos);
      const auto read = read_results("r", text);
      ASSERT_TRUE(read) << base::render(read.error());
      EXPECT_EQ(read->records, results.records);
    }
  }
}

TEST(BenchResults, WhatAnInterruptionLeftOfALineIsPassedOver) {
  const std::string text = to_tsv(sample());
  const auto read = read_results("r", std::string_view(text).substr(0, text.size() - 5));
  ASSERT_TRUE(read);
  EXPECT_THAT(read->records, ElementsAre(sample().records[0]));
}

TEST(BenchResults, TabsAndLineBreaksCannotBreakTheTable) {
  Results results = sample();
  results.records[1].reason = "one\ttwo\nthree";
  const auto read = read_results("r", to_tsv(results));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->records[1].reason, "one two three");
}

TEST(BenchResults, SaysWhatIsNoResultFile) {
  EXPECT_THAT(base::render(read_results("r", "").error()), HasSubstr("not a result file"));
  EXPECT_THAT(base::render(read_results("r", "{}").error()), HasSubstr("not a result file"));
  EXPECT_THAT(base::render(read_results("r", "path\ttool\n").error()), HasSubstr("r:1:1: error"));
  std::string text = to_tsv(sample());
  text.replace(text.find("\tsafe\t"), 6, "\tsoft\t");
  EXPECT_THAT(base::render(read_results("r", text).error()), HasSubstr("r:4:1: error"));
  text = to_tsv(sample());
  text.replace(text.find("0.250"), 5, "-0.25");
  EXPECT_FALSE(read_results("r", text));
}

class BenchComparison : public testing::Test {
 protected:
  Comparison compare_records(std::vector<Record> before, std::vector<Record> after) const {
    return compare({{}, std::move(before)}, {{}, std::move(after)}, {1.5, 0.1});
  }
};

TEST_F(BenchComparison, SolvedAndLost) {
  const Comparison c = compare_records({unsolved("a"), solved("b", Claim::Safe, 1)},
                                       {solved("a", Claim::Safe, 1), unsolved("b")});
  ASSERT_THAT(c.solved, SizeIs(1));
  EXPECT_EQ(c.solved[0].after.path, "a");
  ASSERT_THAT(c.lost, SizeIs(1));
  EXPECT_EQ(c.lost[0].after.path, "b");
  EXPECT_EQ(c.same, 0u);
}

TEST_F(BenchComparison, TimesMustChangeByFactorAndBySeconds) {
  const Comparison c = compare_records(
      {solved("slower", Claim::Safe, 1), solved("faster", Claim::Safe, 2),
       solved("by seconds only", Claim::Safe, 10), solved("by factor only", Claim::Safe, 0.01)},
      {solved("slower", Claim::Safe, 1.6), solved("faster", Claim::Safe, 1),
       solved("by seconds only", Claim::Safe, 11), solved("by factor only", Claim::Safe, 0.05)});
  ASSERT_THAT(c.slower, SizeIs(1));
  EXPECT_EQ(c.slower[0].after.path, "slower");
  ASSERT_THAT(c.faster, SizeIs(1));
  EXPECT_EQ(c.faster[0].after.path, "faster");
  EXPECT_EQ(c.same, 2u);
  EXPECT_EQ(c.both_solved, 4u);
  EXPECT_DOUBLE_EQ(c.seconds_before, 13.01);
}

TEST_F(BenchComparison, TheWorstComesFirst) {
  const Comparison c = compare_records({solved("a", Claim::Safe, 1), solved("b", Claim::Safe, 1)},
                                       {solved("a", Claim::Safe, 2), solved("b", Claim::Safe, 4)});
  ASSERT_THAT(c.slower, SizeIs(2));
  EXPECT_EQ(c.slower[0].after.path, "b");
}

TEST_F(BenchComparison, AVerdictThatChangedItsSideIsNothingElse) {
  const Comparison c =
      compare_records({solved("a", Claim::Safe, 1)}, {solved("a", Claim::Unsafe, 9)});
  EXPECT_THAT(c.flipped, SizeIs(1));
  EXPECT_THAT(c.slower, SizeIs(0));
}

TEST_F(BenchComparison, CasesOfOneFileOnly) {
  const Comparison c =
      compare_records({solved("a", Claim::Safe, 1)}, {solved("b", Claim::Safe, 1)});
  EXPECT_THAT(c.only_before, SizeIs(1));
  EXPECT_THAT(c.only_after, SizeIs(1));
}

TEST_F(BenchComparison, SaysItInWords) {
  const Results before{{{"limits", "10 s"}, {"date", "1"}},
                       {unsolved("a"), solved("b", Claim::Safe, 1)}};
  const Results after{{{"limits", "20 s"}, {"date", "2"}},
                      {solved("a", Claim::Unsafe, 3), solved("b", Claim::Safe, 4)}};
  EXPECT_EQ(comparison_text(before, after, compare(before, after, {})),
            "limits: 10 s → 20 s\n"
            "newly solved:\n"
            "  a  heddle: unknown (timeout) 20.00 s → unsafe 3.00 s\n"
            "slower:\n"
            "  b  heddle: 1.00 s → 4.00 s (4.00×)\n"
            "1 newly solved, 0 lost, 0 faster, 1 slower, 0 changed verdicts, 0 as before; "
            "on 1 cases solved by both: 1.00 s → 4.00 s of CPU\n");
}

}  // namespace
}  // namespace heddle::output::bench
