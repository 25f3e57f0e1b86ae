#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "frontend/petri/pnet.hpp"
#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::pnet_test {
namespace {

using testing::ElementsAre;

const std::string kNet =
    "petri net { places { p q r } transitions { t } arcs { p -> t -> q } initial { p } }\n";

std::vector<std::string> targets(const std::string& formula) {
  const auto file = petri::parse_pnet({"file", kNet + "safety property {\n" + formula + "\n}"});
  if (!file) return brief(file.error());
  std::vector<std::string> out;
  for (const model::Region& region : file->targets)
    out.push_back(model::target_to_string(file->model, region));
  return out;
}

std::vector<std::string> problems(const std::string& text) { return brief(errors("pnet", text)); }

/// In the language of MIST, where every step is written out.
std::string as_spec(const std::string& text) {
  return find_format("spec")->print(parsed<model::PetriNet>("pnet", text));
}

TEST(Pnet, ReadsEverySection) {
  const auto file = parsed<model::PetriNet>(
      "pnet",
      "/* a\n net */ petri net \"n 1\" { places { p, q r, } // all\n transitions t\n"
      "  initial { p[3] r } arcs { {p r} ->[2] t -> {q r} } }");
  EXPECT_EQ(find_format("spec")->print(file),
            "vars\n    p\n    q\n    r\n\nrules\n# t\n"
            "    p >= 2, r >= 2 -> p' = p - 2, q' = q + 1, r' = r - 1;\n"
            "\ninit\n    p = 3, q = 0, r = 1\n");
  EXPECT_EQ(file.model.transitions[0].name, "t");
  EXPECT_TRUE(file.targets.empty());
}

TEST(Pnet, SectionsComeInAnyOrderAndAddUp) {
  EXPECT_EQ(as_spec("petri net { arcs { p -> t p -> t } initial p initial { p p[2] }\n"
                    "  transitions t places p }"),
            "vars\n    p\n\nrules\n# t\n    p >= 2 -> p' = p - 2;\n\ninit\n    p = 4\n");
}

TEST(Pnet, NamesMayStandInQuotes) {
  const auto file = parsed<model::PetriNet>(
      "pnet",
      "petri net { places \"a b\" transitions \"->\" arcs \"a b\" -> \"->\" }\n"
      "safety property \"none\" { \"a b\" > 2 }");
  EXPECT_THAT(file.model.places, ElementsAre("a b"));
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("pnet"), file), "");
}

TEST(Pnet, ClaimsAboutTrapsAreNotUsed) {
  const auto file =
      parsed<model::PetriNet>("pnet", "petri net { places { p q } trap { p q } siphon p }");
  EXPECT_THAT(brief(file.warnings), ElementsAre("1:28 'trap' this trap is not used",
                                                "1:41 'siphon' this siphon is not used"));
}

TEST(PnetFormulas, ComparisonsBoundPlaces) {
  EXPECT_THAT(targets("p >= 2"), ElementsAre("p>=2"));
  EXPECT_THAT(targets("p > 2"), ElementsAre("p>=3"));
  EXPECT_THAT(targets("2 < p"), ElementsAre("p>=3"));
  EXPECT_THAT(targets("p = 2"), ElementsAre("p=2"));
  EXPECT_THAT(targets("p <= 2"), ElementsAre("p in [0,2]"));
  EXPECT_THAT(targets("p < 1"), ElementsAre("p=0"));
  EXPECT_THAT(targets("p != 2"), ElementsAre("p>=3", "p in [0,1]"));
  EXPECT_THAT(targets("2 * p + 1 >= 6 - p"), ElementsAre("p>=2"));
  EXPECT_THAT(targets("-(p - 7) >= 0"), ElementsAre("p in [0,7]"));
  EXPECT_THAT(targets("p + 0 * q >= 1"), ElementsAre("p>=1"));
}

