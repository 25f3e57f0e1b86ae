/// The parts of the engine `pushdown`: languages, saturation, search by contexts, visible states.

#include <gtest/gtest.h>

#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/evidence.hpp"
#include "engine/pushdown/visible_states.hpp"
#include "frontend/notation.hpp"
#include "model/pushdown_oracle.hpp"
#include "support/pushdown_task.hpp"

namespace heddle::engine::pushdown {
namespace {

using State = StackDfa::State;

bool holds(const Languages& languages, Language language, const std::vector<Symbol>& word) {
  const StackDfa& dfa = languages.automaton(language);
  std::optional<std::uint32_t> at = 0;
  for (const Symbol symbol : word)
    if (at) at = dfa.states[*at].next(symbol);
  return at && dfa.states[*at].accepting;
}

/// (0 0)* in two ways: with two states, and with four of which two are the same and one is dead.
TEST(PushdownLanguages, EqualLanguagesHaveOneNumber) {
  Languages languages;
  const MinimalStates two = minimise({State{true, {{0, 1}}}, State{false, {{0, 0}}}});
  const MinimalStates five =
      minimise({State{true, {{0, 1}, {1, 4}}}, State{false, {{0, 2}}}, State{true, {{0, 3}}},
                State{false, {{0, 0}}}, State{false, {{1, 4}}}});
  EXPECT_EQ(five.states.size(), 2U);
  EXPECT_FALSE(five.class_of[4]);
  const Language even = languages.intern(two.states, *two.class_of[0]);
  EXPECT_EQ(languages.intern(five.states, *five.class_of[2]), even);
  EXPECT_NE(languages.intern(five.states, *five.class_of[3]), even);
  EXPECT_TRUE(languages.includes(even, languages.word({0, 0})));
  EXPECT_TRUE(languages.includes(even, languages.word({})));
  EXPECT_FALSE(languages.includes(even, languages.word({0})));
  EXPECT_FALSE(languages.includes(languages.word({0, 0}), even));
}

/// 0 calls itself under 1; when it returns, the 1s are taken away two at a time.
const std::string kCalls = "3\nPDA 0 1\n0 0 -> 0 0 1\n0 0 -> 1 -\n1 1 -> 2 -\n2 1 -> 1 -\n";

TEST(PostStar, ReachesRegularSetsOfStacks) {
  const model::PushdownTask task = test::pushdown_task(kCalls, "0|0", "2|-");
  StackThreads facts(task);
  base::RunContext context;
  Languages& languages = facts.languages(0);
  const auto& reached = *facts.reached(0, {0, languages.word({0})}, context);
  ASSERT_EQ(reached.size(), 3U);
  EXPECT_TRUE(holds(languages, reached[0].stacks, {0, 1, 1, 1}));
  EXPECT_FALSE(holds(languages, reached[0].stacks, {1, 1}));
  EXPECT_FALSE(holds(languages, reached[0].stacks, {}));
  for (const SharedStacks& after : {reached[1], reached[2]}) {
    EXPECT_TRUE(holds(languages, after.stacks, {}));
    EXPECT_TRUE(holds(languages, after.stacks, {1, 1, 1}));
    EXPECT_FALSE(holds(languages, after.stacks, {0}));
  }
  EXPECT_EQ(reached[1].stacks, reached[2].stacks);
}

TEST(PostStar, ExplainsWhatItReaches) {
  const model::PushdownTask task = test::pushdown_task(kCalls, "0|0", "2|-");
  StackThreads facts(task);
  base::RunContext context;
  const PostStar saturated(facts.rules(0), facts.languages(0), {0, facts.languages(0).word({0})},
                           context);
  const PostStar::Witness why = saturated.witness(2, {1, 1});
  EXPECT_EQ(why.start, std::vector<Symbol>{0});
  std::vector<std::uint32_t> rules;
  for (const model::TransitionId id : why.steps) rules.push_back(id.value);
  EXPECT_EQ(rules, (std::vector<std::uint32_t>{0, 0, 0, 1, 2}));
}

/// Symbols are pushed at will, and the one at a fixed height above the bottom is a 1: from the top
/// down, a deterministic automaton has to remember as many symbols as lie below it.
std::string height_rules(unsigned height) {
  std::string out = std::to_string(height + 2) + "\nPDA 0 1\n";
  const auto push = [&](unsigned from, unsigned to, unsigned top, unsigned pushed) {
    out += std::to_string(from) + " " + std::to_string(top) + " -> " + std::to_string(to) + " " +
           std::to_string(pushed) + " " + std::to_string(top) + "\n";
  };
  for (const unsigned top : {0U, 1U}) {
    push(height, height + 1, top, 1);
    for (const unsigned pushed : {0U, 1U}) {
      for (unsigned i = 0; i < height; ++i) push(i, i + 1, top, pushed);
      push(height + 1, height + 1, top, pushed);
    }
  }
  return out;
}

TEST(PostStar, LimitsEndWhatIsExponential) {
  const model::PushdownTask task = test::pushdown_task(height_rules(12), "0|0", "13|-");
  StackThreads facts(task);
  base::RunContext few(base::Limits{.deadline = {}, .steps = 2'000, .memory_mb = {}});
  const SharedStacks start{0, facts.languages(0).word({0})};
  EXPECT_FALSE(facts.reached(0, start, few));
  EXPECT_EQ(few.stopped(), base::StopReason::StepLimit);
  base::RunContext unlimited;
  EXPECT_TRUE(facts.reached(0, start, unlimited));
}

/// Each context of thread 1 takes one 1 away; the 2 comes up in its third.
const std::string kStall =
    "2\nPDA 1 9\n0 9 -> 0 8 2\n0 8 -> 0 7 1\n0 7 -> 0 6 1\n0 6 -> 0 1\n0 1 -> 1 -\n"
    "PDA 5 5\n1 5 -> 0 5\n";

TEST(ContextSearch, CountsRoundsAndContexts) {
  const model::PushdownTask task = test::pushdown_task(kStall, "0|9,5", "1|2,*");
  StackThreads facts(task);
  base::RunContext context;
  ContextSearch rounds(facts, task.question, context);
  EXPECT_TRUE(rounds.round());
  EXPECT_TRUE(rounds.round());
  EXPECT_FALSE(rounds.closed());
  EXPECT_FALSE(rounds.round());
  ASSERT_TRUE(rounds.hit());
  const answer::PushdownRun trace = trace_to(facts, rounds.products(), *rounds.hit());
  EXPECT_EQ(context_count(trace), 5U);
  ContextSearch contexts(facts, task.question, context);
  while (contexts.any_context()) {
  }
  ASSERT_TRUE(contexts.hit());
  EXPECT_EQ(contexts.products().turn(contexts.hit()->product), 5U);
}

TEST(ContextSearch, OtherOrdersOfThreadsCostRoundsNotContexts) {
  // thread 2 must go first
  const model::PushdownTask task =
      test::pushdown_task("3\nPDA 0 0\n1 0 -> 2 0\nPDA 0 0\n0 0 -> 1 0\n", "0|0,0", "2|*,*");
  const auto oracle = ask_pushdown_oracle(task, {});
  EXPECT_EQ(oracle.rounds, 2U);
  EXPECT_EQ(oracle.contexts, 2U);
  StackThreads facts(task);
  base::RunContext context;
  ContextSearch rounds(facts, task.question, context);
  EXPECT_TRUE(rounds.round());
  EXPECT_FALSE(rounds.round());
}

TEST(VisibleStates, KnowWhatMayLieBelow) {
  const model::PushdownTask task = test::pushdown_task(kStall, "0|9,5", "1|2,*");
  StackThreads facts(task);
  base::RunContext context;
  const VisibleStates visible(facts, task.question, 100, context);
  ASSERT_TRUE(visible.complete());
  const auto may_see = [&](const std::string& target) {
    const auto regions =
        frontend::Notation<model::PushdownSystem>::parse_targets(task.model, {"target", target});
    return visible.meets(target_tops(facts, *regions).at(0));
  };
  EXPECT_TRUE(may_see("1|2,5"));
  EXPECT_TRUE(may_see("1|1,5"));
  EXPECT_FALSE(may_see("1|-,5"));
  EXPECT_FALSE(may_see("1|9,5"));
  EXPECT_FALSE(VisibleStates(facts, task.question, 3, context).complete());
}

}  // namespace
}  // namespace heddle::engine::pushdown
