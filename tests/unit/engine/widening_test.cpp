/// Larger languages of stacks: they include the given ones, are finitely many, and keep what they
/// are meant to keep; the search with them is closed under steps.

#include "engine/pushdown/widening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "engine/pushdown/context_search.hpp"
#include "engine/pushdown/evidence.hpp"
#include "support/pushdown_task.hpp"
#include "support/random_pushdown.hpp"

namespace heddle::engine::pushdown {
namespace {

using State = StackDfa::State;

/// Thread 1 calls, and returns counting modulo 2.
const std::string kParity =
    "5\nPDA 0 1\n0 0 -> 1 0 1\n1 0 -> 2 0 1\n3 0 -> 3 -\n3 1 -> 4 -\n4 1 -> 3 -\n"
    "PDA 5 6\n2 5 -> 0 5\n2 5 -> 3 6\n";

Language called(Languages& languages, std::size_t times) {
  std::vector<Symbol> stack(times + 1, 1);
  stack.front() = 0;
  return languages.word(stack);
}

/// A few long stacks, some of which have loops in them.
std::optional<Language> random_language(Languages& languages, test::Random& random) {
  std::vector<State> states(random.between(3, 15));
  const auto count = static_cast<unsigned>(states.size());
  for (unsigned i = 0; i < count; ++i) {
    states[i].accepting = i + 1 == count || random.one_in(8);
    for (const Symbol symbol : {0U, 1U})
      if (!random.one_in(3))
        states[i].edges.emplace_back(
            symbol, random.one_in(8) ? random.below(count) : std::min(i + 1, count - 1));
  }
  const MinimalStates minimal = minimise(states);
  if (!minimal.class_of[0]) return std::nullopt;
  return languages.intern(minimal.states, *minimal.class_of[0]);
}

TEST(Widening, IncludesWhatIsGivenAndGetsCloser) {
  const model::PushdownTask task = test::pushdown_task(kParity, "0|0,5", "4|-,*");
  StackThreads facts(task);
  Languages& languages = facts.languages(0);
  std::vector<Widening> levels;
  for (const std::uint32_t level : {1U, 2U, 3U, 4U}) levels.emplace_back(facts, level);
  test::Random random(7);
  unsigned larger = 0, closer = 0;
  for (int i = 0; i < 500; ++i) {
    const auto language = random_language(languages, random);
    if (!language) continue;
    Language before = levels[0](0, *language);
    larger += before != *language ? 1 : 0;
    for (Widening& level : levels) {
      const Language wide = level(0, *language);
      EXPECT_TRUE(languages.includes(wide, *language));
      EXPECT_TRUE(languages.includes(before, wide));
      closer += wide != before ? 1 : 0;
      before = wide;
    }
  }
  EXPECT_GT(larger, 50U);
  EXPECT_GT(closer, 20U);
}

TEST(Widening, LeavesFinitelyManyLanguages) {
  const model::PushdownTask task = test::pushdown_task(kParity, "0|0,5", "4|-,*");
  StackThreads facts(task);
  for (const std::uint32_t level : {1U, 2U, 3U, 4U}) {
    Widening widening(facts, level);
    std::set<Language> found;
    for (std::size_t times = 0; times < 30; ++times)
      found.insert(widening(0, called(facts.languages(0), times)));
    for (std::size_t times = 30; times < 100; ++times)
      EXPECT_TRUE(found.contains(widening(0, called(facts.languages(0), times))))
          << times << " calls, level " << level;
    EXPECT_LT(found.size(), 20U) << "level " << level;
  }
}

TEST(Widening, KeepsWhatReturnsDoFromLevelTwoOn) {
  const model::PushdownTask task = test::pushdown_task(kParity, "0|0,5", "4|-,*");
  StackThreads facts(task);
  Languages& languages = facts.languages(0);
  Widening first(facts, 1), second(facts, 2);
  const Language eight = called(languages, 8);
  EXPECT_TRUE(languages.includes(first(0, eight), called(languages, 9)));
  EXPECT_TRUE(languages.includes(second(0, eight), called(languages, 10)));
  EXPECT_FALSE(languages.includes(second(0, eight), called(languages, 9)));
}

/// 70 shared states are too many for relations, which leaves the rest of what is looked at.
TEST(Widening, GivesUpOnReturnsWithManySharedStates) {
  std::string text = "70\nPDA 0 1\n0 0 -> 0 0 1\n";
  for (int i = 0; i + 1 < 70; ++i)
    text += std::to_string(i) + " 1 -> " + std::to_string(i + 1) + " -\n";
  const model::PushdownTask task = test::pushdown_task(text, "0|0", "69|-");
  StackThreads facts(task);
  Widening first(facts, 1), second(facts, 2);
  const Language eight = called(facts.languages(0), 8);
  EXPECT_EQ(first(0, eight), second(0, eight));
}

TEST(Widening, ItsSearchIsClosedUnderSteps) {
  test::Random random(11);
  unsigned closed = 0, larger = 0;
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    model::PushdownTask task = test::random_pushdown(random, 3);
    task.question.targets.clear();
    StackThreads facts(task);
    base::Limits limits;
    limits.steps = 1000;
    base::RunContext context(limits);
    Widening widening(facts, 1 + static_cast<std::uint32_t>(i) % 3);
    ContextSearch search(facts, task.question, context, &widening);
    while (!search.closed() && search.round()) {
    }
    if (!search.closed()) continue;
    ++closed;
    ContextSearch exact(facts, task.question, context);
    for (int round = 0; round < 10 && !exact.closed(); ++round) exact.round();
    larger += exact.closed() ? 0 : 1;
    const answer::Verdict safe = answer::Safe{closed_set_of(facts, search.products())};
    base::RunContext unlimited;
    const auto checked = check::check(task, safe, unlimited);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << test::pushdown_text(task);
  }
  EXPECT_GT(closed, 2000U);
  EXPECT_GT(larger, 20U);
}

/// "safe at level 2" if a search with larger languages showed it.
std::string verdict_of(const model::PushdownTask& task) {
  base::Limits limits;
  limits.steps = 20'000;
  base::RunContext context(limits);
  const answer::Verdict verdict = find_engine("pushdown")->run(task, {}, context);
  EXPECT_EQ(check::check(task, verdict, context).status, answer::EvidenceStatus::Confirmed);
  const double level = context.statistics().get("level of widening");
  return std::string(answer::verdict_name(verdict)) +
         (level > 0 ? " at level " + std::to_string(static_cast<int>(level)) : "");
}

/// Thread 2 puts a frame below all its calls before it returns from one for the first time, so its
/// stack is never empty. Without a target the question is what can be seen at all.
TEST(Widening, DecidesWhatRoundsAndVisibleStatesDoNot) {
  const std::string base =
      "4\nPDA 0 0\n0 0 -> 1 0\n0 0 -> 2 0\nPDA 5 6\n3 5 -> 0 5 6\n1 5 -> 0 5 5\n2 5 -> 0 -\n";
  model::PushdownTask task = test::pushdown_task(base, "3|0,5", "0|0,-");
  EXPECT_EQ(verdict_of(task), "safe at level 1");
  task.question.targets.clear();
  EXPECT_EQ(verdict_of(task), "safe at level 1");
  task = test::pushdown_task(kParity, "0|0,5", "4|-,*");
  EXPECT_EQ(verdict_of(task), "safe at level 2");
  task.question.targets.clear();
  EXPECT_EQ(verdict_of(task), "safe at level 2");
  EXPECT_EQ(verdict_of(test::pushdown_task(kParity, "0|0,5", "3|-,*")), "unsafe");
}

}  // namespace
}  // namespace heddle::engine::pushdown
