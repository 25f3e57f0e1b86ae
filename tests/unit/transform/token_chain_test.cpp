#include "transform/token_chain.hpp"

#include <gtest/gtest.h>

#include "support/builders.hpp"

namespace heddle::transform {
namespace {

using model::LocalState;
using test::rule;
using test::update;

const LocalState a(0u), b(1u), c(2u), pool(3u);

std::expected<std::vector<ChainStep>, std::string> chain(const model::PetriTransition& t) {
  return token_chain(test::net(3), t, pool);
}

std::vector<ChainStep> steps(const model::PetriTransition& t) {
  const auto found = chain(t);
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error());
  return found.value_or(std::vector<ChainStep>{});
}

using Steps = std::vector<ChainStep>;

TEST(TokenChain, OneTokenThatMovesIsOneStep) {
  EXPECT_EQ(steps(rule({1}, {update(0, {0}, -1), update(1, {1}, 1)})), (Steps{{a, b, {}}}));
}

TEST(TokenChain, TestsAreSelfLoops) {
  EXPECT_EQ(steps(rule({1, 1}, {update(1, {1}, -1)})), (Steps{{a, a, {}}, {b, pool, {}}}));
}

TEST(TokenChain, TokensComeFromThePoolAndGoThere) {
  EXPECT_EQ(steps(rule({}, {update(2, {2}, 2)})), (Steps{{pool, c, {}}, {pool, c, {}}}));
  EXPECT_EQ(steps(rule({}, {update(2, {2}, -2)})), (Steps{{c, pool, {}}, {c, pool, {}}}));
}

/// a + b → b + c. With the steps a → b, b → c a single token in a would do.
TEST(TokenChain, NothingIsPutWhereALaterStepTakes) {
  const Steps found = steps(rule({1, 1}, {update(0, {0}, -1), update(2, {2}, 1)}));
  EXPECT_EQ(found, (Steps{{a, c, {}}, {b, b, {}}}));
}

TEST(TokenChain, AWeightIsNotTestedWithOneToken) {
  const Steps found = steps(rule({2}, {update(1, {1}, 1)}));
  EXPECT_EQ(found, (Steps{{a, b, {}}, {a, a, {}}, {pool, a, {}}}));
}

TEST(TokenChain, AResetSendsTokensToThePool) {
  EXPECT_EQ(steps(rule({}, {update(0, {})})), (Steps{{pool, pool, {{a, pool}}}}));
  EXPECT_EQ(steps(rule({0, 1}, {update(0, {}, 1)})), (Steps{{b, b, {{a, pool}}}, {pool, a, {}}}));
}

TEST(TokenChain, ATransferMovesThemOn) {
  const Steps found = steps(rule({1}, {update(0, {}), update(1, {0, 1})}));
  EXPECT_EQ(found, (Steps{{a, b, {{a, b}}}}));
}

TEST(TokenChain, WhatATransferBringsMayBeTaken) {
  const Steps found = steps(rule({}, {update(0, {}), update(1, {0, 1}, -1)}));
  EXPECT_EQ(found, (Steps{{pool, pool, {{a, b}}}, {b, pool, {}}}));
}

TEST(TokenChain, ARuleWithoutEffectHasNoSteps) { EXPECT_TRUE(steps(rule({2, 0, 1}, {})).empty()); }

TEST(TokenChain, RefusesWhatThreadsCannotDo) {
  EXPECT_EQ(chain(rule({}, {update(1, {0, 1})})).error(), "it copies the tokens of place p0");
  EXPECT_EQ(chain(rule({}, {update(0, {0, 0})})).error(), "it multiplies the tokens of place p0");
  EXPECT_EQ(chain(rule({}, {update(0, {0}, 10'001)})).error(),
            "it takes and gives 10001 tokens, more than 10000");
  model::PetriTransition bounded = rule({}, {update(0, {0}, 1)});
  bounded.guard = {{a, 0, base::Integer(2)}};
  EXPECT_EQ(chain(bounded).error(), "its guard has an upper bound");
}

}  // namespace
}  // namespace heddle::transform
