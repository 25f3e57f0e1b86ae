#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsing.hpp"

namespace heddle::frontend::thread_system_notation_test {
namespace {

using testing::ElementsAre;

const model::ThreadSystem kSystem = [] {
  model::ThreadSystem system;
  system.shared_count = 4;
  system.local_count = 30;
  return system;
}();

std::vector<std::string> targets(const std::string& text) {
  const auto regions = parse_targets(kSystem, {"--target", text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions) {
    EXPECT_TRUE(model::is_upward_closed(region));
    out.push_back(model::target_to_string(kSystem, region));
  }
  return out;
}

std::vector<std::string> initial(const std::string& text) {
  const auto regions = parse_initial(kSystem, {"--initial", text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions)
    out.push_back(model::initial_to_string(kSystem, region));
  return out;
}

TEST(ThreadInitial, MayBeARange) {
  EXPECT_THAT(initial("0|1^[2,5],3"), ElementsAre("0|1^[2,5],3"));
  EXPECT_THAT(initial("0|1,1^[0,2]"), ElementsAre("0|1^[1,3]"));
  EXPECT_THAT(initial("0|1^[2,2]/4"), ElementsAre("0|1,1/4"));
  EXPECT_THAT(initial("0|1^[2,5]/1"), ElementsAre("0|1,1/1"));
  EXPECT_THAT(initial("0|1^[5,2]"), ElementsAre("1:6 '5' no number of threads is in this range"));
  EXPECT_THAT(initial("0|1^[5 2]"), ElementsAre("1:8 '2' expected ',', found '2'"));
  EXPECT_THAT(targets("0|1^[2,5]"),
              ElementsAre("1:5 '[' expected a number of threads behind '^', found '['"));
}

TEST(ThreadTargets, AreMultisets) {
  EXPECT_THAT(targets("3|1"), ElementsAre("3|1"));
  EXPECT_THAT(targets(" 3 | 2 ,1,2 "), ElementsAre("3|1,2,2"));
  EXPECT_THAT(targets("0|5^2,5"), ElementsAre("0|5,5,5"));
}

TEST(ThreadTargets, MayAskForTheSharedStateOnly) {
  EXPECT_THAT(targets("1|"), ElementsAre("1|"));
  const auto none_of_2 = parse_targets(kSystem, {"", "1|2^0"});
  ASSERT_TRUE(none_of_2);
  EXPECT_THAT(*none_of_2, ElementsAre(model::Region{model::SharedState(1u), {}}));
}

TEST(ThreadTargets, SeveralMeanAnyOfThem) {
  EXPECT_THAT(targets("# bad\n1|2\r\n\n3|4 # worse\n;0|;1|1"),
              ElementsAre("1|2", "3|4", "0|", "1|1"));
  EXPECT_THAT(targets("1|2,\n3\n"), ElementsAre("1|2,3"));
}

/// A lock with names, one of which two local states have.
const model::ThreadSystem kNamed = [] {
  model::ThreadSystem system;
  system.shared_count = 2;
  system.local_count = 4;
  system.shared_names = {"free", "m=1 ts=0"};
  system.local_names = {"outside", "in the section, deep", "2 left", "outside"};
  return system;
}();

std::vector<std::string> named_targets(const std::string& text) {
  const auto regions = parse_targets(kNamed, {"--target", text});
  if (!regions) return brief(regions.error());
  std::vector<std::string> out;
  for (const model::Region& region : *regions)
    out.push_back(model::target_to_string(kNamed, region));
  return out;
}

TEST(ThreadTargets, MayNameTheirStates) {
  EXPECT_THAT(named_targets("free|2 left^2, 0"), ElementsAre("0|0,2,2"));
  EXPECT_THAT(named_targets(" m=1 ts=0 |\"in the section, deep\",1;free|"),
              ElementsAre("1|1,1", "0|"));
  EXPECT_THAT(named_targets("fre|0"), ElementsAre("1:1 'fre' no shared state is called 'fre'"));
  EXPECT_THAT(named_targets("free|outside"),
              ElementsAre("1:6 'outside' several local states are called 'outside'"));
  EXPECT_THAT(named_targets("free|,"),
              ElementsAre("1:6 ',' expected the number or name of a local state, found ','"));
  const auto typo = parse_targets(kNamed, {"--target", "fre|0"});
  EXPECT_EQ(typo.error()[0].hint, "did you mean 'free'?");
  const auto other = parse_targets(kNamed, {"--target", "x|0"});
  EXPECT_EQ(other.error()[0].hint, "the names are 'free', 'm=1 ts=0'");
}

TEST(ThreadTargets, CountsAreExact) {
  EXPECT_THAT(targets("0|1^99999999999999999999"), ElementsAre("0|1^99999999999999999999"));
}

TEST(ThreadTargets, Mistakes) {
  EXPECT_THAT(targets(""), ElementsAre("0:0 '' nothing is given"));
  EXPECT_THAT(targets("x"),
              ElementsAre("1:1 'x' expected the number of a shared state, found 'x'"));
  EXPECT_THAT(targets("1"), ElementsAre("1:2 '' expected '|', found the end of the text"));
  EXPECT_THAT(targets("1/2"), ElementsAre("1:2 '/' expected '|', found '/'"));
  EXPECT_THAT(targets("1|2/3"), ElementsAre("1:4 '/' expected ',' or ';', found '/'"));
  EXPECT_THAT(targets("1|2 3"), ElementsAre("1:5 '3' expected ',' or ';', found '3'"));
  EXPECT_THAT(targets("1|2^x"),
              ElementsAre("1:5 'x' expected a number of threads behind '^', found 'x'"));
  EXPECT_THAT(targets("1|-,2"),
              ElementsAre("1:3 '-' expected the number of a local state, found '-'"));
  EXPECT_THAT(
      targets("4|30\n1|2,"),
      ElementsAre("1:1 '4' shared state '4' is out of range",
                  "1:3 '30' local state '30' is out of range",
                  "2:5 '' expected the number of a local state, found the end of the text"));
}

TEST(ThreadTargets, MistakesNameTheOptionAndTeachTheNotation) {
  const auto found = parse_targets(kSystem, {"--target", "1"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error()[0].location.file, "--target");
  EXPECT_EQ(found.error()[0].hint,
            "a target is 's|l,l,...': a shared state and the local states of some threads, for "
            "example '3|1,1'");
}

TEST(ThreadInitial, ExactlyTheseThreads) {
  const auto regions = parse_initial(kSystem, {"", "1|2,2,3"});
  ASSERT_TRUE(regions);
  const model::Region expected{model::SharedState(1u),
                               {{model::LocalState(2u), 2, 2}, {model::LocalState(3u), 1, 1}}};
  EXPECT_THAT(*regions, ElementsAre(expected));
  EXPECT_THAT(initial("1|"), ElementsAre("1|"));
}

TEST(ThreadInitial, AnyNumberOfThreads) {
  const auto regions = parse_initial(kSystem, {"", "0/3,1,3"});
  ASSERT_TRUE(regions);
  const model::Region expected{
      model::SharedState(0u),
      {{model::LocalState(1u), 0, std::nullopt}, {model::LocalState(3u), 0, std::nullopt}}};
  EXPECT_THAT(*regions, ElementsAre(expected));
}

TEST(ThreadInitial, BothAtOnce) {
  EXPECT_THAT(initial("0|0/10"), ElementsAre("0|0/10"));
  EXPECT_THAT(initial("0|/10"), ElementsAre("0/10"));
  EXPECT_THAT(initial("2|1^7,4/4,5"), ElementsAre("2|1^7,4/4,5"));
  EXPECT_THAT(initial("0/0;1|1"), ElementsAre("0/0", "1|1"));
}

TEST(ThreadInitial, Mistakes) {
  EXPECT_THAT(initial(" \n"), ElementsAre("0:0 '' nothing is given"));
  EXPECT_THAT(initial("0"), ElementsAre("1:2 '' expected '|' or '/', found the end of the text"));
  EXPECT_THAT(
      initial("0/"),
      ElementsAre("1:3 '' expected the number of a local state, found the end of the text"));
  EXPECT_THAT(initial("0/1^3"),
              ElementsAre("1:4 '^' behind '/' every local state has any number of threads"));
  EXPECT_THAT(initial("0/1|2"), ElementsAre("1:4 '|' expected ',' or ';', found '|'"));
}

}  // namespace
}  // namespace heddle::frontend::thread_system_notation_test