TEST(PnetFormulas, ConnectivesMakeUnionsOfBoxes) {
  EXPECT_THAT(targets("p >= 1 && q >= 2 || r >= 3"), ElementsAre("p>=1, q>=2", "r>=3"));
  EXPECT_THAT(targets("r >= 3 && (p >= 1 || q >= 2)"), ElementsAre("p>=1, r>=3", "q>=2, r>=3"));
  EXPECT_THAT(targets("!(p < 1 || q < 2)"), ElementsAre("p>=1, q>=2"));
  EXPECT_THAT(targets("!(p < 1 && !(q >= 2))"), ElementsAre("p>=1", "q>=2"));
  EXPECT_THAT(targets("p >= 1 && p <= 3 && p >= 2"), ElementsAre("p in [2,3]"));
  EXPECT_THAT(targets("(p >= 2 && p <= 1) || q = 0"), ElementsAre("q=0"));
  EXPECT_THAT(targets("true && p >= 1 || false"), ElementsAre("p>=1"));
}

TEST(PnetFormulas, LowerBoundsOnSumsAreUnions) {
  EXPECT_THAT(targets("p + q >= 1"), ElementsAre("q>=1", "p>=1"));
  EXPECT_THAT(targets("p + q + r >= 2"),
              ElementsAre("r>=2", "q>=1, r>=1", "q>=2", "p>=1, r>=1", "p>=1, q>=1", "p>=2"));
  EXPECT_THAT(targets("2 * p + 3 * q >= 4"), ElementsAre("q>=2", "p>=1, q>=1", "p>=2"));
  EXPECT_THAT(targets("!(p + q < 1)"), ElementsAre("q>=1", "p>=1"));
  EXPECT_THAT(targets("p + q <= 0"), ElementsAre("p=0, q=0"));
  EXPECT_THAT(targets("p + q >= 0 && r >= 1"), ElementsAre("r>=1"));
}

TEST(PnetFormulas, SafetyPropertiesAddUp) {
  const auto file = parsed<model::PetriNet>(
      "pnet", kNet + "safety property a { p >= 2 } safety property { q >= 1 }");
  EXPECT_EQ(file.targets.size(), 2u);
}

TEST(PnetFormulas, WhatIsNoUnionOfBoxesIsACondition) {
  EXPECT_THAT(targets("p >= 1 && p >= q"), ElementsAre("p>=1, p >= q"));
  EXPECT_THAT(targets("p + q <= 7"), ElementsAre("p + q <= 7"));
  EXPECT_THAT(targets("p + q = r || p >= 3"), ElementsAre("(p + q >= r && r >= p + q)", "p>=3"));
  EXPECT_THAT(targets("p - q >= 3"), ElementsAre("p >= q + 3"));
  EXPECT_THAT(targets("p - q >= -3"), ElementsAre("p + 3 >= q"));
  EXPECT_THAT(targets("p + q + r >= 1000000000000000000000"),
              ElementsAre("p + q + r >= 1000000000000000000000"));
  EXPECT_THAT(targets("(p = 0 || q = 0) && (q = 0 || r = 0)"),
              ElementsAre("((p <= 0 || q <= 0) && (q <= 0 || r <= 0))"));
  EXPECT_THAT(targets("p >= 2 && p <= 1"), ElementsAre("false"));
  EXPECT_THAT(targets("p * q >= 7"),
              ElementsAre("3:3 '*' this is not a linear question about markings: it multiplies "
                          "places"));
}

TEST(PnetFormulas, Mistakes) {
  EXPECT_THAT(targets("p >= x"), ElementsAre("3:6 'x' there is no place 'x'"));
  EXPECT_THAT(targets("p + 1"), ElementsAre("3:1 'p' 'p' needs a condition"));
  EXPECT_THAT(targets("(p >= 1) + 1 >= 2"),
              ElementsAre("3:10 '+' '+' needs numbers on both sides"));
  EXPECT_THAT(targets("p && q >= 1"), ElementsAre("3:3 '&&' '&&' needs conditions on both sides"));
  EXPECT_THAT(targets("(p >= 1"), ElementsAre("4:1 '}' expected an operator or ')', found '}'"));
  EXPECT_THAT(targets("p >="), ElementsAre("4:1 '}' expected a place, a number or '(', found '}'"));
}

