/// Dead configurations, against what steps are possible, on random models and small configurations.

#include "model/dead_configurations.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/builders.hpp"
#include "support/random_models.hpp"

namespace heddle::model {
namespace {

constexpr std::uint32_t kMostTokens = 2;

bool is_dead(const PetriNet& net, const Configuration& marking) {
  for (std::uint32_t i = 0; i < net.transitions.size(); ++i)
    if (step(net, marking, TransitionId(i))) return false;
  return true;
}

bool is_dead(const ThreadSystem& system, const Configuration& state) {
  bool is_enabled = false;
  for (std::uint32_t i = 0; i < system.transitions.size(); ++i)
    for_each_flow(system, state, TransitionId(i), [&](const auto&) { is_enabled = true; });
  return !is_enabled;
}

/// All ways to put up to two tokens or threads into each of so many counters.
std::vector<Counts> small_counts(std::uint32_t counters) {
  std::vector<Counts> out = {{}};
  for (std::uint32_t i = 0; i < counters; ++i) {
    const std::vector<Counts> before = out;
    for (const Counts& counts : before)
      for (std::uint32_t tokens = 1; tokens <= kMostTokens; ++tokens) {
        Counts more = counts;
        more.set(Counter(i), tokens);
        out.push_back(more);
      }
  }
  return out;
}

/// How many of the configurations are dead; the regions must hold exactly those.
template <class Model>
unsigned count_dead(const Model& model, std::uint32_t shared_states, std::uint32_t counters) {
  const auto regions = dead_configurations(model);
  unsigned dead = 0;
  for (std::uint32_t s = 0; s < shared_states; ++s)
    for (const Counts& counts : small_counts(counters)) {
      const Configuration configuration{SharedState(s), counts};
      const bool is_listed = std::ranges::any_of(regions, [&](const Region& region) {
        return region.shared == configuration.shared &&
               target_region_contains(region, configuration);
      });
      EXPECT_EQ(is_listed, is_dead(model, configuration)) << to_string(model, configuration);
      dead += is_listed ? 1 : 0;
    }
  return dead;
}

TEST(DeadConfigurations, OfNetsAreThoseInWhichNothingIsEnabled) {
  unsigned dead = 0;
  for (unsigned i = 0; i < 300; ++i) {
    test::Random random(5'100'000 + i);
    const test::NetFlavour flavour{.ordinary = i % 3 == 0, .upper_bounds = i % 3 == 1};
    const auto task = test::random_net_task(random, flavour);
    const auto& net = std::get<PetriNet>(task.model);
    dead += count_dead(net, 1, static_cast<std::uint32_t>(net.places.size()));
  }
  EXPECT_GE(dead, 1000u);
}

TEST(DeadConfigurations, OfThreadSystemsAreThoseInWhichNobodySteps) {
  unsigned dead = 0;
  for (unsigned i = 0; i < 100; ++i) {
    test::Random random(5'200'000 + i);
    const auto task = test::random_thread_task(random);
    const auto& system = std::get<ThreadSystem>(task.model);
    dead += count_dead(system, system.shared_count, system.local_count);
  }
  EXPECT_GE(dead, 100u);
}

/// Every one of a hundred transitions can be disabled by either of two places of its own.
TEST(DeadConfigurations, AreOneRegionOfANet) {
  PetriNet net = test::net(200);
  for (std::uint32_t i = 0; i < 100; ++i) {
    Counts consumed;
    consumed.set(Counter(2 * i), 1);
    consumed.set(Counter(2 * i + 1), 1);
    add_transition(net, "t", consumed, {});
  }
  const auto regions = dead_configurations(net);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].condition.parts.size(), 100u);
}

TEST(DeadConfigurations, AreNowhereIfSomethingIsAlwaysEnabled) {
  PetriNet net = test::net(1);
  add_transition(net, "t", {}, {});
  const auto regions = dead_configurations(net);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_TRUE(regions[0].condition.is_false());
  const ThreadSystem system = test::thread_system(1, 2, {test::transfer(0, 0, 0, 1)});
  const auto of_threads = dead_configurations(system);
  ASSERT_EQ(of_threads.size(), 1u);
  EXPECT_TRUE(of_threads[0].condition.is_false());
}

}  // namespace
}  // namespace heddle::model
