#include "support/random_models.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "support/agreement.hpp"
#include "support/sample.hpp"

namespace heddle::test {
namespace {

/// Every case has a seed of its own, so that a conflict can be found again without the others.
template <class Generate>
Agreement play(unsigned cases, std::uint64_t first_seed, Generate generate) {
  model::OracleLimits limits;
  limits.max_unbounded = 2;
  limits.max_total = 6;
  limits.max_configurations = 400;
  Agreement agreement(engine::registry(), limits);
  for (unsigned i = 0; i < random_cases(cases); ++i) {
    Random random(first_seed + i);
    agreement.compare(generate(random));
  }
  std::cout << agreement.summary() << "\n";
  for (const std::string& conflict : agreement.conflicts()) ADD_FAILURE() << conflict;
  return agreement;
}

void expect_agreement(const Agreement& agreement) {
  EXPECT_EQ(agreement.count(Outcome::Conflict), 0u);
  EXPECT_EQ(agreement.unaccepted(), 0u);
  EXPECT_EQ(agreement.skipped_by("backward"), 0u);
  EXPECT_GT(agreement.count(Outcome::Agree), 10 * agreement.count(Outcome::Unknown));
}

TEST(RandomModels, EnginesAgreeOnThreadSystems) {
  const Agreement agreement = play(20'000, 1'000'000, random_thread_task);
  expect_agreement(agreement);
  EXPECT_EQ(agreement.skipped_by("cutoff"), 0u);
}

TEST(RandomModels, EnginesAgreeOnOrdinaryNets) {
  const NetFlavour flavour{.ordinary = true};
  const Agreement agreement =
      play(10'000, 2'000'000, [&](Random& random) { return random_net_task(random, flavour); });
  expect_agreement(agreement);
  EXPECT_EQ(agreement.skipped_by("cutoff"), 0u);
}

TEST(RandomModels, EnginesAgreeOnNetsWithResetsTransfersAndCopies) {
  const NetFlavour flavour{};
  expect_agreement(
      play(10'000, 3'000'000, [&](Random& random) { return random_net_task(random, flavour); }));
}

TEST(RandomModels, EnginesAgreeOnNetsWithFewTokens) {
  const NetFlavour flavour{.conserving = true};
  expect_agreement(
      play(10'000, 10'000'000, [&](Random& random) { return random_net_task(random, flavour); }));
}

TEST(RandomModels, EnginesAgreeOnNonMonotoneNetsThroughTheRelaxation) {
  const NetFlavour flavour{.upper_bounds = true};
  const Agreement agreement =
      play(10'000, 4'000'000, [&](Random& random) { return random_net_task(random, flavour); });
  EXPECT_EQ(agreement.count(Outcome::Conflict), 0u);
  EXPECT_GT(agreement.count(Outcome::Agree), agreement.count(Outcome::Unknown));
}

}  // namespace
}  // namespace heddle::test
