/// Saturation with predecessors, configuration by configuration, beside an explicit search forward
/// on tiny systems of one thread.

#include "engine/pushdown/pre_star.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/engine.hpp"
#include "support/pushdown_task.hpp"
#include "support/random_pushdown.hpp"

namespace heddle::engine::pushdown {
namespace {

using model::PushdownConfiguration;
using model::PushdownSystem;

bool is_target(const model::PushdownTask& task, const PushdownConfiguration& at) {
  return std::ranges::any_of(task.question.targets,
                             [&](const model::VisibleState& target) { return meets(target, at); });
}

/// Is a target met among configurations with stacks of at most eight symbols?
bool reaches_target(const model::PushdownTask& task, const PushdownConfiguration& start) {
  const PushdownSystem& system = task.model;
  std::set<PushdownConfiguration> seen{start};
  std::vector<PushdownConfiguration> work{start};
  while (!work.empty()) {
    const PushdownConfiguration at = work.back();
    work.pop_back();
    if (is_target(task, at)) return true;
    for (std::size_t i = 0; i < system.transitions.size(); ++i) {
      const auto next = step(system, at, model::TransitionId(i));
      if (next && next->stacks[0].size() <= 8 && seen.insert(*next).second) work.push_back(*next);
    }
  }
  return false;
}

/// The end of the run; nothing if a step is impossible.
std::optional<PushdownConfiguration> replayed(const model::PushdownTask& task,
                                              PushdownConfiguration at,
                                              const std::vector<model::TransitionId>& steps) {
  for (const model::TransitionId id : steps) {
    const auto next = step(task.model, at, id);
    if (!next) return std::nullopt;
    at = *next;
  }
  return at;
}

bool holds(const answer::PushdownInvariant& set, const PushdownConfiguration& at) {
  const auto& states = set.automata[0].states;
  return std::ranges::any_of(set.products, [&](const answer::StackProduct& product) {
    if (product.shared != at.shared) return false;
    std::uint32_t state = product.stacks[0];
    for (auto symbol = at.stacks[0].rbegin(); symbol != at.stacks[0].rend(); ++symbol) {
      const auto& edges = states[state].edges;
      const auto edge = std::ranges::find(edges, *symbol, [](const auto& e) { return e.first; });
      if (edge == edges.end()) return false;
      state = edge->second;
    }
    return states[state].accepting;
  });
}

/// Every stack of at most three symbols, topmost first.
std::vector<std::vector<Symbol>> low_stacks(Symbol symbols) {
  std::vector<std::vector<Symbol>> out{{}};
  for (std::size_t i = 0; i < out.size(); ++i)  // grows
    for (Symbol symbol = 0; out[i].size() < 3 && symbol < symbols; ++symbol) {
      out.push_back(out[i]);
      out.back().push_back(symbol);
    }
  return out;
}

struct PreStarTally {
  unsigned inside = 0, outside = 0, longest = 0;
};

void compare_all(const model::PushdownTask& task, PreStarTally& tally) {
  const PushdownSystem& system = task.model;
  const StackThreads facts(task);
  const ThreadRules& rules = facts.rules(0);
  base::RunContext context;
  const PreStar saturated(rules, target_tops(facts, task.question.targets), context);
  const answer::PushdownInvariant outside =
      saturated.complement(system.shared_count, context).value();
  for (Shared shared = 0; shared < system.shared_count; ++shared)
    for (const std::vector<Symbol>& stack : low_stacks(rules.bottom())) {
      PushdownConfiguration at{model::SharedState(shared), {{}}};
      for (auto it = stack.rbegin(); it != stack.rend(); ++it)
        at.stacks[0].push_back(rules.name(*it));
      const bool inside = saturated.holds(shared, stack);
      ++(inside ? tally.inside : tally.outside);
      EXPECT_EQ(holds(outside, at), !inside) << to_string(at);
      if (!inside) {
        EXPECT_FALSE(reaches_target(task, at)) << to_string(at);
        continue;
      }
      const auto steps = saturated.witness(shared, stack);
      tally.longest = std::max(tally.longest, static_cast<unsigned>(steps.size()));
      const auto end = replayed(task, at, steps);
      EXPECT_TRUE(end && is_target(task, *end)) << to_string(at);
    }
}

/// The lower symbol of a push is led over before the upper one is, and after.
TEST(PreStar, TakesUpBothHalvesOfAPushInEitherOrder) {
  for (const char* rules : {"0 0 -> 1 1 2\n1 1 -> 2 -\n2 2 -> 3 3\n",
                            "0 0 -> 1 1 2\n1 1 -> 0 1\n0 1 -> 2 -\n2 2 -> 3 3\n"}) {
    PreStarTally tally;
    const model::PushdownTask task =
        test::pushdown_task("4\nPDA 0 3\n" + std::string(rules), "0|0", "3|3");
    compare_all(task, tally);
    EXPECT_GT(tally.longest, 2U) << rules;
  }
}

TEST(PreStar, HoldsExactlyWhatReachesTheTarget) {
  PreStarTally tally;
  for (unsigned seed = 0; seed < 1'500 && !HasFailure(); ++seed) {
    test::Random random(33'000'000 + seed);
    const model::PushdownTask task = test::random_pushdown(random, 1);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + test::pushdown_text(task));
    compare_all(task, tally);
  }
  EXPECT_GT(tally.inside, 15'000U);
  EXPECT_GT(tally.outside, 15'000U);
  EXPECT_GT(tally.longest, 5U);
}

/// Symbols are popped at will up to a 1 at a fixed height above the bottom: a deterministic
/// automaton has to remember as many symbols as lie below it.
std::string popping_rules(unsigned height) {
  std::string out = std::to_string(height + 2) + "\nPDA 0 1\n0 1 -> 1 -\n0 0 -> 0 -\n0 1 -> 0 -\n";
  for (unsigned i = 1; i <= height; ++i)
    for (const unsigned top : {0U, 1U})
      out +=
          std::to_string(i) + " " + std::to_string(top) + " -> " + std::to_string(i + 1) + " -\n";
  return out;
}

TEST(PreStar, LimitsEndWhatIsExponential) {
  const model::PushdownTask task = test::pushdown_task(popping_rules(12), "0|0", "13|-");
  const EngineRow& engine = *find_engine("pushdown-backward");
  base::RunContext few(base::Limits{.deadline = {}, .steps = 2'000, .memory_mb = {}});
  const auto stopped = engine.run(task, {}, few);
  ASSERT_TRUE(std::holds_alternative<answer::Unknown>(stopped));
  EXPECT_EQ(std::get<answer::Unknown>(stopped).reason, answer::UnknownReason::StepLimit);
  base::RunContext unlimited;
  EXPECT_TRUE(std::holds_alternative<answer::Safe>(engine.run(task, {}, unlimited)));
}

}  // namespace
}  // namespace heddle::engine::pushdown
