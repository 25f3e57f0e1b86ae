#include "support/tiny_models.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <vector>

#include "support/agreement.hpp"
#include "support/sample.hpp"

namespace heddle::test::tiny_models_test {
namespace {

using Enumerate = void (*)(const VisitTiny&);

/// Those that decide everything. `cover` and `forward` give up where numbers grow by transfers; the
/// random models are theirs.
std::vector<engine::EngineRow> complete_engines() {
  std::vector<engine::EngineRow> rows;
  for (const engine::EngineRow& row : engine::registry())
    if (row.complete) rows.push_back(row);
  return rows;
}

void expect_agreement(Enumerate enumerate, Share share) {
  const std::vector<engine::EngineRow> engines = complete_engines();
  const model::OracleLimits limits{.max_unbounded = 2, .max_total = 4, .max_configurations = 500};
  Agreement agreement(engines, {.counting = limits});
  if (!runs_in_full()) agreement.take_turns(2);
  Sample sample(4, share);
  std::size_t cases = 0;
  enumerate([&](const TinyCase& tiny) {
    ++cases;
    if (!sample.next()) return;
    const model::Oracle oracle(tiny.model, tiny.initial, limits);
    for (const auto& targets : tiny.targets)
      agreement.compare(model::CountingTask{tiny.model, {tiny.initial, targets}},
                        truth_of(oracle.ask(targets)));
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
}  // namespace heddle::test::tiny_models_test
