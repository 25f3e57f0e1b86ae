#include "check/counting/invariants.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/builders.hpp"
#include "unit/check/naive.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::invariants_test {
namespace {

using answer::ClosedThreadStates;
using answer::Invariant;
using answer::LinearInvariant;
using base::Integer;
using Relation = answer::LinearInvariant::Relation;
using model::LocalState;
using model::PlaceId;
using model::SharedState;
using namespace heddle::test;

bool is_inductive(const model::CountingTask& task, const Invariant& invariant) {
  return !why_not_inductive(task, invariant);
}

LinearInvariant linear(std::vector<int> weights, Relation relation, int bound) {
  LinearInvariant invariant{{}, relation, bound};
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) invariant.weights.push_back({PlaceId(i), weights[i]});
  return invariant;
}

TEST(LinearInvariant, OfANetWithWeightsTransfersAndResets) {
  model::PetriNet pipes = net(3);
  pipes.transitions = {rule({2}, {update(0, {0}, -2), update(1, {1}, 1)}),
                       rule({0, 1}, {update(1, {}), update(2, {1, 2})}),
                       rule({0, 0, 1}, {update(2, {})})};
  const auto task = test::task(pipes, {marking({4, 0, 0})}, {});
  EXPECT_TRUE(is_inductive(task, linear({1, 2, 2}, Relation::AtMost, 4)));
  EXPECT_FALSE(is_inductive(task, linear({1, 2, 2}, Relation::Equal, 4)));   // the reset
  EXPECT_FALSE(is_inductive(task, linear({1, 2, 2}, Relation::AtMost, 3)));  // initially
  EXPECT_FALSE(is_inductive(task, linear({1, 3, 3}, Relation::AtMost, 4)));
  EXPECT_EQ(why_not_inductive(task, linear({0, 1, 2}, Relation::AtMost, 4)),
            "is not kept by transition 0");
}

TEST(LinearInvariant, UsesTheBoundsOfGuards) {
  model::PetriNet one = net(2);
  one.transitions = {rule({2, 0}, {update(0, {}), update(1, {1}, 2)})};  // two or more become two
  EXPECT_TRUE(
      is_inductive(test::task(one, {marking({3, 0})}, {}), linear({1, 1}, Relation::AtMost, 3)));
  one.transitions[0].guard[0].lower = 1;
  EXPECT_FALSE(
      is_inductive(test::task(one, {marking({3, 0})}, {}), linear({1, 1}, Relation::AtMost, 3)));
  one.transitions = {rule({2, 0}, {update(1, {0, 1}, -1)})};  // copies
  EXPECT_FALSE(
      is_inductive(test::task(one, {marking({3, 0})}, {}), linear({1, 1}, Relation::AtMost, 3)));
}

TEST(LinearInvariant, MustHoldForEveryInitialConfiguration) {
  model::CountingTask still = task(net(2), {marking({1, 1})}, {});
  EXPECT_TRUE(is_inductive(still, linear({1, -1}, Relation::Equal, 0)));
  still.question.initial[0].bounds[1].upper.reset();
  EXPECT_FALSE(is_inductive(still, linear({1, -1}, Relation::Equal, 0)));
  EXPECT_TRUE(is_inductive(still, linear({1, -1}, Relation::AtMost, 0)));
  EXPECT_FALSE(is_inductive(still, linear({1, 1}, Relation::AtMost, 100)));
}

