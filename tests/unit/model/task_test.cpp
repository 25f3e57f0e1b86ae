#include "model/counting.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::configuration;

CountingModel named_system() {
  ThreadSystem system = test::thread_system(3, 4, {test::move(0, 0, 1, 1)});
  system.shared_names = {"m=0", "", "m=1"};
  system.local_names = {"main"};
  return system;
}

CountingModel named_net() {
  PetriNet net;
  net.places = {"idle", "busy", "dirty"};
  add_transition(net, "t", test::counts({1}), test::counts({0, 1}));
  add_transition(net, "u", test::counts({0, 1}), test::counts({1}));
  return net;
}

TEST(Model, CountsItsParts) {
  EXPECT_EQ(counter_count(named_system()), 4u);
  EXPECT_EQ(shared_count(named_system()), 3u);
  EXPECT_EQ(transition_count(named_system()), 1u);
  EXPECT_EQ(counter_count(named_net()), 3u);
  EXPECT_EQ(shared_count(named_net()), 1u);
  EXPECT_EQ(transition_count(named_net()), 2u);
}

TEST(Model, NamesItsParts) {
  EXPECT_EQ(kind_name(named_system()), "thread system");
  EXPECT_EQ(kind_name(named_net()), "Petri net");
  EXPECT_EQ(shared_name(named_system(), SharedState(0u)), "0 (m=0)");
  EXPECT_EQ(shared_name(named_system(), SharedState(1u)), "1");
  EXPECT_EQ(shared_name(named_net(), SharedState(0u)), "");
  EXPECT_EQ(counter_name(named_system(), Counter(0u)), "0 (main)");
  EXPECT_EQ(counter_name(named_system(), Counter(3u)), "3");
  EXPECT_EQ(counter_name(named_net(), Counter(2u)), "dirty");
}

TEST(Model, PrintsConfigurationsOfThreadSystems) {
  EXPECT_EQ(to_string(named_system(), configuration(2, {1, 0, 4})), "2|0,2,2,2,2");
  EXPECT_EQ(to_string(named_system(), configuration(2, {5, 1})), "2|0^5,1");
  EXPECT_EQ(to_string(named_system(), configuration(0, {})), "0|");
  const Integer large("18446744073709551616");
  EXPECT_EQ(to_string(named_system(), {SharedState(0u), {{Counter(3u), large}}}),
            "0|3^18446744073709551616");
}

TEST(Model, PrintsMarkings) {
  EXPECT_EQ(to_string(named_net(), configuration(0, {1, 0, 7})), "idle=1, dirty=7");
  EXPECT_EQ(to_string(named_net(), configuration(0, {})), "no tokens");
}

TEST(Model, PrintsInitialRegionsOfThreadSystems) {
  const CountingModel system = named_system();
  EXPECT_EQ(initial_to_string(system, test::exactly(1, {0, 2, 2})), "1|0,2,2");
  EXPECT_EQ(initial_to_string(system, test::any_number(1, {0, 2})), "1/0,2");
  EXPECT_EQ(initial_to_string(system, {SharedState(0u), {}}), "0|");
  const Region both{SharedState(0u),
                    {{Counter(0u), 1, Integer(1)}, {Counter(1u), 0, std::nullopt}}};
  EXPECT_EQ(initial_to_string(system, both), "0|0/1");
}

TEST(Model, PrintsTargetsOfThreadSystems) {
  EXPECT_EQ(target_to_string(named_system(), test::target(2, {1, 3, 3})), "2|1,3,3");
}

TEST(Model, PrintsRegionsOfNets) {
  const Region region{
      SharedState(0u),
      {{Counter(0u), 1, std::nullopt}, {Counter(1u), 0, Integer(0)}, {Counter(2u), 1, Integer(3)}}};
  EXPECT_EQ(initial_to_string(named_net(), region), "idle>=1, busy=0, dirty in [1,3]");
  EXPECT_EQ(target_to_string(named_net(), region), "idle>=1, busy=0, dirty in [1,3]");
}

}  // namespace
}  // namespace heddle::model
