/// Confusion: evidence that is right for one program is offered for a near one that fails. Nobody
/// may believe it, not even after somebody has tried to mend it: the sets that stand in the way
/// replaced by all, by none, by one another, by what depends on a single variable.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "frontend/notation.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "support/random.hpp"
#include "support/sample.hpp"

namespace heddle::check::confused_programs_test {
namespace {

using answer::EvidenceStatus;

/// Texts with holes, and what may stand in them.
struct ProgramFamily {
  std::string text;     ///< `$A` is an assignment, `$G` a condition
  std::size_t threads;  ///< 0: any number
  std::optional<std::uint32_t> rounds;
};

constexpr std::array kAssignments = {"x := 1", "x := 0",       "x := !y", "y := x",
                                     "y := 1", "x, y := y, x", "x := *",  "skip"};
constexpr std::array kConditions = {"x", "!x", "y", "x = y", "x | !y", "1", "*"};

using Filling = std::vector<unsigned>;

std::string filled(const ProgramFamily& family, const Filling& filling) {
  std::string out;
  std::size_t hole = 0;
  for (std::size_t i = 0; i < family.text.size(); ++i) {
    if (family.text[i] != '$') {
      out += family.text[i];
      continue;
    }
    const bool assigns = family.text[++i] == 'A';
    const unsigned choice = filling[hole++];
    out += assigns ? kAssignments[choice % kAssignments.size()]
                   : kConditions[choice % kConditions.size()];
  }
  return out;
}

model::ProgramTask confused_task(const ProgramFamily& family, const Filling& filling) {
  auto file = frontend::boolean_program::parse({"test.bp", filled(family, filling)});
  EXPECT_TRUE(file) << filled(family, filling);
  model::ProgramTask task{std::move(file->model), {}};
  const std::string count = family.threads == 0 ? "any" : std::to_string(family.threads);
  task.question.initial = *frontend::Notation<model::BooleanProgram>::parse_initial(
      task.model, {"t", family.threads == 0 ? "1" : count});
  task.question.targets = {{}};
  task.question.contexts = family.rounds;
  return task;
}

bool fails_by_brute_force(const ProgramFamily& family, const model::ProgramTask& task) {
  const auto& program = task.model;
  if (family.threads == 0)
    return model::boolean::explore(*model::boolean::unfold(program), 2, {}).failure.has_value();
  return model::boolean::explore_rounds(*model::boolean::keep_calls(program), family.threads,
                                        family.rounds.value_or(3), {})
      .failure.has_value();
}

bool is_believed(const model::ProgramTask& task, const answer::Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context).status == EvidenceStatus::Confirmed;
}

// ---- mending ----

std::uint32_t some_root(test::Random& random, std::vector<answer::DiagramNode>& nodes,
                        std::size_t variables) {
  const unsigned way = random.below(4);
  if (way < 2 || nodes.empty()) return way & 1U;
  if (way == 2) return random.below(static_cast<unsigned>(nodes.size())) + 2;
  const bool positive = random.one_in(2);
  nodes.push_back(
      {random.below(static_cast<unsigned>(variables)), positive ? 0U : 1U, positive ? 1U : 0U});
  return static_cast<std::uint32_t>(nodes.size()) + 1;
}

template <class Claim, class Sets>
void mend_diagrams(test::Random& random, Claim& claim, Sets& sets) {
  if (sets.empty()) return;
  for (unsigned i = random.between(1, 3); i-- > 0;)
    sets[random.below(static_cast<unsigned>(sets.size()))].root =
        some_root(random, claim.nodes, claim.variables.size());
}

void mend(test::Random& random, answer::ContextRelations& claim) {
  if (random.one_in(4)) {
    answer::ContextRelation more =
        claim.relations[random.below(static_cast<unsigned>(claim.relations.size()))];
    more.where = random.below(12);
    more.root = 1;
    claim.relations.push_back(more);
  }
  mend_diagrams(random, claim, claim.relations);
}
void mend(test::Random& random, answer::ConfigurationSets& claim) {
  mend_diagrams(random, claim, claim.sets);
}
void mend(test::Random& random, answer::TurnFacts& claim) {
  mend_diagrams(random, claim, claim.sets);
}

void mend(test::Random& random, answer::ProgramBasis& claim) {
  const auto cube = [&] {
    const model::boolean::Valuation mask = random.below(4);
    return model::boolean::Cube{mask, mask & model::boolean::Valuation(random.below(4))};
  };
  if (random.one_in(2) && !claim.minimal.empty()) {
    auto& element = claim.minimal[random.below(static_cast<unsigned>(claim.minimal.size()))];
    if (random.one_in(2))
      element.shared = cube();
    else
      element.threads.push_back(element.threads.front());
  } else if (!claim.thread_states.empty()) {
    auto& fact =
        claim.thread_states[random.below(static_cast<unsigned>(claim.thread_states.size()))];
    fact.shared = cube();
  }
  if (random.one_in(8)) claim.thread_states.clear();
  if (claim.abstraction && random.one_in(4)) {
    auto& seen = *claim.abstraction;
    const auto size = static_cast<unsigned>(seen.classes.size());
    switch (random.below(5)) {
      case 0: seen.shared ^= model::boolean::bit(random.below(4)); break;
      case 1: seen.local ^= model::boolean::bit(random.below(4)); break;
      case 2: seen.unseen_by_moves ^= model::boolean::bit(random.below(4)); break;
      case 3: seen.conditions ^= model::boolean::bit(random.below(2)); break;
      default: seen.classes[random.below(size)] = seen.classes[random.below(size)];
    }
  }
  if (random.one_in(4))
    claim.minimal.push_back({cube(), {{model::boolean::NodeId(random.below(8)), {}}}});
}

void mend(test::Random& random, answer::ProgramStacks& claim) {
  auto& sets = claim.sets;
  if (sets.products.empty()) return;
  auto& product = sets.products[random.below(static_cast<unsigned>(sets.products.size()))];
  auto& automaton = sets.automata[random.below(static_cast<unsigned>(sets.automata.size()))];
  auto& state = automaton.states[random.below(static_cast<unsigned>(automaton.states.size()))];
  switch (random.below(4)) {
    case 0: product.turn = random.below(4); break;
    case 1: state.accepting = !state.accepting; break;
    case 2: product.shared = model::SharedState(random.below(4)); break;
    default:
      if (!state.edges.empty())
        state.edges.back().second = random.below(static_cast<unsigned>(automaton.states.size()));
  }
}

template <class Other>
void mend(test::Random&, Other&) {}

answer::Verdict mended(test::Random& random, answer::Verdict verdict) {
  auto* safe = std::get_if<answer::Safe>(&verdict);
  auto& certificate = safe ? safe->certificate : std::get<answer::SafeUpTo>(verdict).certificate;
  std::visit([&](auto& which) { mend(random, which); }, certificate);
  return verdict;
}

// ---- the test ----

struct Confusion {
  unsigned pairs = 0, mendings = 0;
};

void confuse(const ProgramFamily& family, std::string_view engine, test::Random& random,
             Confusion& tally) {
  Filling filling(static_cast<std::size_t>(std::ranges::count(family.text, '$')));
  for (unsigned& choice : filling) choice = random.below(56);
  const model::ProgramTask task = confused_task(family, filling);
  if (fails_by_brute_force(family, task)) return;
  base::RunContext context;
  const answer::Verdict verdict = engine::find_engine(engine)->run(task, {}, context);
  if (std::holds_alternative<answer::Unsafe>(verdict)) return;  // in a later round
  ASSERT_TRUE(answer::is_definite(verdict)) << engine << ":\n" << filled(family, filling);
  ASSERT_TRUE(is_believed(task, verdict)) << engine << ":\n" << filled(family, filling);
  for (std::size_t hole = 0; hole < filling.size(); ++hole) {
    Filling near = filling;
    near[hole] = random.below(56);
    const model::ProgramTask other = confused_task(family, near);
    if (!fails_by_brute_force(family, other)) continue;
    ++tally.pairs;
    EXPECT_FALSE(is_believed(other, verdict)) << filled(family, near) << "\nby evidence for\n"
                                              << filled(family, filling);
    for (unsigned i = 0; i < 10; ++i) {
      ++tally.mendings;
      EXPECT_FALSE(is_believed(other, mended(random, verdict)))
          << filled(family, near) << "\nby mended evidence for\n"
          << filled(family, filling);
    }
  }
}

constexpr const char* kWithCalls =
    "decl x := 0, y := 0;\nvoid f(p) begin $A; assume(p | $G); end\n"
    "void thread1() begin assume($G); $A; f($G); assert($G); end\n"
    "void thread2() begin decl l; l := $G; atomic { $A; $A; } f(l); assume(l); $A; end\n";
constexpr const char* kRecursiveThreads =
    "decl x := 0, y := 0;\nvoid f(p) begin if ($G) then $A; f($G); fi; assume(p | $G); end\n"
    "void thread1() begin assume($G); $A; f($G); assert($G); end\n"
    "void thread2() begin $A; f(1); $A; end\n";
constexpr const char* kRecursiveMain =
    "decl x := 0, y := 0;\nbool f(p) begin if ($G) then $A; x := f($G); fi; $A; return $G; end\n"
    "void main() begin decl l; $A; l := f($G); if (l) then $A; fi; assert($G); end\n";
constexpr const char* kSpawning =
    "decl x := 0, y := 0;\nvoid main() begin decl l := 0; start_thread goto w; $A; assume($G);\n"
    "w: atomic { assume($G); $A; } if (l) then $A; fi; l := $G; assert($G); end\n";

struct ConfusedCase {
  const char* name;
  const char* engine;
  ProgramFamily family;
};

class ConfusedPrograms : public testing::TestWithParam<ConfusedCase> {};

TEST_P(ConfusedPrograms, AreNotBelieved) {
  test::Random random(1);
  Confusion tally;
  constexpr unsigned kPairs = test::sampled(40);
  for (unsigned i = 0; i < 1'000 && tally.pairs < kPairs; ++i)
    confuse(GetParam().family, GetParam().engine, random, tally);
  EXPECT_GE(tally.pairs, kPairs);
  EXPECT_EQ(tally.mendings, 10 * tally.pairs);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, ConfusedPrograms,
    testing::Values(ConfusedCase{"Lazy", "context-lazy", {kWithCalls, 1, 2}},
                    ConfusedCase{"Eager", "context-eager", {kWithCalls, 1, 2}},
                    ConfusedCase{"Joint", "context-joint", {kWithCalls, 1, 2}},
                    ConfusedCase{"JointForEver", "context-joint", {kWithCalls, 1, {}}},
                    ConfusedCase{"Backward", "context-backward", {kWithCalls, 1, 2}},
                    ConfusedCase{"BackwardForEver", "context-backward", {kWithCalls, 1, {}}},
                    ConfusedCase{"Stacks", "stacks", {kRecursiveThreads, 1, 2}},
                    ConfusedCase{"Sequential", "sequential", {kRecursiveMain, 1, {}}},
                    ConfusedCase{"OnTheFly", "onthefly", {kSpawning, 0, {}}}),
    [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace heddle::check::confused_programs_test
