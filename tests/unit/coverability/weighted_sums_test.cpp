#include "coverability/weighted_sums.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "coverability/backward_search.hpp"
#include "coverability/invariants.hpp"
#include "coverability/pruner.hpp"
#include "model/oracle.hpp"
#include "support/random_models.hpp"

namespace heddle::coverability {
namespace {

using answer::LinearInvariant;
using model::Counter;
using model::PetriNet;
using model::Region;
using model::SharedState;

using TokenDemand = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Is there a sum with weights up to 2 that shows that the demand cannot be covered?
bool has_small_sum(const model::CountingTask& task, const TokenDemand& demand) {
  const auto& net = std::get<PetriNet>(task.model);
  std::vector<model::WeightedPlace> sum;
  for (std::uint32_t place = 0; place < net.places.size(); ++place)
    sum.push_back({Counter(place), 0});
  for (std::size_t i = 0;;) {
    const auto invariant = bounded_sum(net, task.question.initial, sum);
    base::Integer value = 0;
    for (const auto& [place, count] : demand)
      value += sum[place].weight * static_cast<unsigned long>(count);
    if (invariant && value > invariant->bound) return true;
    for (i = 0; i < sum.size() && sum[i].weight == 2; ++i) sum[i].weight = 0;
    if (i == sum.size()) return false;
    sum[i].weight += 1;
  }
}

TEST(WeightedSums, AreFoundWhereThereAreSmallOnesAndAreNeverWrong) {
  test::Random random(5);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const model::CountingTask task = test::random_net_task(random, {.ordinary = i % 4 != 0});
    const auto& net = std::get<PetriNet>(task.model);
    WeightedSums sums(net, task.question.initial);
    const model::Oracle oracle(task.model, task.question.initial, {});
    for (std::uint32_t place = 0; place < net.places.size(); ++place) {
      const TokenDemand demand{{place, 1 + i % 3}};
      const auto sum = sums.exceeded_by(demand);
      if (!sum) {
        ASSERT_FALSE(has_small_sum(task, demand)) << i;
        continue;
      }
      ++found;
      const Region target{SharedState(0u), {{Counter(place), 1 + i % 3, std::nullopt}}};
      ASSERT_FALSE(std::holds_alternative<model::Reached>(oracle.ask({target}))) << i;
    }
  }
  EXPECT_GT(found, 100);
}

/// A lock that is taken and given back in two steps each, with a place between them that forgets
/// who is on the way: pairs of places do not show that there is one lock only.
model::CountingTask slow_lock(unsigned stages) {
  PetriNet net;
  const auto place = [&](const std::string& name) {
    net.places.push_back(name);
    return Counter(static_cast<std::uint32_t>(net.places.size() - 1));
  };
  const Counter hub = place("hub");
  const Counter idle = place("idle");
  const Counter lock = place("lock");
  Counter stage = place("stage0");
  const auto two_steps = [&](Counter from, Counter to, Counter take) {
    const Counter between = place("between" + std::to_string(net.places.size()));
    model::add_transition(net, "", {{hub, 1}, {from, 1}}, {{between, 1}, {to, 1}});
    model::add_transition(net, "", {{between, 1}, {take, 1}}, {{hub, 1}});
  };
  two_steps(idle, stage, lock);
  for (unsigned i = 1; i <= stages; ++i) {
    const Counter next = place("stage" + std::to_string(i));
    model::add_transition(net, "", {{hub, 1}, {stage, 1}}, {{hub, 1}, {next, 1}});
    model::add_transition(net, "", {{hub, 1}, {next, 1}}, {{hub, 1}, {idle, 1}, {lock, 1}});
    stage = next;
  }
  const Region initial{SharedState(0u), {{hub, 1, 1}, {idle, 0, std::nullopt}, {lock, 1, 1}}};
  const Region target{SharedState(0u), {{hub, 1, std::nullopt}, {stage, 2, std::nullopt}}};
  return {std::move(net), {{initial}, {target}}};
}

TEST(WeightedSums, ShortenASearch) {
  const model::CountingTask task = slow_lock(12);
  const auto steps_with = [&](Pruner pruner) {
    base::RunContext context;
    const SearchResult result = backward_search(task, pruner, SearchOrder::SmallestFirst, context);
    const auto* safe = std::get_if<Uncoverable>(&result);
    if (!safe) {
      ADD_FAILURE() << "not shown";
      return std::uint64_t{0};
    }
    const answer::Verdict verdict =
        answer::Safe{answer::BackwardBasis{safe->minimal, safe->relative_to}};
    base::RunContext unlimited;
    EXPECT_EQ(check::check(task, verdict, unlimited).status, answer::EvidenceStatus::Confirmed);
    return context.steps();
  };
  const auto without = steps_with(find_invariants(task, true));
  const auto with = steps_with(find_and_learn_invariants(task, true));
  EXPECT_GT(with, 64u);
  EXPECT_LT(2 * with, without);
}

}  // namespace
}  // namespace heddle::coverability