TEST(LinearInvariant, OfThreads) {
  const auto in = [](model::ThreadTransition t) {
    return task(thread_system(1, 3, {std::move(t)}), {exactly(0, {0})}, {});
  };
  const auto grow = linear({1, 2}, Relation::AtMost, 1);
  EXPECT_FALSE(is_inductive(in(move(0, 0, 0, 1)), grow));
  EXPECT_TRUE(is_inductive(in(move(0, 1, 0, 0)), grow));
  EXPECT_FALSE(is_inductive(in(move(0, 1, 0, 0, {{0, 1}})), grow));
  EXPECT_FALSE(is_inductive(in(spawn(0, 0, 0, 0)), grow));
  EXPECT_TRUE(is_inductive(in(spawn(0, 0, 0, 2)), grow));
  EXPECT_FALSE(is_inductive(in(transfer(0, 0, 0, 1)), grow));
  EXPECT_TRUE(is_inductive(in(transfer(0, 0, 0, 2)), grow));
  EXPECT_FALSE(is_inductive(in(transfer(0, 0, 0, 2)), linear({1, 2}, Relation::Equal, 1)));
}

ClosedThreadStates closed(std::vector<unsigned> shared,
                          std::vector<std::pair<unsigned, unsigned>> states) {
  ClosedThreadStates result;
  for (const unsigned s : shared) result.shared.push_back(SharedState(s));
  for (const auto& [s, l] : states) result.states.push_back({SharedState(s), LocalState(l)});
  return result;
}

TEST(ClosedThreadStates, MustHaveTheInitialStates) {
  const auto task = test::task(thread_system(1, 2, {}), {any_number(0, {1})}, {});
  EXPECT_TRUE(is_inductive(task, closed({0}, {{0, 1}})));
  EXPECT_FALSE(is_inductive(task, closed({0}, {{0, 0}})));
  EXPECT_FALSE(is_inductive(task, closed({}, {{0, 1}})));
}

TEST(ClosedThreadStates, MustHaveWhatEveryKindOfStepLeadsTo) {
  const auto in = [](model::ThreadTransition t) {
    return task(thread_system(2, 3, {std::move(t)}), {any_number(0, {0})}, {});
  };
  const auto start = closed({0}, {{0, 0}});
  EXPECT_FALSE(is_inductive(in(move(0, 0, 1, 0)), start));
  EXPECT_FALSE(is_inductive(in(move(0, 0, 0, 1)), start));
  EXPECT_TRUE(is_inductive(in(move(0, 1, 1, 0)), start));
  EXPECT_FALSE(is_inductive(in(move(0, 0, 1, 1)), closed({0, 1}, {{0, 0}, {1, 1}})));
  EXPECT_TRUE(is_inductive(in(move(0, 0, 1, 1)), closed({0, 1}, {{0, 0}, {1, 0}, {1, 1}})));
  EXPECT_FALSE(is_inductive(in(move(0, 0, 0, 0, {{0, 0}, {0, 2}})), start));
  EXPECT_TRUE(is_inductive(in(move(0, 0, 0, 0, {{1, 2}})), start));
  EXPECT_FALSE(is_inductive(in(spawn(0, 0, 1, 1)), closed({0, 1}, {{0, 0}, {1, 1}})));
  EXPECT_TRUE(is_inductive(in(spawn(0, 0, 1, 1)), closed({0, 1}, {{0, 0}, {1, 0}, {1, 1}})));
  EXPECT_FALSE(is_inductive(in(transfer(0, 0, 1, 1)), start));
  EXPECT_FALSE(is_inductive(in(transfer(0, 2, 1, 1)), start));  // enabled without a thread
  EXPECT_TRUE(is_inductive(in(transfer(0, 0, 1, 1)), closed({0, 1}, {{0, 0}, {1, 1}})));
}

answer::ConcurrentPlaces random_places(std::uint32_t places, std::mt19937& random) {
  answer::ConcurrentPlaces result;
  for (std::uint32_t p = 0; p < places; ++p)
    if (below(4, random) != 0) result.markable.push_back(PlaceId(p));
  for (std::uint32_t p = 0; p < places; ++p)
    for (std::uint32_t q = p; q < places; ++q)
      if (below(2, random) != 0) result.together.emplace_back(PlaceId(p), PlaceId(q));
  return result;
}

