#include "model/petri_net.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::model {
namespace {

using base::Integer;
using test::configuration;
using test::counts;
using test::rule;
using test::update;

const PlaceId p0(0u), p1(1u);

std::expected<Configuration, std::string> fire(const PetriTransition& t,
                                               const Configuration& from) {
  PetriNet net = test::net(3);
  net.transitions.push_back(t);
  return step(net, from, TransitionId(0u));
}

std::string why_not(const PetriTransition& t, const Configuration& from) {
  const auto after = fire(t, from);
  return after ? "it is possible" : after.error();
}

TEST(PetriNet, OrdinaryTransitionsTakeAndGive) {
  PetriNet net = test::net(3);
  add_transition(net, "t", counts({2, 1}), counts({0, 1, 3}));
  EXPECT_EQ(net.transitions[0].name, "t");
  EXPECT_EQ(step(net, configuration(0, {5, 1}), TransitionId(0u)), configuration(0, {3, 1, 3}));
  EXPECT_EQ(step(net, configuration(0, {5}), TransitionId(0u)).error(),
            "place p1 holds 0, the guard asks for at least 1");
  EXPECT_EQ(step(net, configuration(0, {1, 1}), TransitionId(0u)).error(),
            "place p0 holds 1, the guard asks for at least 2");
  EXPECT_EQ(step(net, configuration(0, {}), TransitionId(7u)).error(), "there is no transition 7");
}

TEST(PetriNet, ReadArcsLeaveNoUpdate) {
  PetriNet net = test::net(2);
  add_transition(net, "", counts({1}), counts({1, 1}));
  EXPECT_EQ(net.transitions[0].updates, std::vector{update(1, {1}, 1)});
  EXPECT_EQ(net.transitions[0].guard, (std::vector<CounterBound>{{p0, 1, std::nullopt}}));
}

TEST(PetriNet, UpperBoundsDisable) {
  PetriTransition zero_test = rule({}, {update(1, {1}, 1)});
  zero_test.guard = {{p0, 0, Integer(0)}};
  EXPECT_EQ(fire(zero_test, configuration(0, {0, 1})), configuration(0, {0, 2}));
  EXPECT_EQ(why_not(zero_test, configuration(0, {1})),
            "place p0 holds 1, the guard asks for at most 0");
  EXPECT_FALSE(is_monotone(zero_test));
  EXPECT_TRUE(is_monotone(rule({1}, {})));
}

TEST(PetriNet, ResetsTransfersAndCopies) {
  EXPECT_EQ(fire(rule({}, {update(0, {}, 2)}), configuration(0, {7, 1})), configuration(0, {2, 1}));
  EXPECT_EQ(fire(rule({}, {update(0, {}), update(1, {0, 1})}), configuration(0, {7, 1})),
            configuration(0, {0, 8}));
  EXPECT_EQ(fire(rule({}, {update(1, {0, 0, 1}, 1)}), configuration(0, {7, 1})),
            configuration(0, {7, 16}));
}

TEST(PetriNet, UpdatesReadTheMarkingBeforeTheStep) {
  EXPECT_EQ(fire(rule({}, {update(0, {1}), update(1, {0})}), configuration(0, {7, 1})),
            configuration(0, {1, 7}));
}

TEST(PetriNet, NoPlaceBecomesNegative) {
  const PetriTransition t = rule({}, {update(1, {0, 1}, -3)});
  EXPECT_EQ(why_not(t, configuration(0, {1, 1})), "place p1 would become negative");
  EXPECT_EQ(fire(t, configuration(0, {1, 2})), configuration(0, {1}));
}

TEST(PetriNet, TokensAreExactBeyondMachineWords) {
  const Integer large("18446744073709551616");  // 2^64
  const Configuration from{SharedState(0u), {{p0, large}}};
  const Configuration expected{SharedState(0u), {{p0, large}, {p1, 2 * large - 1}}};
  EXPECT_EQ(fire(rule({1}, {update(1, {0, 0}, -1)}), from), expected);
}

TEST(PetriNet, ShiftsAreRecognised) {
  EXPECT_TRUE(update(1, {1}, -4).is_shift());
  EXPECT_FALSE(update(1, {0}, 1).is_shift());
  EXPECT_FALSE(update(1, {1, 1}).is_shift());
  EXPECT_FALSE(update(1, {0, 1}).is_shift());
  EXPECT_FALSE(update(1, {}, 1).is_shift());
}

TEST(PetriNet, SameStepIgnoresNamesNotesAndLines) {
  PetriTransition a = rule({1}, {update(0, {0}, -1)});
  PetriTransition b = a;
  b.name = "b";
  b.note = "a note";
  b.line = 3;
  EXPECT_TRUE(a.same_step(b));
  EXPECT_FALSE(a.same_step(rule({1}, {})));
  EXPECT_FALSE(a.same_step(rule({2}, {update(0, {0}, -1)})));
}

}  // namespace
}  // namespace heddle::model
