#include "check/counting/predecessors.hpp"

#include <gtest/gtest.h>

#include "support/sample.hpp"
#include "unit/check/naive.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::predecessors_test {
namespace {

using model::Configuration;

template <class Amount>
std::unique_ptr<Predecessors<Amount>> predecessors_of(const model::CountingModel& model) {
  return std::visit([](const auto& m) { return make_predecessors<Amount>(m); }, model);
}

template <class Amount>
std::vector<Configuration> predecessors(const model::CountingModel& model, std::uint32_t transition,
                                        const Configuration& demand) {
  std::vector<Configuration> found;
  predecessors_of<Amount>(model)->for_each(transition, Demand<Amount>(demand),
                                           [&](const Demand<Amount>& p) {
                                             found.push_back(p.configuration());
                                             return true;
                                           });
  return found;
}

bool leads_above(const model::CountingModel& model, const Configuration& from,
                 std::uint32_t transition, const Configuration& demand) {
  const auto next = naive::successors(model, from, model::TransitionId(transition));
  return std::ranges::any_of(next, [&](const auto& n) { return n.covers(demand); });
}

/// Every configuration of the box has a successor above the demand if and only if it is above one
/// of the predecessors. Transitions that are no candidates lead there only from above the demand.
void expect_exact(const model::CountingModel& model, std::uint32_t transition,
                  const Configuration& demand, unsigned most) {
  const auto candidates =
      predecessors_of<MachineAmount>(model)->candidates(Demand<MachineAmount>(demand));
  const bool is_candidate = std::ranges::binary_search(candidates, transition);
  std::vector<Configuration> found;
  if (is_candidate) {
    found = predecessors<MachineAmount>(model, transition, demand);
    ASSERT_EQ(found, predecessors<base::Integer>(model, transition, demand));
  }
  for (const Configuration& c : naive::box(model, most)) {
    const bool leads = leads_above(model, c, transition, demand);
    if (!is_candidate) {
      ASSERT_TRUE(!leads || c.covers(demand)) << transition << model::to_string(model, c);
    } else {
      ASSERT_EQ(leads, naive::in_upward_closure(found, c))
          << "transition " << transition << " from " << model::to_string(model, c) << " to "
          << model::to_string(model, demand);
    }
  }
}

TEST(Predecessors, AgreeWithBruteForceOnRandomThreadSystems) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < test::sampled(1000); ++round) {
    const model::CountingModel model = random_system(random);
    const Configuration demand = random_configuration(model, 2, random);
    for (std::uint32_t t = 0; t < model::transition_count(model); ++t)
      ASSERT_NO_FATAL_FAILURE(expect_exact(model, t, demand, 4)) << "round " << round;
  }
}

TEST(Predecessors, AgreeWithBruteForceOnRandomNets) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < test::sampled(1000); ++round) {
    const model::CountingModel model = random_net(random);
    const Configuration demand = random_configuration(model, 3, random);
    for (std::uint32_t t = 0; t < model::transition_count(model); ++t)
      ASSERT_NO_FATAL_FAILURE(expect_exact(model, t, demand, 5)) << "round " << round;
  }
}

TEST(Predecessors, RespectUpperBoundsOfGuards) {
  model::PetriNet net{{"p", "q"}, {}, {}};
  const model::PlaceId p(0u);
  const model::PlaceId q(1u);
  net.transitions.push_back({"t", {{p, 1, base::Integer(2)}}, {{q, {{q, 1}}, 1}}, "", 0});
  net.transitions.push_back({"sum", {{p, 0, base::Integer(1)}}, {{q, {{p, 1}, {q, 1}}, 0}}, "", 0});
  const auto demand = [&](int in_p, int in_q) {
    Configuration out;
    out.counts.set(p, in_p);
    out.counts.set(q, in_q);
    return out;
  };
  EXPECT_EQ(predecessors<MachineAmount>(net, 0, demand(2, 1)), std::vector{demand(2, 0)});
  EXPECT_TRUE(predecessors<MachineAmount>(net, 0, demand(3, 1)).empty());
  EXPECT_EQ(predecessors<MachineAmount>(net, 1, demand(0, 3)),
            (std::vector{demand(0, 3), demand(1, 2)}));
}

TEST(Predecessors, OfHugeDemandsAreExact) {
  const base::Integer huge("1267650600228229401496703205376");  // 2^100
  model::PetriNet net{{"p"}, {}, {}};
  net.transitions.push_back(
      {"halve", {}, {{model::PlaceId(0u), {{model::PlaceId(0u), 2}}, 1}}, "", 0});
  const Configuration demand{{}, {{model::Counter(0u), huge}}};
  const Configuration expected{{}, {{model::Counter(0u), huge / 2}}};
  EXPECT_EQ(predecessors<base::Integer>(net, 0, demand), std::vector{expected});
}

TEST(Predecessors, EnumerationEndsWhenAVisitSaysSo) {
  model::ThreadSystem system{1, 3, {}, {}, {}};
  model::ThreadTransition t;
  t.passive = {{model::LocalState(0u), model::LocalState(2u)},
               {model::LocalState(1u), model::LocalState(2u)}};
  system.transitions.push_back(t);
  const auto source = make_predecessors<MachineAmount>(system);
  const Configuration demand{{}, {{model::Counter(2u), 1000000}}};
  int visited = 0;
  EXPECT_FALSE(source->for_each(0, Demand<MachineAmount>(demand),
                                [&](const auto&) { return ++visited < 3; }));
  EXPECT_EQ(visited, 3);
}

}  // namespace
}  // namespace heddle::check::predecessors_test
