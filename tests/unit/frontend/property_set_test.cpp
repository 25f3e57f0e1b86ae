#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsing.hpp"

namespace heddle::frontend::property_set_test {
namespace {

using testing::ElementsAre;

const model::PetriNet kNet = [] {
  model::PetriNet net;
  net.places = {"p", "q", "r"};
  model::add_transition(net, "t", {{model::PlaceId(0u), 1}, {model::PlaceId(1u), 2}}, {});
  model::add_transition(net, "u", {{model::PlaceId(2u), 3}}, {});
  return net;
}();

std::string property(const std::string& formula, const std::string& id = "X-00") {
  return "<property>\n<id>" + id + "</id><description>d</description><formula>" + formula +
         "</formula></property>";
}

std::string property_set(const std::string& properties) {
  return "<?xml version='1.0'?><property-set xmlns='http://mcc.lip6.fr/'>" + properties +
         "</property-set>";
}

std::vector<std::string> targets(const std::string& name, const std::string& text) {
  const auto regions = parse_targets(kNet, {name, text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions) out.push_back(model::target_to_string(kNet, region));
  return out;
}

std::vector<std::string> asked(const std::string& formula) {
  return targets("x.xml", property_set(property(formula)));
}

std::string exists(const std::string& f) {
  return "<exists-path><finally>" + f + "</finally></exists-path>";
}
std::string always(const std::string& f) {
  return "<all-paths><globally>" + f + "</globally></all-paths>";
}
std::string negated(const std::string& f) { return "<negation>" + f + "</negation>"; }
std::string both(const std::string& f) { return "<conjunction>" + f + "</conjunction>"; }
std::string either(const std::string& f) { return "<disjunction>" + f + "</disjunction>"; }
std::string number(int n) {
  return "<integer-constant>" + std::to_string(n) + "</integer-constant>";
}
std::string tokens(const std::string& place) {
  return "<tokens-count><place>" + place + "</place></tokens-count>";
}
std::string le(const std::string& a, const std::string& b) {
  return "<integer-le>" + a + b + "</integer-le>";
}

std::string product(const std::string& factors) {
  return "<integer-product>" + factors + "</integer-product>";
}

TEST(PropertySet, ExistsAsksForTheCondition) {
  EXPECT_THAT(asked(exists(le(number(2), tokens("p")))), ElementsAre("p>=2"));
  EXPECT_THAT(asked(negated(exists(le(number(2), tokens("p"))))), ElementsAre("p>=2"));
  EXPECT_THAT(asked(exists(both(le(number(2), tokens("p")) + le(tokens("q"), number(3))))),
              ElementsAre("p>=2, q in [0,3]"));
  EXPECT_THAT(asked(exists(either(le(number(2), tokens("p")) + le(number(1), tokens("q"))))),
              ElementsAre("p>=2", "q>=1"));
}

TEST(PropertySet, AlwaysAsksForTheOpposite) {
  EXPECT_THAT(asked(always(le(tokens("p"), number(1)))), ElementsAre("p>=2"));
  EXPECT_THAT(asked(always(negated(le(number(1), tokens("p"))))), ElementsAre("p>=1"));
  EXPECT_THAT(asked(always(either(le(tokens("p"), number(1)) + le(tokens("q"), number(1))))),
              ElementsAre("p>=2, q>=2"));
}

TEST(PropertySet, SumsBoundedFromBelowAreUnions) {
  const std::string sum = "<tokens-count><place>p</place><place>q</place></tokens-count>";
  EXPECT_THAT(asked(exists(le(number(1), sum))), ElementsAre("q>=1", "p>=1"));
  EXPECT_THAT(asked(always(le(sum, number(0)))), ElementsAre("q>=1", "p>=1"));
  EXPECT_THAT(asked(exists(le(sum, number(5)))), ElementsAre("p + q <= 5"));
}

TEST(PropertySet, FireabilityIsEnoughTokens) {
  const std::string any =
      "<is-fireable><transition>t</transition><transition>u</transition>"
      "</is-fireable>";
  EXPECT_THAT(asked(exists(any)), ElementsAre("p>=1, q>=2", "r>=3"));
  EXPECT_THAT(asked(always(any)), ElementsAre("p=0, r in [0,2]", "q in [0,1], r in [0,2]"));
  EXPECT_THAT(asked(exists("<deadlock/>")), asked(always(any)));
  EXPECT_THAT(asked(always("<deadlock/>")), asked(exists(any)));
  EXPECT_THAT(asked(exists("<is-fireable><transition>v</transition></is-fireable>")),
              ElementsAre(testing::HasSubstr("property X-00: there is no transition 'v'")));
}

TEST(PropertySet, WhatIsNoReachabilityIsNamedAndRefused) {
  EXPECT_THAT(
      asked("<all-paths><finally>" + le(number(1), tokens("p")) + "</finally></all-paths>"),
      ElementsAre("2:63 'finally' property X-00: 'all-paths' of 'finally' does not ask what "
                  "can be reached"));
  EXPECT_THAT(asked(exists(le(number(1), tokens("x")))),
              ElementsAre(testing::HasSubstr("property X-00: there is no place 'x'")));
  EXPECT_THAT(asked(exists("<integer-le>" + number(1) + product(tokens("p") + tokens("q")) +
                           "</integer-le>")),
              ElementsAre(testing::HasSubstr("it multiplies places")));
}

TEST(PropertySet, SumsAreComparedWithEachOther) {
  EXPECT_THAT(asked(exists(le(tokens("q"), tokens("p")))), ElementsAre("p >= q"));
  EXPECT_THAT(asked(always(le(tokens("q"), tokens("p")))), ElementsAre("q >= p + 1"));
  EXPECT_THAT(asked(exists(le(product(number(2) + tokens("q")), product(tokens("p") + number(3))))),
              ElementsAre("3 * p >= 2 * q"));
  EXPECT_THAT(asked(exists(both(le(number(1), tokens("r")) + le(tokens("q"), tokens("p"))))),
              ElementsAre("r>=1, p >= q"));
}

TEST(PropertySet, ContradictionsAndTautologiesAreQuestions) {
  EXPECT_THAT(asked(exists(le(tokens("p"), number(-1)))), ElementsAre("false"));
  EXPECT_THAT(asked(exists("<false/>")), ElementsAre("false"));
  EXPECT_THAT(asked(always("<true/>")), ElementsAre("false"));
  EXPECT_THAT(asked(always("<false/>")), ElementsAre("true"));
  EXPECT_THAT(asked(exists(le(number(0), tokens("p")))), ElementsAre("true"));
}

TEST(PropertySet, OneOfSeveralIsNamedBehindTheFile) {
  const std::string two = property_set(property(exists(le(number(1), tokens("p"))), "X-00") +
                                       property(exists(le(number(1), tokens("q"))), "X-01"));
  EXPECT_THAT(targets("x.xml#X-01", two), ElementsAre("q>=1"));
  EXPECT_THAT(targets("a#b/x.xml", property_set(property(exists(le(number(1), tokens("p")))))),
              ElementsAre("p>=1"));
  EXPECT_THAT(targets("x.xml", two),
              ElementsAre("1:23 'property-set' the file does not hold a single property"));
  EXPECT_THAT(targets("x.xml#Y", two),
              ElementsAre("1:23 'property-set' the file does not hold a property 'Y'"));
  EXPECT_EQ(parse_targets(kNet, {"x.xml", two}).error().at(0).hint,
            "name one behind the file, as in 'file.xml#X-00'; there are X-00, X-01");
}

TEST(PropertySet, DepthIsLimited) {
  std::string deep;
  for (int i = 0; i < 50000; ++i) deep += "<negation>";
  deep += le(number(1), tokens("p"));
  for (int i = 0; i < 50000; ++i) deep += "</negation>";
  EXPECT_THAT(asked(exists(deep)),
              ElementsAre(testing::HasSubstr("the formula is nested more than 200 deep")));
}

TEST(PropertySet, OtherXml) {
  EXPECT_THAT(targets("x.xml", "<pnml/>"),
              ElementsAre("0:0 '' there is no element 'property-set'"));
  EXPECT_THAT(targets("x.xml", "<a"), ElementsAre(testing::HasSubstr("this is not XML")));
}

TEST(NetTargets, NamesMayStandInQuotes) {
  model::PetriNet net;
  net.places = {"a b"};
  const auto regions = parse_targets(net, {"--target", "\"a b\" >= 2"});
  ASSERT_TRUE(regions);
  EXPECT_EQ(model::target_to_string(net, regions->at(0)), "\"a b\">=2");
}

}  // namespace
}  // namespace heddle::frontend::property_set_test
