#include "check/counting/cover_index.hpp"

#include <gtest/gtest.h>

#include "unit/check/naive.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::cover_index_test {
namespace {

using model::Configuration;

TEST(CoverIndex, AgreesWithALinearScan) {
  std::mt19937 random(3);
  const model::CountingModel model = model::ThreadSystem{2, 5, {}, {}, {}};
  int inside = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Configuration> elements;
    for (std::uint32_t i = 0; i < below(30, random); ++i)
      elements.push_back(random_configuration(model, 4, random));
    const std::vector<Demand<MachineAmount>> demands(elements.begin(), elements.end());
    const std::vector<Demand<base::Integer>> exact(elements.begin(), elements.end());
    CoverIndex<MachineAmount> index(demands, 2);
    CoverIndex<base::Integer> exact_index(exact, 2);
    for (int i = 0; i < 50; ++i) {
      const Configuration c = random_configuration(model, 5, random);
      const bool expected = naive::in_upward_closure(elements, c);
      inside += expected ? 1 : 0;
      ASSERT_EQ(index.contains(Demand<MachineAmount>(c)), expected);
      ASSERT_EQ(exact_index.contains(Demand<base::Integer>(c)), expected);
    }
  }
  EXPECT_GT(inside, 1000);
  EXPECT_LT(inside, 14000);
}

TEST(CoverIndex, TheEmptyConfigurationIsBelowEverythingWithItsSharedState) {
  CoverIndex<MachineAmount> index({Demand<MachineAmount>(Configuration{})}, 2);
  EXPECT_TRUE(index.contains(Demand<MachineAmount>(Configuration{{}, {{model::Counter(1u), 2}}})));
  EXPECT_FALSE(index.contains(Demand<MachineAmount>(Configuration{model::SharedState(1u), {}})));
}

}  // namespace
}  // namespace heddle::check::cover_index_test
