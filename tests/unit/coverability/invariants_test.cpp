#include "coverability/invariants.hpp"

#include "coverability/concurrency_relation.hpp"
#include "model/oracle.hpp"
#include "support/random_models.hpp"

/// Nothing that an invariant excludes may be found by the oracle.

namespace heddle::coverability {
namespace {

using model::Counter;
using model::PetriNet;
using model::Region;
using model::SharedState;
using model::ThreadSystem;

bool reached(const model::Oracle& oracle, const Region& target) {
  return std::holds_alternative<model::Reached>(oracle.ask({target}));
}

Region at_least(std::vector<std::pair<std::uint32_t, int>> counts, std::uint32_t shared = 0) {
  Region region{SharedState(shared), {}};
  for (const auto& [counter, count] : counts)
    region.bounds.push_back({Counter(counter), count, std::nullopt});
  return region;
}

TEST(ConcurrencyRelation, ExcludesNothingThatTheOracleFinds) {
  test::Random random(31);
  int excluded = 0;
  for (int i = 0; i < 300; ++i) {
    const model::CountingTask task = test::random_net_task(random, {.ordinary = i % 2 == 0});
    const auto& net = std::get<PetriNet>(task.model);
    const auto relation = concurrency_relation(net, task.question.initial);
    const model::Oracle oracle(task.model, task.question.initial, {});
    const auto expect_unreached = [&](const Region& target) {
      ++excluded;
      ASSERT_FALSE(reached(oracle, target)) << i << ": " << model::target_to_string(net, target);
    };
    for (std::uint32_t a = 0; a < net.places.size(); ++a) {
      if (!relation->markable(a)) expect_unreached(at_least({{a, 1}}));
      if (!relation->related(a, a)) expect_unreached(at_least({{a, 2}}));
      for (std::uint32_t b = a + 1; b < net.places.size(); ++b)
        if (!relation->related(a, b)) expect_unreached(at_least({{a, 1}, {b, 1}}));
    }
  }
  EXPECT_GT(excluded, 300);
}

TEST(ConcurrencyRelation, FindsTheSingleTokenOfAControlComponent) {
  PetriNet net{{"idle", "busy", "log"}, {}, {}};
  model::add_transition(net, "start", {{Counter(0u), 1}}, {{Counter(1u), 1}});
  model::add_transition(net, "stop", {{Counter(1u), 1}}, {{Counter(0u), 1}, {Counter(2u), 1}});
  const Region initial{SharedState(0u), {{Counter(0u), 1, 1}}};
  const auto relation = concurrency_relation(net, {initial});
  EXPECT_FALSE(relation->related(0, 1));
  EXPECT_FALSE(relation->related(0, 0));
  EXPECT_TRUE(relation->related(0, 2));
  EXPECT_TRUE(relation->related(1, 2));
  EXPECT_TRUE(relation->related(2, 2));
}

TEST(ClosedThreadStates, ExcludesNothingThatTheOracleFinds) {
  test::Random random(32);
  int excluded = 0;
  for (int i = 0; i < 300; ++i) {
    const model::CountingTask task = test::random_thread_task(random);
    const auto& system = std::get<ThreadSystem>(task.model);
    const auto rows = closed_thread_states(system, task.question.initial, 1 << 20);
    const model::Oracle oracle(task.model, task.question.initial, {});
    for (std::uint32_t s = 0; s < system.shared_count; ++s) {
      if (!rows->has_shared(s)) {
        ASSERT_FALSE(reached(oracle, at_least({}, s))) << i;
      }
      for (std::uint32_t l = 0; l < system.local_count; ++l) {
        if (rows->contains(s, l)) continue;
        ++excluded;
        ASSERT_FALSE(reached(oracle, at_least({{l, 1}}, s))) << i;
      }
    }
  }
  EXPECT_GT(excluded, 300);
}

TEST(ClosedThreadStates, GivesUpWhereTheRowsWouldBeTooLarge) {
  ThreadSystem system;
  system.local_count = 1 << 16;
  const Region initial{SharedState(0u), {{Counter(0u), 0, std::nullopt}}};
  EXPECT_TRUE(closed_thread_states(system, {initial}, 1 << 13).has_value());
  EXPECT_FALSE(closed_thread_states(system, {initial}, (1 << 13) - 1).has_value());
}

TEST(ProvableClaims, KeepsOnlyWhatHolds) {
  PetriNet net{{"a", "b", "c"}, {}, {}};
  model::add_transition(net, "t", {{Counter(0u), 1}}, {{Counter(1u), 1}, {Counter(2u), 1}});
  net.claimed_invariants = {{{Counter(0u), 1}, {Counter(1u), 1}},
                            {{Counter(0u), 1}, {Counter(1u), 1}, {Counter(2u), 1}},
                            {{Counter(0u), 2}, {Counter(1u), 1}, {Counter(2u), 1}}};
  const Region initial{SharedState(0u), {{Counter(0u), 3, 3}}};
  const auto proved = provable_claims(net, {initial});
  ASSERT_EQ(proved.size(), 2u);
  EXPECT_EQ(proved[0].bound, 3);
  EXPECT_EQ(proved[1].bound, 6);
}

}  // namespace
}  // namespace heddle::coverability