Invariant random_invariant(const model::CountingModel& model, std::mt19937& random) {
  const auto counters = static_cast<std::uint32_t>(model::counter_count(model));
  if (std::holds_alternative<model::ThreadSystem>(model) && below(2, random) == 0) {
    ClosedThreadStates states;
    for (std::uint32_t s = 0; s < model::shared_count(model); ++s) {
      if (below(4, random) != 0) states.shared.push_back(SharedState(s));
      for (std::uint32_t l = 0; l < counters; ++l)
        if (below(3, random) != 0) states.states.push_back({SharedState(s), LocalState(l)});
    }
    return states;
  }
  if (std::holds_alternative<model::PetriNet>(model) && below(2, random) == 0)
    return random_places(counters, random);
  LinearInvariant invariant{{},
                            below(3, random) == 0 ? Relation::Equal : Relation::AtMost,
                            static_cast<int>(below(4, random)) - 1};
  for (std::uint32_t c = 0; c < counters; ++c)
    if (const int weight = static_cast<int>(below(4, random)) - 1; weight != 0)
      invariant.weights.push_back({PlaceId(c), weight});
  return invariant;
}

/// Each guard wants exactly so many tokens in one of the places.
model::PetriNet with_exact_guards(model::PetriNet net, std::mt19937& random) {
  for (model::PetriTransition& t : net.transitions) {
    const PlaceId place(below(static_cast<std::uint32_t>(net.places.size()), random));
    const base::Integer tokens = below(3, random);
    std::erase_if(t.guard, [&](const auto& bound) { return bound.counter == place; });
    t.guard.push_back({place, tokens, tokens});
    std::ranges::sort(t.guard, {}, &model::CounterBound::counter);
  }
  return net;
}

/// Without targets, and with an empty basis, the brute-force test looks at the invariant alone.
void expect_sound(const model::CountingTask& task, const Invariant& invariant,
                  std::map<std::size_t, int>& accepted) {
  if (!is_inductive(task, invariant)) return;
  ++accepted[invariant.index()];
  ASSERT_TRUE(naive::is_valid_basis(task, {{}, {invariant}}, 4));
}

TEST(Invariants, AcceptedOnesAreInductiveByBruteForce) {
  std::mt19937 random(6);
  std::map<std::size_t, int> accepted;  // by kind
  for (int round = 0; round < 6000; ++round) {
    const bool threads = round % 2 == 0;
    model::CountingModel model = threads ? model::CountingModel(random_system(random))
                                         : model::CountingModel(random_net(random));
    if (round % 4 == 1) model = with_exact_guards(std::get<model::PetriNet>(model), random);
    const auto task = test::task(model, {threads ? any_number(0, {0}) : marking({1})}, {});
    ASSERT_NO_FATAL_FAILURE(expect_sound(task, random_invariant(model, random), accepted))
        << "round " << round;
  }
  for (std::size_t kind = 0; kind < std::variant_size_v<Invariant>; ++kind)
    EXPECT_GT(accepted[kind], 50) << kind;
}

answer::ConcurrentPlaces relation(std::vector<unsigned> markable,
                                  std::vector<std::pair<unsigned, unsigned>> together) {
  answer::ConcurrentPlaces result;
  for (const unsigned p : markable) result.markable.push_back(PlaceId(p));
  for (const auto& [p, q] : together) result.together.emplace_back(PlaceId(p), PlaceId(q));
  return result;
}

