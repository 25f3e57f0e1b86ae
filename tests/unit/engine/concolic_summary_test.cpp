/// Alg. 2, Lemma 3 and Theorem 3 of papers/cutr.txt, with thread creation: every closed form
/// against the step by step meaning that it abbreviates.

#include <gtest/gtest.h>

#include <map>

#include "engine/concolic/affine.hpp"
#include "engine/concolic/summary.hpp"
#include "engine/concolic/symbolic_demand.hpp"
#include "support/builders.hpp"
#include "support/random.hpp"

namespace heddle::engine::concolic {
namespace {

using base::Integer;
using model::StepKind;
using model::ThreadTransition;
using test::move;
using test::Random;
using test::spawn;

using Demand = std::vector<Integer>;  // by local state

/// The least demand that firing the transition turns into one that covers `after`: from the
/// semantics of moves and spawns, not from the summaries.
Demand fire_backward(const ThreadTransition& t, Demand after) {
  Demand given(after.size(), 0), taken(after.size(), 0);
  ++taken[t.source.local.index()];
  ++given[t.target.local.index()];
  if (t.kind == StepKind::Spawn) ++given[t.source.local.index()];
  for (std::size_t l = 0; l < after.size(); ++l)
    after[l] = std::max<Integer>(after[l] - given[l], 0) + taken[l];
  return after;
}

constexpr unsigned kLocals = 4;

std::vector<ThreadTransition> random_walk(Random& random) {
  std::vector<ThreadTransition> walk;
  for (unsigned i = random.between(1, 6); i > 0; --i) {
    const unsigned l = random.below(kLocals), k = random.below(kLocals);
    walk.push_back(random.one_in(3) ? spawn(0, l, 0, k) : move(0, l, 0, k));
  }
  return walk;
}

Demand random_demand(Random& random) {
  Demand demand(kLocals);
  for (Integer& count : demand) count = random.one_in(3) ? random.below(20) : random.below(3);
  return demand;
}

Summary summary_of_walk(const std::vector<ThreadTransition>& walk) {
  Summary summary;
  for (auto t = walk.rbegin(); t != walk.rend(); ++t) summary = then(summary, summary_of(*t));
  return summary;
}

Demand fire_walk(const std::vector<ThreadTransition>& walk, Demand demand) {
  for (auto t = walk.rbegin(); t != walk.rend(); ++t) demand = fire_backward(*t, demand);
  return demand;
}

TEST(Summary, OfSingleTransitions) {
  EXPECT_EQ(summary_of(move(0, 1, 1, 2)), (Summary{{1, {1, 1}}, {2, {-1, 0}}}));
  EXPECT_EQ(summary_of(move(0, 1, 1, 1)), (Summary{{1, {0, 1}}}));
  EXPECT_EQ(summary_of(spawn(0, 1, 1, 2)), (Summary{{1, {0, 1}}, {2, {-1, 0}}}));
  EXPECT_EQ(summary_of(spawn(0, 1, 1, 1)), (Summary{{1, {-1, 1}}}));
  EXPECT_FALSE(is_summable(test::transfer(0, 1, 1, 2)));
  EXPECT_FALSE(is_summable(move(0, 1, 1, 2, {{0, 1}})));
}

/// Alg. 2 and Lemma 3: a walk is one update for each counter.
TEST(Summary, OfAWalkIsItsStepsOneAfterTheOther) {
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const auto walk = random_walk(random);
    const Demand after = random_demand(random);
    Demand summarised = after;
    for (const auto& [local, update] : summary_of_walk(walk)) {
      EXPECT_GE(update.floor, std::max<std::int64_t>(update.shift, 0));
      summarised[local] = repeat(update, 1, after[local]);
    }
    ASSERT_EQ(summarised, fire_walk(walk, after)) << "seed " << seed;
  }
}

/// Theorem 3 and κ = 0.
TEST(Summary, RoundsOfALoopAreTheLoopManyTimes) {
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const auto loop = random_walk(random);
    const Summary round = summary_of_walk(loop);
    const Demand after = random_demand(random);
    Demand stepwise = after;
    for (unsigned rounds = 0; rounds < 12; ++rounds) {
      Demand closed = after;
      for (const auto& [local, update] : round)
        closed[local] = repeat(update, rounds, after[local]);
      ASSERT_EQ(closed, stepwise) << "seed " << seed << ", " << rounds << " rounds";
      stepwise = fire_walk(loop, stepwise);
    }
  }
}

TEST(Summary, RoundsMayBeHuge) {
  const Integer huge = Integer(1) << 200;
  EXPECT_EQ(repeat({2, 3}, huge, 5), 2 * huge + 5);
  EXPECT_EQ(repeat({2, 7}, huge, 1), 2 * huge + 5);
  EXPECT_EQ(repeat({-1, 1}, huge, huge + 4), 4);
  EXPECT_EQ(repeat({-1, 1}, huge, 12), 1);
}

