#include <gmock/gmock.h>

#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::pushdown_test {
namespace {

using model::PushdownSystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwoThreads =
    "4 # shared states 0..3\n"
    "PDA 1 2\n"
    "0 1 -> 1 2\n\n"
    "PDA 4 6 # another thread\n"
    "0 4 -> 0 - # pop\n"
    "2 5 -> 3 4 6\n"
    "1 - -> 2 5\n"
    "1 - -> 2 -";

PushdownSystem system_of(const std::string& text) {
  return parsed<model::PushdownSystem>("pds", text).model;
}

TEST(Pushdown, RulesOfAllKindsAreRead) {
  const PushdownSystem system = system_of(kTwoThreads);
  EXPECT_EQ(system.shared_count, 4U);
  ASSERT_EQ(system.threads.size(), 2U);
  EXPECT_EQ(system.threads[1].last.value, 6U);
  std::vector<std::string> rules;
  for (const auto& rule : system.transitions)
    rules.push_back(std::to_string(rule.thread) + ": " + model::to_string(rule) + " @" +
                    std::to_string(rule.line));
  EXPECT_THAT(rules, ElementsAre("0: 0 1 -> 1 2 @3", "1: 0 4 -> 0 - @6", "1: 2 5 -> 3 4 6 @7",
                                 "1: 1 - -> 2 5 @8", "1: 1 - -> 2 - @9"));
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("pds"),
                                     parsed<model::PushdownSystem>("pds", kTwoThreads)),
            "");
}

TEST(Pushdown, IsRecognisedByItsContent) {
  EXPECT_EQ(guess_format("x.pds", kTwoThreads), find_format("pds"));
  EXPECT_EQ(guess_format("x", kTwoThreads), find_format("pds"));
  EXPECT_EQ(guess_format("x", "4 5\n0 0 -> 0 0\n"), find_format("tts"));
}

TEST(Pushdown, SymbolsOutsideOfTheRangeAreUsedWithOneWarningPerThread) {
  const PushdownFile file =
      parsed<model::PushdownSystem>("pds", "1\nPDA 1 2\n0 3 -> 0 4\nPDA 1 2\n0 1 -> 0 2 9\n");
  EXPECT_THAT(
      brief(file.warnings),
      ElementsAre("3:3 '3' thread 0 uses stack symbol 3, which is outside of its declared range",
                  "5:12 '9' thread 1 uses stack symbol 9, which is outside of its declared range"));
  EXPECT_EQ(file.model.transitions.size(), 2U);
}

TEST(Pushdown, MistakesAreNamed) {
  EXPECT_THAT(brief(errors("pds", "3\n0 1 -> 0 1\n")),
              ElementsAre("2:1 '0' expected 'PDA', found '0'"));
  EXPECT_THAT(brief(errors("pds", "0\n")), ElementsAre("1:1 '0' the number of shared states is 0"));
  EXPECT_THAT(brief(errors("pds", "1\n")), ElementsAre("0:0 '' there is no thread"));
  EXPECT_THAT(brief(errors("pds", "2\nPDA 3 1\n")),
              ElementsAre("2:5 '3' the last stack symbol is below the first"));
  EXPECT_THAT(
      brief(errors("pds",
                   "2\nPDA 0 3\n2 1 -> 0 -\n0 1 0 -\n0 1 -> 0\n0 1 -> 0 1 1 1\n"
                   "0 - -> 0 1 1\n0 1 -> 1 - 1\n0 99999999999 -> 0 -\n")),
      ElementsAre("3:1 '2' shared state '2' is out of range", "4:5 '0' expected '->', found '0'",
                  "5:9 '' expected a stack symbol, found the end of the line",
                  "6:14 '1' a rule writes at most two symbols, and one onto the empty stack",
                  "7:12 '1' a rule writes at most two symbols, and one onto the empty stack",
                  "8:12 '1' expected the end of the line, found '1'",
                  "9:3 '99999999999' a stack symbol is too large: '99999999999'"));
}

std::string target_again(const std::string& text) {
  const model::PushdownSystem model = parsed<model::PushdownSystem>("pds", kTwoThreads).model;
  const auto regions = parse_targets(model, {"--target", text});
  if (!regions) return brief(regions.error().front());
  std::string out;
  for (const model::VisibleState& region : *regions)
    out += model::target_to_string(model, region) + ";";
  return out;
}

TEST(Pushdown, TargetsAreVisibleStates) {
  EXPECT_EQ(target_again("3|1,-"), "3|1,-;");
  EXPECT_EQ(target_again("0|*,77\n 1| - , *"), "0|*,77;1|-,*;");
  EXPECT_EQ(target_again("4|1,1"), "1:1 '4' shared state '4' is out of range");
  EXPECT_EQ(target_again("3|1"), "1:3 '1' there are 1 tops for 2 threads");
  EXPECT_THAT(target_again("3|1,x"), HasSubstr("expected a stack symbol or '-', found 'x'"));
  EXPECT_THAT(target_again("3 1"), HasSubstr("expected '|'"));
}

TEST(Pushdown, InitialStatesHaveNoWildcards) {
  const model::PushdownSystem model = parsed<model::PushdownSystem>("pds", kTwoThreads).model;
  const auto regions = parse_initial(model, {"--initial", "0|1,-"});
  ASSERT_TRUE(regions);
  EXPECT_EQ(model::initial_to_string(model, regions->front()), "0|1,-");
  EXPECT_FALSE(parse_initial(model, {"--initial", "0|1,*"}));
}

}  // namespace
}  // namespace heddle::frontend::pushdown_test
