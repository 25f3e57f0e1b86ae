#include "check/pushdown/pushdown_through.hpp"

#include "transform/visits.hpp"

namespace heddle::check::pushdown_through_test {
namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::SharedState;
using model::StackSymbol;

/// Two threads; rules stand in lines 3, 4 and 6.
model::PushdownTask two_stacks() {
  const StackSymbol a(1u), b(2u);
  PushdownSystem system{3, {{a, b}, {a, b}}, {}};
  system.transitions = {{0, SharedState(0u), a, SharedState(1u), {b}, 3},
                        {0, SharedState(1u), b, SharedState(2u), {}, 4},
                        {1, SharedState(0u), a, SharedState(0u), {b, a}, 6}};
  const model::VisibleState start{SharedState(0u), {{0, a}}};
  return {system, {{start}, {{SharedState(2u), {}}}}};
}

TEST(PushdownThrough, TheTranslationAsksForRunsThroughTheRules) {
  const model::PushdownTask task = two_stacks();
  for (const std::set<std::uint32_t>& lines : {std::set<std::uint32_t>{}, {3}, {4, 6}, {3, 4, 6}})
    EXPECT_EQ(why_not_through(task, transform::reach_through(task, lines), lines), std::nullopt);
}

TEST(PushdownThrough, NothingElseDoes) {
  const model::PushdownTask task = two_stacks();
  const std::set<std::uint32_t> lines{4};
  const model::PushdownTask right = transform::reach_through(task, lines);
  EXPECT_NE(why_not_through(task, right, {3}), std::nullopt);
  EXPECT_NE(why_not_through(task, task, lines), std::nullopt);
  const auto changed = [&](auto change) {
    model::PushdownTask other = right;
    change(other, other.model);
    return why_not_through(task, other, lines);
  };
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NE(changed([&](auto&, PushdownSystem& s) { s.transitions[i].from.value ^= 1; }),
              std::nullopt);
    EXPECT_NE(changed([&](auto&, PushdownSystem& s) { s.transitions[i].to.value ^= 1; }),
              std::nullopt);
    EXPECT_NE(changed([&](auto&, PushdownSystem& s) { s.transitions[i].thread ^= 1; }),
              std::nullopt);
    EXPECT_NE(changed([&](auto&, PushdownSystem& s) { s.transitions[i].top.reset(); }),
              std::nullopt);
    EXPECT_NE(changed([&](auto&, PushdownSystem& s) { s.transitions[i].line = 9; }), std::nullopt);
  }
  EXPECT_NE(changed([](auto&, PushdownSystem& s) { s.transitions.pop_back(); }), std::nullopt);
  EXPECT_NE(changed([](auto&, PushdownSystem& s) { ++s.shared_count; }), std::nullopt);
  EXPECT_NE(changed([](model::PushdownTask& t, auto&) {
              t.question.targets[0].shared = SharedState(2u);
            }),
            std::nullopt);
  EXPECT_NE(changed([](model::PushdownTask& t, auto&) { t.question.initial.clear(); }),
            std::nullopt);
  EXPECT_NE(changed([](model::PushdownTask& t, auto&) { t.question.contexts = 1; }), std::nullopt);
}

}  // namespace
}  // namespace heddle::check::pushdown_through_test
