/// Random models of every kind: all engines that accept them, the naive searches and the checker
/// must not contradict each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "support/agreement.hpp"
#include "support/model_kinds.hpp"
#include "support/sample.hpp"

namespace heddle::test::random_models_test {
namespace {

class RandomModels : public testing::TestWithParam<ModelKind> {};

TEST_P(RandomModels, EnginesAgree) {
  const ModelKind& kind = GetParam();
  Agreement agreement(engine::registry(), {}, kind.steps);
  for (unsigned i = 0; i < std::max(1U, random_cases(kind.cases)); ++i) {
    Random random(kind.first_seed + i);
    agreement.compare(kind.random(random));
  }
  std::cout << agreement.summary() << "\n";
  for (const std::string& conflict : agreement.conflicts()) ADD_FAILURE() << conflict;
  EXPECT_EQ(agreement.count(Outcome::Conflict), 0U);
  EXPECT_EQ(agreement.unaccepted(), 0U);
  EXPECT_TRUE(are_enough(agreement.reached(), 0));
  EXPECT_TRUE(are_enough(agreement.exactly_not(), 0));
  EXPECT_TRUE(are_enough(agreement.count(Outcome::Agree),
                         (kind.always_decided ? 10 : 1) * agreement.count(Outcome::Unknown)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomModels,
                         testing::ValuesIn(model_kinds().begin(), model_kinds().end()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace heddle::test::random_models_test