TEST(ConcurrentPlaces, OfALock) {
  model::PetriNet lock = net(3);  // idle, critical, free
  lock.transitions = {rule({1, 0, 1}, {update(0, {0}, -1), update(1, {1}, 1), update(2, {2}, -1)}),
                      rule({0, 1}, {update(0, {0}, 1), update(1, {1}, -1), update(2, {2}, 1)})};
  const auto task = test::task(lock, {marking({2, 0, 1})}, {});
  EXPECT_TRUE(is_inductive(task, relation({0, 1, 2}, {{0, 0}, {0, 1}, {0, 2}})));
  EXPECT_FALSE(is_inductive(task, relation({0, 1, 2}, {{0, 1}, {0, 2}})));
  EXPECT_FALSE(is_inductive(task, relation({0, 1, 2}, {{0, 0}, {0, 2}})));
  EXPECT_FALSE(is_inductive(task, relation({0, 2}, {{0, 0}, {0, 2}})));
  lock.transitions.push_back(rule({0, 1, 1}, {update(1, {1}, 9)}));  // never enabled
  EXPECT_TRUE(is_inductive(test::task(lock, {marking({2, 0, 1})}, {}),
                           relation({0, 1, 2}, {{0, 0}, {0, 1}, {0, 2}})));
  const Exclusion exclusion({relation({0, 1, 2}, {{0, 0}, {0, 1}, {0, 2}})});
  EXPECT_TRUE(exclusion.excludes(Demand<MachineAmount>(configuration(0, {0, 2}))));
  EXPECT_TRUE(exclusion.excludes(Demand<MachineAmount>(configuration(0, {0, 1, 1}))));
  EXPECT_FALSE(exclusion.excludes(Demand<MachineAmount>(configuration(0, {5, 1}))));
}

TEST(ConcurrentPlaces, WhereAGuardWantsExactlySoManyTokensThereAreNoOthers) {
  model::PetriNet countdown = net(3);  // left, done, sum
  countdown.transitions = {rule({2}, {update(0, {0}, -1)}),
                           rule({}, {update(0, {0}, -1), update(1, {1}, 1)}),
                           rule({}, {update(0, {}, 0), update(2, {0, 2}, 0)})};
  countdown.transitions[1].guard = {{PlaceId(0u), 1, base::Integer(1)}};
  countdown.transitions[2].guard = {{PlaceId(0u), 1, base::Integer(1)}};
  const auto kept = [&] {
    return is_inductive(test::task(countdown, {marking({5})}, {}), relation({0, 1, 2}, {{0, 0}}));
  };
  EXPECT_TRUE(kept());
  countdown.transitions[2].guard[0].upper = 2;
  EXPECT_FALSE(kept()) << "sum may get two";
  countdown.transitions[2].guard = {{PlaceId(0u), 2, base::Integer(2)}};
  EXPECT_FALSE(kept()) << "sum gets two";
  countdown.transitions.pop_back();
  countdown.transitions[1].guard = {{PlaceId(0u), 1, std::nullopt}};
  EXPECT_FALSE(kept()) << "done while some are left";

  model::PetriNet never =
      net(3);  // without tokens in the second place, two are taken from the first
  never.transitions = {rule({}, {update(0, {0, 1}, -2), update(2, {}, 1)})};
  never.transitions[0].guard = {{PlaceId(1u), 0, base::Integer(0)}};
  EXPECT_TRUE(is_inductive(test::task(never, {marking({})}, {}), relation({}, {})));
}

TEST(Exclusion, OnlyRulesOutWhatNoLargerConfigurationCanSatisfy) {
  const Exclusion growing({linear({1, 2}, Relation::AtMost, 3)});
  EXPECT_TRUE(growing.excludes(Demand<MachineAmount>(configuration(0, {0, 2}))));
  EXPECT_FALSE(growing.excludes(Demand<MachineAmount>(configuration(0, {1, 1}))));
  const Exclusion mixed({linear({1, -1}, Relation::AtMost, 0)});
  EXPECT_FALSE(mixed.excludes(Demand<MachineAmount>(configuration(0, {5, 0}))));
  const Exclusion listed({closed({0}, {{0, 0}, {1, 1}})});
  EXPECT_FALSE(listed.excludes(Demand<MachineAmount>(configuration(0, {7}))));
  EXPECT_TRUE(listed.excludes(Demand<MachineAmount>(configuration(0, {7, 1}))));
  EXPECT_TRUE(listed.excludes(Demand<MachineAmount>(configuration(1, {0, 1}))));
}

}  // namespace
}  // namespace heddle::check::invariants_test
