#include "support/tiny_models.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "support/agreement.hpp"
#include "support/sample.hpp"

namespace heddle::test {
namespace {

using Enumerate = void (*)(const VisitTiny&);

void expect_agreement(Enumerate enumerate, Share share) {
  const model::OracleLimits limits{.max_unbounded = 2, .max_total = 4, .max_configurations = 500};
  Agreement agreement(engine::registry(), {.counting = limits});
  if (!runs_in_full()) agreement.take_turns(2);
  Sample sample(1, share);
  std::size_t cases = 0;
  enumerate([&](const TinyCase& tiny) {
    ++cases;
    if (!sample.next()) return;
    const model::Oracle oracle(tiny.model, tiny.initial, limits);
    for (const auto& targets : tiny.targets)
      agreement.compare({tiny.model, {tiny.initial, targets}}, truth_of(oracle.ask(targets)));
  });
  std::cout << cases << " cases in all, one in " << sample.one_in() * share.of << " tried; "
            << agreement.summary() << "\n";
  for (const std::string& conflict : agreement.conflicts()) ADD_FAILURE() << conflict;
  EXPECT_EQ(agreement.count(Outcome::Conflict), 0u);
  EXPECT_EQ(agreement.count(Outcome::Unknown), 0u);
  EXPECT_EQ(agreement.unaccepted(), 0u);
  EXPECT_GT(agreement.count(Outcome::Agree), 0u);
}

constexpr unsigned kParts = 4;

class TinyModels : public testing::TestWithParam<unsigned> {};

TEST_P(TinyModels, EnginesAgreeOnThreadSystems) {
  expect_agreement(for_each_tiny_thread_system, {GetParam(), kParts});
}

TEST_P(TinyModels, EnginesAgreeOnNets) {
  expect_agreement(for_each_tiny_net, {GetParam(), kParts});
}

INSTANTIATE_TEST_SUITE_P(Part, TinyModels, testing::Range(0u, kParts));

}  // namespace
}  // namespace heddle::test
