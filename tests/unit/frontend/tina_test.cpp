#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/petri/tina.hpp"
#include "fuzz/difference.hpp"
#include "parsing.hpp"

namespace heddle::frontend::tina_test {
namespace {

using model::CounterBound;
using model::PlaceId;
using testing::ElementsAre;

std::vector<std::string> problems(const std::string& text) { return brief(errors("net", text)); }

model::PetriTransition only_transition(const std::string& text) {
  const auto file = parsed<model::PetriNet>("net", text);
  if (file.model.transitions.size() == 1) return file.model.transitions[0];
  ADD_FAILURE() << "there should be one transition: " << text;
  return {};
}

TEST(Tina, ReadsNets) {
  const auto file = parsed<model::PetriNet>("net",
                                            "# two\nnet {a net}\n"
                                            "tr t1 : label [0,w[ p1 p2*2 -> p3 {p 4}*3\n"
                                            "pl p1 : {a \\} b} (2K) t2 -> t1*2\n"
                                            "tr t2\n"
                                            "lb p1 other nt n 0 {a remark}\n"
                                            "pl p3 (1)\n");
  const auto& net = file.model;
  EXPECT_THAT(net.places, ElementsAre("p1", "p2", "p3", "p 4"));
  ASSERT_EQ(net.transitions.size(), 2u);
  EXPECT_EQ(net.transitions[0].name, "t1");
  EXPECT_EQ(net.transitions[0].line, 3u);
  const std::vector<CounterBound> guard = {{PlaceId(0u), 3, std::nullopt},
                                           {PlaceId(1u), 2, std::nullopt}};
  EXPECT_EQ(net.transitions[0].guard, guard);
  EXPECT_EQ(net.transitions[0].updates.size(), 4u);
  EXPECT_EQ(net.transitions[1].updates.size(), 1u);
  EXPECT_EQ(model::initial_to_string(file.model, file.initial.at(0)), "p1=2000, p3=1");
  EXPECT_TRUE(file.targets.empty());
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("net"), file), "");
}

TEST(Tina, TestAndInhibitorArcsAreGuards) {
  const auto t = only_transition("tr t p?3 p?2 q?-3 q?-2 -> p");
  const std::vector<CounterBound> guard = {{PlaceId(0u), 3, std::nullopt},
                                           {PlaceId(1u), 0, base::Integer(1)}};
  EXPECT_EQ(t.guard, guard);
  ASSERT_EQ(t.updates.size(), 1u);
  EXPECT_EQ(t.updates[0].constant, 1);
  const auto taken = only_transition("tr t p*2 p?3 p?-5 ->");
  const std::vector<CounterBound> both = {{PlaceId(0u), 3, base::Integer(4)}};
  EXPECT_EQ(taken.guard, both);
  EXPECT_EQ(taken.updates.at(0).constant, -2);
  EXPECT_EQ(only_transition("tr t p -> pl p t -> t?2").guard.at(0).lower, 2);
}

TEST(Tina, NamesMayBeAnything) {
  const auto file = parsed<model::PetriNet>("net", "tr {tr} 7 a' {\\{x\\\\} -> {a\xC3\xA9 # b}");
  EXPECT_THAT(file.model.places, ElementsAre("7", "a'", "{x\\", "a\xC3\xA9 # b"));
  EXPECT_EQ(file.model.transitions[0].name, "tr");
  EXPECT_EQ(fuzz::round_trip_failure(*find_format("net"), file), "");
}

TEST(Tina, QuestionsStandInComments) {
  const auto file =
      parsed<model::PetriNet>("net", "# heddle: target p >= 2; q >= p\ntr t p -> q\n");
  ASSERT_EQ(file.targets.size(), 2u);
  EXPECT_EQ(model::target_to_string(file.model, file.targets[1]), "q >= p");
}

TEST(TinaDiagnostics, Mistakes) {
  EXPECT_THAT(problems(""), ElementsAre("0:0 '' the file is empty"));
  EXPECT_THAT(problems("places p"),
              ElementsAre("1:1 'places' expected a declaration ('tr', 'pl', 'net', 'nt', 'lb'), "
                          "found 'places'"));
  EXPECT_THAT(problems("tr t p\npl p"), ElementsAre("2:1 'pl' expected '->', found 'pl'"));
  EXPECT_THAT(problems("tr t p*x -> q"), ElementsAre("1:8 'x' expected a number, found 'x'"));
  EXPECT_THAT(problems("tr t p -> q?1"),
              ElementsAre("1:11 'q' a test or inhibitor arc leads to a place"));
  EXPECT_THAT(problems("tr t t -> q"), ElementsAre("1:6 't' 't' is declared twice"));
  EXPECT_THAT(problems("pl p (1)\npl p (2)"),
              ElementsAre("2:4 'p' the marking of 'p' is given twice"));
  EXPECT_THAT(problems("tr t p*2 p?-2 ->"),
              ElementsAre("1:10 'p' a transition needs the tokens in 'p' that inhibit it"));
  EXPECT_THAT(problems("pl {p (1)"),
              ElementsAre("1:4 '{' expected a place, found a comment that does not end"));
  EXPECT_THAT(problems("pl {}"), ElementsAre("1:4 '' a name is empty"));
}

TEST(TinaDiagnostics, TimeIsRefused) {
  for (const char* interval : {"[1,w[", "]0,w[", "[0,4]", "[0,w", "["})
    EXPECT_THAT(problems(std::string("tr t ") + interval + " p -> q").at(0),
                testing::HasSubstr("a transition has a time interval"));
  EXPECT_THAT(problems("tr t p!1 -> q"), ElementsAre("1:7 '!' stopwatch arcs cannot be read"));
  EXPECT_THAT(problems("tr t p!-1 -> q"), ElementsAre("1:7 '!-' stopwatch arcs cannot be read"));
  EXPECT_THAT(problems("tr t p -> q\npr t > u"), ElementsAre("2:1 'pr' priorities cannot be read"));
}

TEST(TinaPrinting, SaysWhatItCannotHold) {
  const auto why = [](const std::string& spec) {
    return find_format("net")->cannot_print(parsed<model::PetriNet>("spec", spec)).value_or("");
  };
  EXPECT_EQ(why("vars p rules p >= 1 -> p' = 0; init p = 1"),
            "transition 0 has no arcs that say what it does: it resets or transfers tokens");
  EXPECT_EQ(why("vars p rules p in [1,2] -> p' = p + 1; init p = 1"), "");
  EXPECT_EQ(why("vars p rules p in [0,1] -> p' = p - 2; init p = 1"),
            "transition 0 takes more tokens than its guard allows");
  EXPECT_EQ(why("vars p rules"), "it has no initial marking");
}

}  // namespace
}  // namespace heddle::frontend::tina_test