TEST(PnetFormulas, DepthIsLimited) {
  std::string nested = "p >= 1";
  for (int i = 0; i < 150; ++i) nested = "(" + nested + ")";
  EXPECT_THAT(targets(nested), ElementsAre("p>=1"));
  for (const char* opening : {"(", "!", "-"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += opening;
    const auto found = targets(deep);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0], testing::HasSubstr("the formula is nested more than 200 deep"));
  }
}

TEST(PnetDiagnostics, OtherPropertiesAreNamedAndPassedOver) {
  const auto file =
      parsed<model::PetriNet>("pnet", kNet +
                                          "liveness property \"l\" { p = 1 && (t > 0) }\n"
                                          "safety property { p >= 2 }\n"
                                          "structural property { }");
  EXPECT_THAT(brief(file.warnings),
              ElementsAre("2:1 'liveness' this liveness property is not looked at",
                          "4:1 'structural' this structural property is not looked at"));
  ASSERT_EQ(file.targets.size(), 1u);
  EXPECT_EQ(model::target_to_string(file.model, file.targets[0]), "p>=2");
  EXPECT_THAT(problems(kNet + "liveness property { p = 1"),
              ElementsAre("2:26 '' expected '}', found the end of the text"));
  EXPECT_THAT(problems(kNet + "liveness { p = 1 }"),
              ElementsAre("2:10 '{' expected 'property', found '{'"));
}

TEST(PnetDiagnostics, Nets) {
  EXPECT_THAT(problems(""), ElementsAre("0:0 '' the file is empty"));
  EXPECT_THAT(problems("petri n"), ElementsAre("1:7 'n' expected 'net', found 'n'"));
  EXPECT_THAT(problems("petri net { place p }"),
              ElementsAre("1:13 'place' expected a section or '}', found 'place'"));
  EXPECT_THAT(problems("petri net { places { p p \"\" } transitions p }"),
              ElementsAre("1:24 'p' 'p' is declared twice", "1:26 '' a name is empty",
                          "1:43 'p' 'p' is declared twice"));
  EXPECT_THAT(
      problems("petri net { places { p q } transitions { t u } "
               "arcs { p -> q t -> u p -> tt } initial x }"),
      ElementsAre("1:60 'q' an arc joins two places", "1:67 'u' an arc joins two transitions",
                  "1:74 'tt' there is no place or transition 'tt'",
                  "1:87 'x' there is no place or transition 'x'"));
  EXPECT_THAT(problems("petri net { arcs { p } }"),
              ElementsAre("1:22 '}' expected '->', found '}'"));
  EXPECT_THAT(problems("petri net { places { \"a\\\\n\" \"\x01\" \"b"),
              ElementsAre("1:33 '\"' expected a name, found '\"'"));
  EXPECT_THAT(problems("petri net { places { \"a\\\\n\" \"\x01\" } }"),
              ElementsAre("1:22 'a\\\\n' a name holds an escape: 'a\\\\n'",
                          "1:29 '?' a name holds what cannot be shown: '?'"));
}

TEST(PnetPrinting, SaysWhatItCannotHold) {
  const auto why = [](const std::string& spec) {
    return find_format("pnet")->cannot_print(parsed<model::PetriNet>("spec", spec)).value_or("");
  };
  EXPECT_EQ(why("vars p rules p >= 1 -> p' = 0; init p = 1"),
            "transition 0 has no arcs that say what it does: it resets or transfers tokens");
  EXPECT_EQ(why("vars p rules p = 1 -> p' = p + 1; init p = 1"),
            "transition 0 has no arcs that say what it does: it bounds a place from above");
  EXPECT_EQ(why("vars p rules init p >= 1"),
            "place p may start with several numbers of tokens, the format has one initial marking");
  EXPECT_EQ(why("vars p rules"), "it has no initial marking");
  EXPECT_EQ(why("vars p rules p >= 1 -> p' = p - 2; init p = 1"), "");
  EXPECT_EQ(find_format("pnet")->cannot_print(ThreadFile{}),
            "it is a thread system, the format holds Petri nets");
}

}  // namespace
}  // namespace heddle::frontend::pnet_test