// ---------------------------------------------------------------- maxima of affine forms

Integer value(const Affine& form, const std::map<Unknown, Integer>& at) {
  Integer sum = form.constant;
  for (const auto& [unknown, factor] : form.terms) sum += factor * at.at(unknown);
  return sum;
}

Integer value(const Maximum& maximum, const std::map<Unknown, Integer>& at) {
  Integer most = 0;
  for (const Affine& form : maximum.forms()) most = std::max(most, value(form, at));
  return most;
}

std::map<Unknown, Integer> unknowns(unsigned first, unsigned second) {
  return {{rounds_of(0), first},
          {entered_of(0), first > 0 ? 1 : 0},
          {rounds_of(1), second},
          {entered_of(1), second > 0 ? 1 : 0}};
}

Demand rounds(const std::vector<ThreadTransition>& loop, unsigned count, Demand demand) {
  for (unsigned i = 0; i < count; ++i) demand = fire_walk(loop, demand);
  return demand;
}

/// A path with two loops: the symbolic demand, with numbers put in, is the demand.
TEST(SymbolicDemand, IsTheDemandForAllNumbersOfRounds) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto end = random_walk(random), loop = random_walk(random), middle = random_walk(random),
               first = random_walk(random);
    const Demand target = random_demand(random);
    SymbolicDemand symbolic;
    for (std::uint32_t l = 0; l < kLocals; ++l) symbolic.raise(l, target[l]);
    symbolic.fire(summary_of_walk(end));
    symbolic.repeat(summary_of_walk(loop), 1);
    symbolic.fire(summary_of_walk(middle));
    symbolic.repeat(summary_of_walk(first), 0);
    for (unsigned i = 0; i < 5; ++i)
      for (unsigned k = 0; k < 5; ++k) {
        Demand expected = rounds(loop, k, fire_walk(end, target));
        expected = rounds(first, i, fire_walk(middle, expected));
        Demand found(kLocals, 0);
        for (const auto& [local, count] : symbolic.counts())
          found[local] = value(count, unknowns(i, k));
        ASSERT_EQ(found, expected) << "seed " << seed << ", rounds " << i << " and " << k;
      }
  }
}

Affine random_form(Random& random) {
  Affine form{static_cast<int>(random.below(5)) - 2, {}};
  for (Unknown u = 0; u < 4; ++u)
    if (random.one_in(2)) form.add(u, static_cast<int>(random.below(5)) - 2);
  return form;
}

TEST(Affine, WhatLiesBelowIsNeverLarger) {
  unsigned below = 0;
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    Random random(seed);
    const Affine a = random_form(random), b = random_form(random);
    Maximum m, n;
    for (unsigned i = random.below(3); i > 0; --i) m.raise(random_form(random));
    for (unsigned i = random.below(4); i > 0; --i) n.raise(random_form(random));
    below += a.below(b) + m.below(n);
    for (unsigned i = 0; i < 4; ++i) {
      const auto at = unknowns(random.below(9), random.below(9));
      if (a.below(b)) {
        EXPECT_LE(value(a, at), value(b, at));
      }
      if (a.never_positive()) {
        EXPECT_LE(value(a, at), 0);
      }
      if (a.always_above(1)) {
        EXPECT_GT(value(a, at), 1);
      }
      if (m.below(n)) {
        EXPECT_LE(value(m, at), value(n, at));
      }
    }
  }
  EXPECT_GT(below, 500u) << "the relation should be met often";
}

/// Loop 0 is read as loop 1, and loop 1 as none.
TEST(Affine, ARenamingIsASubstitution) {
  unsigned below = 0;
  const Renaming renaming{{0, 1}};
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    Random random(seed);
    const Affine a = random_form(random), b = random_form(random);
    Affine renamed{a.constant, {}};
    for (const auto& [unknown, factor] : a.terms)
      if (unknown < 2) renamed.add(unknown + 2, factor);
    EXPECT_EQ(a.below(b, renaming), renamed.below(b)) << "seed " << seed;
    EXPECT_EQ(a.never_positive(renaming), renamed.never_positive()) << "seed " << seed;
    below += renamed.below(b);
  }
  EXPECT_GT(below, 200u) << "the relation should be met often";
}

TEST(Affine, RaisingKeepsTheMaximumAndNoMore) {
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    std::vector<Affine> forms;
    for (unsigned i = random.below(6); i > 0; --i) forms.push_back(random_form(random));
    Maximum maximum;
    for (const Affine& form : forms) maximum.raise(form);
    const auto at = unknowns(random.below(9), random.below(9));
    Integer expected = 0;
    for (const Affine& form : forms) expected = std::max(expected, value(form, at));
    EXPECT_EQ(value(maximum, at), expected);
    for (const Affine& a : maximum.forms())
      for (const Affine& b : maximum.forms()) EXPECT_TRUE(&a == &b || !a.below(b));
  }
}

}  // namespace
}  // namespace heddle::engine::concolic
