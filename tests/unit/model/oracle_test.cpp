#include "model/oracle.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::any_number;
using test::at_least;
using test::counts;
using test::exactly;
using test::marking;
using test::move;
using test::spawn;
using test::target;

const TransitionId t0(0u), t1(1u);

OracleAnswer ask(CountingModel model, const Region& initial, const Region& goal,
                 const OracleLimits& limits = {}) {
  return ask_oracle(test::task(std::move(model), {initial}, {goal}), limits);
}

bool exactly_not(const OracleAnswer& answer) {
  const auto* not_reached = std::get_if<NotReached>(&answer);
  return not_reached && not_reached->exact();
}

std::string left_out(const OracleAnswer& answer) {
  const auto* not_reached = std::get_if<NotReached>(&answer);
  return not_reached ? not_reached->left_out : "it was reached";
}

/// Two threads must meet: one opens the shared state, the other one passes.
ThreadSystem meeting() { return test::thread_system(2, 3, {move(0, 0, 1, 1), move(1, 0, 1, 2)}); }

TEST(Oracle, FindsAShortestWitness) {
  const auto answer = ask(meeting(), any_number(0, {0}), target(1, {2}));
  ASSERT_TRUE(std::holds_alternative<Reached>(answer)) << left_out(answer);
  const auto& reached = std::get<Reached>(answer);
  EXPECT_EQ(reached.initial, test::configuration(0, {2}));
  EXPECT_EQ(reached.steps, (std::vector<OracleStep>{{t0, {}}, {t1, {}}}));
}

TEST(Oracle, IsExactForAFixedNumberOfThreads) {
  EXPECT_TRUE(exactly_not(ask(meeting(), exactly(0, {0}), target(1, {2}))));
  EXPECT_TRUE(std::holds_alternative<Reached>(ask(meeting(), exactly(0, {0, 0}), target(1, {2}))));
}

TEST(Oracle, ACoveredInitialStateNeedsNoStep) {
  const auto answer = ask(meeting(), exactly(0, {0, 0}), target(0, {0}));
  ASSERT_TRUE(std::holds_alternative<Reached>(answer));
  EXPECT_TRUE(std::get<Reached>(answer).steps.empty());
}

TEST(Oracle, IsNotExactIfInitialThreadsWereCutOff) {
  const auto answer = ask(meeting(), any_number(0, {0}), target(1, {0, 2, 2, 2}));
  EXPECT_EQ(left_out(answer), "initial configurations with more than 3 in 0");
  OracleLimits more;
  more.max_unbounded = 5;
  EXPECT_TRUE(std::holds_alternative<Reached>(
      ask(meeting(), any_number(0, {0}), target(1, {0, 2, 2, 2}), more)));
}

TEST(Oracle, ABoundedInitialCounterWithinTheLimitIsNotCutOff) {
  PetriNet net = test::net(1);
  const Region few{SharedState(0u), {{Counter(0u), 1, Integer(4)}}};
  EXPECT_TRUE(exactly_not(ask(net, few, at_least({5}))));
  EXPECT_TRUE(std::holds_alternative<Reached>(ask(net, few, at_least({4}))));
  const Region many{SharedState(0u), {{Counter(0u), 1, Integer(5)}}};
  EXPECT_EQ(left_out(ask(net, many, at_least({5}))),
            "initial configurations with more than 4 in p0");
}

TEST(Oracle, IsNotExactIfSuccessorsWerePruned) {
  const ThreadSystem spawner = test::thread_system(1, 2, {spawn(0, 0, 0, 0)});
  EXPECT_EQ(left_out(ask(spawner, exactly(0, {0}), target(0, {1}))),
            "successors of configurations with more than 6 in total");
}

TEST(Oracle, LooksAtConfigurationsThatItDoesNotExpand) {
  const ThreadSystem spawner = test::thread_system(1, 1, {spawn(0, 0, 0, 0)});
  const std::vector<unsigned> seven(7, 0), eight(8, 0);
  EXPECT_TRUE(std::holds_alternative<Reached>(ask(spawner, exactly(0, {0}), target(0, seven))));
  EXPECT_FALSE(std::holds_alternative<Reached>(ask(spawner, exactly(0, {0}), target(0, eight))));
}

TEST(Oracle, IsNotExactIfThereWereTooManyConfigurations) {
  OracleLimits limits;
  limits.max_configurations = 2;
  const auto answer = ask(meeting(), exactly(0, {0, 0}), target(1, {2}), limits);
  EXPECT_EQ(left_out(answer), "configurations after the first 2");
}

TEST(Oracle, TriesEverySplitOfPassiveThreads) {
  const ThreadSystem system = test::thread_system(2, 4, {move(0, 0, 1, 0, {{1, 2}, {1, 3}})});
  const auto answer = ask(system, exactly(0, {0, 1, 1}), target(1, {2, 3}));
  ASSERT_TRUE(std::holds_alternative<Reached>(answer));
  const std::vector<PassiveFlow> flows = {{Counter(1u), Counter(2u), 1},
                                          {Counter(1u), Counter(3u), 1}};
  EXPECT_EQ(std::get<Reached>(answer).steps, (std::vector<OracleStep>{{t0, flows}}));
  EXPECT_TRUE(exactly_not(ask(system, exactly(0, {0, 1, 1}), target(1, {1}))));
}

TEST(Oracle, HonoursUpperGuards) {
  PetriNet net = test::net(2);
  net.transitions.push_back(test::rule({}, {test::update(1, {1}, 1), test::update(0, {0}, -1)}));
  net.transitions[0].guard = {{Counter(0u), 1, Integer(1)}};
  EXPECT_TRUE(std::holds_alternative<Reached>(ask(net, marking({1, 0}), at_least({0, 1}))));
  EXPECT_TRUE(exactly_not(ask(net, marking({2, 0}), at_least({0, 1}))));
}

TEST(Oracle, HonoursUpperBoundsOfTargets) {
  PetriNet net = test::net(1);
  add_transition(net, "", counts({2}), counts({}));
  EXPECT_TRUE(std::holds_alternative<Reached>(ask(net, marking({4}), marking({2}))));
  EXPECT_TRUE(exactly_not(ask(net, marking({4}), marking({1}))));
}

TEST(Oracle, AnyOfSeveralTargetsAndInitialRegionsWillDo) {
  const Oracle oracle(meeting(), {exactly(1, {1}), exactly(0, {0})}, {});
  EXPECT_EQ(oracle.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Reached>(oracle.ask({target(1, {2}), target(0, {0})})));
  EXPECT_TRUE(exactly_not(oracle.ask({target(1, {2}), target(0, {1})})));
  EXPECT_TRUE(exactly_not(oracle.ask({})));
}

}  // namespace
}  // namespace heddle::model
