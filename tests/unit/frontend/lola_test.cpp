#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "frontend/petri/lola.hpp"
#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::lola_test {
namespace {

using testing::ElementsAre;

constexpr std::string_view kNet =
    "PLACE a, b; MARKING a: 1; TRANSITION t CONSUME a: 1, b: 2; PRODUCE b: 3;\n";

std::vector<std::string> targets(const std::string& formula) {
  const auto file = petri::parse_lola({"file", std::string(kNet) + formula});
  if (!file) return brief(file.error());
  std::vector<std::string> out;
  for (const model::Region& region : file->targets)
    out.push_back(model::target_to_string(file->model, region));
  return out;
}

std::vector<std::string> problems(const std::string& text) { return brief(errors("lola", text)); }

TEST(Lola, ReadsNets) {
  const auto file =
      parsed<model::PetriNet>("lola",
                              "{ two\n lines } PLACE SAFE 3: a, b; SAFE: c-1.x; d;\n"
                              "MARKING a, b: 2;\n"
                              "TRANSITION t WEAK FAIR CONSUME a, b: 2; PRODUCE c-1.x: 3, a;\n"
                              "TRANSITION 2 CONSUME ; PRODUCE ;\n");
  const auto& net = file.model;
  EXPECT_THAT(net.places, ElementsAre("a", "b", "c-1.x", "d"));
  ASSERT_EQ(net.transitions.size(), 2u);
  EXPECT_EQ(net.transitions[1].name, "2");
  EXPECT_EQ(net.transitions[0].line, 4u);
  EXPECT_EQ(net.transitions[0].guard.size(), 2u);
  EXPECT_EQ(net.transitions[0].updates.size(), 2u);
  EXPECT_EQ(model::initial_to_string(file.model, file.initial.at(0)), "a=1, b=2");
  EXPECT_TRUE(file.targets.empty());
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("lola"), file), "");
}

TEST(Lola, NamesInTheNetMayHoldMostCharacters) {
  const auto file = parsed<model::PetriNet>("lola",
                                            "PLACE a, b##c, -; MARKING b##c: 2;\n"
                                            "TRANSITION <f.g<h>>=1 CONSUME; PRODUCE a;\n"
                                            "TRANSITION t{ a comment }CONSUME a; PRODUCE;\n"
                                            "TRANSITION -\"+\" CONSUME; PRODUCE;");
  const auto& net = file.model;
  EXPECT_THAT(net.places, ElementsAre("a", "b##c", "-"));
  ASSERT_EQ(net.transitions.size(), 3u);
  EXPECT_EQ(net.transitions[0].name, "<f.g<h>>=1");
  EXPECT_EQ(net.transitions[1].name, "t");
  EXPECT_EQ(net.transitions[2].name, "-\"+\"");
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("lola"), file), "");
  EXPECT_THAT(problems("PLACE a; MARKING;\nTRANSITION (t) CONSUME; PRODUCE;"),
              ElementsAre("2:12 '(' expected a transition, found '('"));
  EXPECT_THAT(problems("PLACE a; MARKING;\nTRANSITION CONSUME; PRODUCE;"),
              ElementsAre("2:12 'CONSUME' expected a transition, found 'CONSUME'"));
}

TEST(Lola, FormulasAskWhatCanBeReached) {
  EXPECT_THAT(targets("EF (a >= 1 AND b >= 0)"), ElementsAre("a>=1"));
  EXPECT_THAT(targets("EF (b >= 0)"), ElementsAre("true"));
  EXPECT_THAT(targets("FORMULA EXPATH EVENTUALLY (a > 1 OR b = 0);"), ElementsAre("a>=2", "b=0"));
  EXPECT_THAT(targets("FORMULA a>=1 AND NOT b>=2"), ElementsAre("a>=1, b in [0,1]"));
  EXPECT_THAT(targets("REACHABLE a # 0"), ElementsAre("a>=1"));
  EXPECT_THAT(targets("EF a + b >= 1"), ElementsAre("b>=1", "a>=1"));
}

