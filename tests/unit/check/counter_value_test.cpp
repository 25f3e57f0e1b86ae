#include "check/pathwise/counter_value.hpp"

#include <gtest/gtest.h>

#include "check/counting/predecessors.hpp"
#include "support/builders.hpp"

namespace heddle::check::counter_value_test {
namespace {

using base::Integer;
using namespace heddle::test;

Integer applied(const Update& update, const Integer& n) {
  return std::max<Integer>(n + update.shift, update.floor);
}

TEST(CounterUpdate, OneAfterTheOtherIsOneUpdate) {
  for (int s = -3; s <= 3; ++s)
    for (int f = 0; f <= 3; ++f)
      for (int s2 = -3; s2 <= 3; ++s2)
        for (int f2 = 0; f2 <= 3; ++f2)
          for (int n = 0; n <= 8; ++n)
            EXPECT_EQ(applied(Update{s, f}.then({s2, f2}), n),
                      applied({s2, f2}, applied({s, f}, n)));
}

/// Theorem 3 of papers/cutr.txt in the form of path_formula.hpp.
TEST(CounterUpdate, ManyRoundsHaveAClosedForm) {
  for (int s = -3; s <= 3; ++s)
    for (int f = 0; f <= 4; ++f)
      for (int n = 0; n <= 8; ++n) {
        Integer value = n;
        for (int rounds = 1; rounds <= 6; ++rounds) {
          value = applied({s, f}, value);
          EXPECT_EQ(value, std::max(n + rounds * s, f + (rounds - 1) * std::max(s, 0)));
        }
      }
}

/// The checker of backward bases derives its predecessors from the semantics in another way.
TEST(CounterUpdate, TransitionsDoWhatTheirLeastPredecessorsSay) {
  for (const bool is_spawn : {false, true})
    for (unsigned l = 0; l < 3; ++l)
      for (unsigned l2 = 0; l2 < 3; ++l2)
        for (unsigned code = 0; code < 64; ++code) {
          const model::ThreadTransition t = is_spawn ? spawn(0, l, 1, l2) : move(0, l, 1, l2);
          const model::Configuration demand = configuration(1, {code % 4, code / 4 % 4, code / 16});
          model::Configuration before{model::SharedState(0u), demand.counts};
          for (const auto& [local, update] : updates_of(t))
            before.counts.set(model::LocalState(local),
                              applied(update, demand.counts[model::LocalState(local)]));
          make_predecessors<Integer>(thread_system(2, 3, {t}))
              ->for_each(0, Demand<Integer>(demand), [&](const Demand<Integer>& least) {
                EXPECT_EQ(least.configuration(), before);
                return true;
              });
        }
}

}  // namespace
}  // namespace heddle::check::counter_value_test
