#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsing.hpp"

namespace heddle::frontend::net_notation_test {
namespace {

using testing::ElementsAre;

const model::PetriNet kNet = [] {
  model::PetriNet net;
  net.places = {"idle", "busy", "done"};
  return net;
}();

std::vector<std::string> targets(const std::string& text) {
  const auto regions = parse_targets(kNet, {"--target", text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions) out.push_back(model::target_to_string(kNet, region));
  return out;
}

std::vector<std::string> initial(const std::string& text) {
  const auto regions = parse_initial(kNet, {"--initial", text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions)
    out.push_back(model::initial_to_string(kNet, region));
  return out;
}

TEST(NetTargets, AreConjunctions) {
  EXPECT_THAT(targets("busy>=2"), ElementsAre("busy>=2"));
  EXPECT_THAT(targets("done=0, idle in [1,3],\n busy >= 1"),
              ElementsAre("idle in [1,3], busy>=1, done=0"));
}

TEST(NetTargets, SeveralMeanAnyOfThem) {
  EXPECT_THAT(targets("# bad\nbusy>=2; idle>=1\n\ndone>=1"),
              ElementsAre("busy>=2", "idle>=1", "done>=1"));
}

TEST(NetTargets, Mistakes) {
  EXPECT_THAT(targets(""), ElementsAre("0:0 '' nothing is given"));
  EXPECT_THAT(targets("buzy>=2, busy"),
              ElementsAre("1:1 'buzy' there is no place 'buzy'",
                          "1:14 '' expected '=', '>=' or 'in', found the end of the text"));
  EXPECT_THAT(targets("busy>=2 done>=1"),
              ElementsAre("1:9 'done' expected ',' or ';', found 'done'"));
  EXPECT_THAT(targets("3|1"), ElementsAre("1:1 '3' expected a place, found '3'"));
  EXPECT_EQ(parse_targets(kNet, {"", "buzy>=2"}).error().at(0).hint, "did you mean 'busy'?");
}

TEST(NetTargets, MayBeQuestionsOfLola) {
  EXPECT_THAT(targets("EF (busy >= 2 AND idle >= 1 OR done > 0)"),
              ElementsAre("idle>=1, busy>=2", "done>=1"));
  EXPECT_THAT(targets("{ never }\nFORMULA AG busy <= 1;"), ElementsAre("busy>=2"));
  EXPECT_THAT(targets("EF buzy >= 2"), ElementsAre("1:4 'buzy' there is no place 'buzy'"));
  EXPECT_THAT(targets("EF FIREABLE(t)"), ElementsAre("1:13 't' there is no transition 't'"));
  EXPECT_THAT(targets("AF busy >= 2"),
              ElementsAre("1:1 'AF' 'AF' does not ask what can be reached"));
}

TEST(NetTargets, APlaceMayBeCalledLikeAnOperator) {
  model::PetriNet net;
  net.places = {"EF"};
  const model::PetriNet& model = net;
  for (const char* text : {"EF >= 2", "EF=2", "EF in [2,3]"})
    EXPECT_TRUE(parse_targets(model, {"--target", text})) << text;
}

TEST(NetInitial, WhatIsNotListedIsEmpty) {
  EXPECT_THAT(initial("idle=1, busy=0, done>=0"), ElementsAre("idle=1, done>=0"));
  EXPECT_THAT(initial("idle=1;busy=2"), ElementsAre("idle=1", "busy=2"));
  EXPECT_THAT(initial("idle=0"), ElementsAre("idle=0"));
}

TEST(NetInitial, Mistakes) {
  EXPECT_THAT(initial(";"), ElementsAre("0:0 '' nothing is given"));
  EXPECT_THAT(initial("true"), ElementsAre("1:1 'true' expected a place, found 'true'"));
  EXPECT_THAT(initial("idle=1, idle=2"),
              ElementsAre("1:9 'idle' place 'idle' is constrained twice"));
}

}  // namespace
}  // namespace heddle::frontend::net_notation_test