TEST(Lola, AlwaysAsksForTheOpposite) {
  EXPECT_THAT(targets("AG (a < 2 AND b <> 0)"), ElementsAre("a>=2", "b=0"));
  EXPECT_THAT(targets("INVARIANT NOT (a >= 2)"), ElementsAre("a>=2"));
  EXPECT_THAT(targets("ALLPATH ALWAYS a <= 1"), ElementsAre("a>=2"));
}

TEST(Lola, FireableIsACondition) {
  EXPECT_THAT(targets("EF FIREABLE(t)"), ElementsAre("a>=1, b>=2"));
  EXPECT_THAT(targets("EF NOT FIREABLE(t)"), ElementsAre("a=0", "b in [0,1]"));
  EXPECT_THAT(targets("EF FIREABLE(u)"), ElementsAre("2:13 'u' there is no transition 'u'"));
}

TEST(Lola, OtherTemporalOperatorsAreNamed) {
  EXPECT_THAT(targets("AF a >= 1"), ElementsAre("2:1 'AF' 'AF' does not ask what can be reached"));
  EXPECT_THAT(targets("EF DEADLOCK"),
              ElementsAre("2:4 'DEADLOCK' 'DEADLOCK' cannot be part of a formula here"));
  EXPECT_THAT(targets("EF (EG a >= 1)"),
              ElementsAre("2:5 'EG' 'EG' cannot be part of a formula here"));
}

TEST(LolaDiagnostics, Nets) {
  EXPECT_THAT(problems(""), ElementsAre("0:0 '' the file is empty"));
  EXPECT_THAT(problems("PLACE a b; MARKING;"), ElementsAre("1:9 'b' expected ';', found 'b'"));
  EXPECT_THAT(problems("PLACE MARKINGS; TRANSITION t"),
              ElementsAre("1:17 'TRANSITION' expected a place, found 'TRANSITION'"));
  EXPECT_THAT(problems("PLACE a; MARKING a: x;"),
              ElementsAre("1:21 'x' expected a number, found 'x'"));
  EXPECT_THAT(
      problems("PLACE a, a; MARKING b; TRANSITION t CONSUME c; PRODUCE a;"),
      ElementsAre("1:10 'a' 'a' is declared twice", "1:21 'b' there is no place or transition 'b'",
                  "1:45 'c' there is no place or transition 'c'"));
  EXPECT_THAT(problems(std::string(kNet) + "TRANSITION t CONSUME; PRODUCE;"),
              ElementsAre("2:12 't' 't' is declared twice"));
  EXPECT_THAT(problems(std::string(kNet) + "EF a >= 1 EF b >= 1"),
              ElementsAre("2:11 'EF' expected the end of the file, found 'EF'"));
}

TEST(LolaPrinting, SaysWhichNamesItCannotWrite) {
  model::PetriNet net;
  const std::vector<model::Region> initial(1);
  net.places = {"a b"};
  EXPECT_EQ(find_format("lola")->cannot_print(NetFile{net, initial, {}, {}}),
            "the format cannot write the name of place 'a b'");
  net.places = {"PLACE"};
  EXPECT_TRUE(find_format("lola")->cannot_print(NetFile{net, initial, {}, {}}));
  net.places = {"7"};
  EXPECT_FALSE(find_format("lola")->cannot_print(NetFile{net, initial, {}, {}}));
  const model::Region target{model::SharedState(0u), {{model::PlaceId(0u), 1, std::nullopt}}};
  EXPECT_EQ(find_format("lola")->cannot_print(NetFile{net, initial, {target}, {}}),
            "the target names place '7', which is not a name in a formula");
  net.places = {"a#b"};
  EXPECT_FALSE(find_format("lola")->cannot_print(NetFile{net, initial, {}, {}}));
  EXPECT_TRUE(find_format("lola")->cannot_print(NetFile{net, initial, {target}, {}}));
}

}  // namespace
}  // namespace heddle::frontend::lola_test
