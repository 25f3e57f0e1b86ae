#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsing.hpp"

namespace heddle::frontend::spec_diagnostics_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> problems(const std::string& text) { return brief(errors("spec", text)); }
std::string hint(const std::string& text) { return errors("spec", text).at(0).hint; }

TEST(SpecDiagnostics, Sections) {
  EXPECT_THAT(problems(""), ElementsAre("0:0 '' the file is empty"));
  EXPECT_THAT(problems("3|1,2"), ElementsAre("1:1 '3' expected 'vars', found '3'"));
  EXPECT_THAT(problems("vars p"),
              ElementsAre("1:7 '' expected 'rules', found the end of the text"));
  EXPECT_THAT(problems("vars p init p = 0"),
              ElementsAre("1:8 'init' expected 'rules', found 'init'"));
  EXPECT_THAT(problems("vars p rules target p >= 1 init p = 0"),
              ElementsAre("1:28 'init' expected the next section, found 'init'"));
  EXPECT_EQ(hint(""), "the sections are vars, rules, init, target, invariants, in this order");
}

TEST(SpecDiagnostics, Places) {
  EXPECT_THAT(problems("vars p, p true 2\nrules"),
              ElementsAre("1:7 ',' expected a place or 'rules', found ','",
                          "1:9 'p' place 'p' is declared twice",
                          "1:11 'true' expected a place or 'rules', found 'true'",
                          "1:16 '2' expected a place or 'rules', found '2'"));
  EXPECT_EQ(hint("vars p, q"), "places are letters, digits and '_', separated by blanks");
}

TEST(SpecDiagnostics, UnknownPlacesComeWithASuggestion) {
  const std::string text = "vars lock unlock\nrules\nlokc >= 1, lock >= 1 -> zebra' = 1;";
  EXPECT_THAT(problems(text), ElementsAre("3:1 'lokc' there is no place 'lokc'",
                                          "3:25 'zebra' there is no place 'zebra'"));
  EXPECT_EQ(hint(text), "did you mean 'lock'?");
  EXPECT_EQ(errors("spec", text).at(1).hint, "the section 'vars' lists the places");
}

TEST(SpecDiagnostics, EveryBrokenRuleIsReported) {
  EXPECT_THAT(problems("vars p q\nrules\n"
                       "p > 1 -> ;\n"
                       "p >= -> ;\n"
                       "p >= 1 q >= 1 -> ;\n"
                       "p >= 1 -> p = 1;\n"
                       "p >= 1 -> p' = p - q;\n"
                       "p >= 1 -> p' = p - 1, ;\n"
                       "p in [1 3] -> ;\n"
                       "p in [3,1] -> ;\n"
                       "p = 1, p >= 1 -> ;\n"
                       "p >= 12x -> ;\n"
                       "init p = 1"),
              ElementsAre("3:3 '>' expected '=', '>=' or 'in', found '>'",
                          "4:6 '->' expected a number, found '->'",
                          "5:8 'q' expected ',' or '->', found 'q'",
                          "6:13 '=' expected ''' behind the updated place, found '='",
                          "7:20 'q' expected a number behind '-', found 'q'",
                          "8:23 ';' expected a place, found ';'", "9:9 '3' expected ',', found '3'",
                          "10:1 'p' no number of tokens in 'p' satisfies this",
                          "11:8 'p' place 'p' is constrained twice",
                          "12:6 '12x' expected a number, found '12x'"));
}

TEST(SpecDiagnostics, AMissingTerminator) {
  EXPECT_THAT(problems("vars p rules true -> p' = p + 1 init p = 0"),
              ElementsAre("1:33 'init' expected ',' or ';', found 'init'"));
  EXPECT_EQ(hint("vars p rules true -> p' = p + 1 init p = 0"),
            "a rule is 'guard, guard -> update, update;', for example 'p >= 1 -> p' = p - 1, q' = "
            "q + 1;'");
}

TEST(SpecDiagnostics, InitIsOneConjunction) {
  EXPECT_THAT(problems("vars p q rules init p = 1 q = 1 target p >= 2, q"),
              ElementsAre("1:27 'q' expected ',' or the next section, found 'q'",
                          "1:49 '' expected '=', '>=' or 'in', found the end of the text"));
  EXPECT_THAT(problems("vars p rules init target p >= 1"),
              ElementsAre("1:19 'target' expected a place, found 'target'"));
  EXPECT_THAT(problems("vars p rules init p = 1 target"),
              ElementsAre("1:31 '' expected a place, found the end of the text"));
}

TEST(SpecDiagnostics, Invariants) {
  EXPECT_THAT(problems("vars p q rules invariants p = 1, p = 2"),
              ElementsAre("1:34 'p' place 'p' has two weights"));
  EXPECT_THAT(problems("vars p q rules invariants p >= 1"),
              ElementsAre("1:29 '>=' expected '=', found '>='"));
}

TEST(SpecDiagnostics, StopsAfterTwenty) {
  std::string text = "vars p rules ";
  for (int i = 0; i < 1000; ++i) text += "x >= 1 -> ;\n";
  EXPECT_EQ(errors("spec", text).size(), 21u);
}

}  // namespace
}  // namespace heddle::frontend::spec_diagnostics_test
