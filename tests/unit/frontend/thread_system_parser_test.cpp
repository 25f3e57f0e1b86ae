#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "parsing.hpp"

namespace heddle::frontend::thread_system_parser_test {
namespace {

using model::StepKind;
using model::ThreadSystem;
using testing::ElementsAre;

ThreadSystem system(const std::string& text) {
  return parsed<model::ThreadSystem>("tts", text).model;
}

std::vector<std::string> problems(const std::string& text) { return brief(errors("tts", text)); }

TEST(ThreadSystemParser, ReadsTheThreeKindsOfEdge) {
  const ThreadSystem s = system("3 4\n0 1 -> 1 2\n1 2 +> 2 3\n2 0 ~> 0 3\n");
  EXPECT_EQ(s.shared_count, 3u);
  EXPECT_EQ(s.local_count, 4u);
  ASSERT_EQ(s.transitions.size(), 3u);
  EXPECT_EQ(s.transitions[0].kind, StepKind::Move);
  EXPECT_EQ(s.transitions[0].source.shared.value, 0u);
  EXPECT_EQ(s.transitions[0].source.local.value, 1u);
  EXPECT_EQ(s.transitions[0].target.shared.value, 1u);
  EXPECT_EQ(s.transitions[0].target.local.value, 2u);
  EXPECT_EQ(s.transitions[1].kind, StepKind::Spawn);
  EXPECT_EQ(s.transitions[2].kind, StepKind::Transfer);
  EXPECT_EQ(s.transitions[2].line, 4u);
}

TEST(ThreadSystemParser, SortsPassiveMovesAndDropsRepeatedOnes) {
  const ThreadSystem s = system("1 5\n0 0->0 1 3~>2 1 ~> 4  3 ~> 1 1 ~> 4\n");
  const auto& passive = s.transitions.at(0).passive;
  ASSERT_EQ(passive.size(), 3u);
  EXPECT_EQ(passive[0], (model::PassiveMove{model::LocalState(1u), model::LocalState(4u)}));
  EXPECT_EQ(passive[1], (model::PassiveMove{model::LocalState(3u), model::LocalState(1u)}));
  EXPECT_EQ(passive[2], (model::PassiveMove{model::LocalState(3u), model::LocalState(2u)}));
}

TEST(ThreadSystemParser, LinesGivenTwiceAreTwoTransitions) {
  const ThreadSystem s = system("1 2\n0 0 -> 0 1 1 ~> 0\n0 0 -> 0 1\n0 0 -> 0 1\n");
  ASSERT_EQ(s.transitions.size(), 3u);
  EXPECT_FALSE(s.transitions[0].same_step(s.transitions[1]));
  EXPECT_TRUE(s.transitions[1].same_step(s.transitions[2]));
}

TEST(ThreadSystemParser, ManyStatesCostNothing) {
  const ThreadSystem s = system("4000000000 4294967295\n3999999999 0 -> 0 4294967294\n");
  EXPECT_EQ(s.transitions.at(0).target.local.value, 4294967294u);
}

TEST(ThreadSystemParser, LineEndsOfOtherSystemsAndAMissingLastOne) {
  const ThreadSystem s = system("\xEF\xBB\xBF\r\n2 2\r\n\r\n0 0 -> 1 1\r\n1 1 -> 0 0");
  EXPECT_EQ(s.transitions.size(), 2u);
  EXPECT_EQ(s.transitions.at(1).line, 5u);
}

TEST(ThreadSystemParser, CommentsAboveAndBesideAnEdgeAreItsNote) {
  const ThreadSystem s = system(
      "# about the file\n2 2 # counts\n# lock\n#\n#   take it\n\n0 0 -> 1 1 # fast\n1 1 -> 0 0\n"
      "# last words\n");
  EXPECT_EQ(s.transitions.at(0).note, "lock\ntake it\nfast");
  EXPECT_EQ(s.transitions.at(1).note, "");
}

TEST(ThreadSystemParser, AProgramCounterHeadsAllItsEdges) {
  const ThreadSystem s = system(
      "1 2\n# BP-PC1: GOTO at line 5\n# m=0\n0 0 -> 0 1\n# m=1\n0 1 -> 0 0\n0 0 -> 0 0\n"
      "# BP-PC2: ASSIGN at line 6\n0 1 -> 0 1\n");
  EXPECT_EQ(s.transitions.at(0).note, "BP-PC1: GOTO at line 5\nm=0");
  EXPECT_EQ(s.transitions.at(1).note, "BP-PC1: GOTO at line 5\nm=1");
  EXPECT_EQ(s.transitions.at(2).note, "BP-PC1: GOTO at line 5");
  EXPECT_EQ(s.transitions.at(3).note, "BP-PC2: ASSIGN at line 6");
}

TEST(ThreadSystemParser, CommentsNameStates) {
  const ThreadSystem s = system(
      "# shared state 1: m=1 ts=0\n# local state 0: pc=0\n3 2\n# shared state 0: m=0\n"
      "0 0 -> 1 1\n# local state 7: nowhere\n# shared state x: no\n# local state 1:\n");
  EXPECT_THAT(s.shared_names, ElementsAre("m=0", "m=1 ts=0"));
  EXPECT_THAT(s.local_names, ElementsAre("pc=0"));
  EXPECT_EQ(s.transitions.at(0).note, "");
}

TEST(ThreadSystemParser, ANameCannotAskForMuchMemory) {
  const ThreadSystem s =
      system("# local state 4000000000: far\n# local state 65535: near\n1 4294967295\n");
  ASSERT_EQ(s.local_names.size(), 65536u);
  EXPECT_EQ(s.local_names.back(), "near");
}

TEST(ThreadSystemParser, NotesAreMadePrintable) {
  EXPECT_EQ(system("1 1\n# caf\xE9 \x1b[2J\n0 0 -> 0 0\n").transitions.at(0).note, "caf? ?[2J");
}

TEST(ThreadSystemDiagnostics, EmptyFiles) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    EXPECT_THAT(problems(text), ElementsAre("0:0 '' the file has no header"));
  EXPECT_EQ(errors("tts", "").at(0).hint,
            "the first line gives the number of shared and of local states, for example '7 5'");
}

TEST(ThreadSystemDiagnostics, Headers) {
  EXPECT_THAT(problems("x 2\n"),
              ElementsAre("1:1 'x' expected the number of shared states, found 'x'"));
  EXPECT_THAT(problems("2\n0 0 -> 0 0\n"),
              ElementsAre("1:2 '' expected the number of local states, found the end of the line"));
  EXPECT_THAT(problems("2 2 0 0 -> 1 1\n"),
              ElementsAre("1:5 '0' expected the end of the header line, found '0'"));
  EXPECT_THAT(problems("0 2\n"), ElementsAre("1:1 '0' the number of shared states is 0"));
  EXPECT_THAT(problems("2 0\n"), ElementsAre("1:3 '0' the number of local states is 0"));
  EXPECT_THAT(
      problems("2 4294967296"),
      ElementsAre("1:3 '4294967296' the number of local states is too large: '4294967296'"));
  EXPECT_EQ(errors("tts", "2 4294967296").at(0).hint, "at most 4294967295 are possible");
}

TEST(ThreadSystemDiagnostics, RangesNameTheirBounds) {
  const auto found = errors("tts", "2 3\n  2 0 -> 1 3 5 ~> 99999999999999\n");
  EXPECT_THAT(brief(found),
              ElementsAre("2:3 '2' shared state '2' is out of range",
                          "2:12 '3' local state '3' is out of range",
                          "2:14 '5' local state '5' is out of range",
                          "2:19 '99999999999999' local state '99999999999999' is out of range"));
  EXPECT_EQ(found.at(0).hint, "the shared states are 0 to 1");
  EXPECT_EQ(found.at(1).hint, "the local states are 0 to 2");
  EXPECT_EQ(found.at(1).line_text, "  2 0 -> 1 3 5 ~> 99999999999999");
  EXPECT_EQ(found.at(1).location.file, "file");
}

TEST(ThreadSystemDiagnostics, EveryBrokenLineIsReported) {
  EXPECT_THAT(
      problems("2 2\n0 -> 1 1\n0 0 => 1 1\n0 0 1 1\n0 0 -> 1\n0 0 -> 1 1 1\n0 0 -> 1 1 1 ~>\n0 0 "
               "-> 1 1 x"),
      ElementsAre("2:3 '->' expected the number of a local state, found '->'",
                  "3:5 '=' expected '->', '+>' or '~>', found '='",
                  "4:5 '1' expected '->', '+>' or '~>', found '1'",
                  "5:9 '' expected the number of a local state, found the end of the line",
                  "6:13 '' expected '~>' of a passive transfer, found the end of the line",
                  "7:16 '' expected the number of a local state, found the end of the line",
                  "8:12 'x' expected the end of the line, found 'x'"));
}

TEST(ThreadSystemDiagnostics, PassiveTransfersNeedAnActiveThread) {
  const auto found = errors("tts", "2 2\n0 0 +> 1 1 0 ~> 1\n0 0 ~> 1 1 0 ~> 1\n");
  EXPECT_THAT(brief(found), ElementsAre("2:12 '0' expected the end of the line, found '0'",
                                        "3:12 '0' expected the end of the line, found '0'"));
  EXPECT_EQ(found.at(0).hint, "passive transfers can follow only a '->' edge");
}

TEST(ThreadSystemDiagnostics, GarbageIsShownSafely) {
  const std::string text =
      "2 2\n0 0 -> 1 1\n" + std::string("\0\x1b\xff", 3) + "\n-1 0 -> 1 1\n12a 0 -> 0 0\n";
  const auto found = errors("tts", text);
  EXPECT_THAT(brief(found),
              ElementsAre("3:1 '?' expected the number of a shared state, found '?'",
                          "4:1 '-' expected the number of a shared state, found '-'",
                          "5:1 '12a' expected the number of a shared state, found '12a'"));
  EXPECT_EQ(found.at(0).line_text, "???");
}

TEST(ThreadSystemDiagnostics, LongWordsAreShortened) {
  const auto found = errors("tts", std::string(1000, 'a'));
  EXPECT_EQ(found.at(0).offending, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...");
  EXPECT_EQ(found.at(0).line_text.size(), 1000u);
}

TEST(ThreadSystemDiagnostics, StopsAfterTwenty) {
  std::string text = "2 2\n";
  for (int i = 0; i < 1000; ++i) text += "x\n";
  const auto found = errors("tts", text);
  ASSERT_EQ(found.size(), 21u);
  EXPECT_EQ(found.back().message, "too many errors, the rest was not read");
}

}  // namespace
}  // namespace heddle::frontend::thread_system_parser_test
