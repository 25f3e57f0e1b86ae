/// Random Boolean programs: `onthefly` with and without its oracle, the translation with
/// `backward`, and the naive interpreter must not contradict each other, and every answer must pass
/// the check.

#include <gtest/gtest.h>

#include <iostream>
#include <optional>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/pass_over.hpp"
#include "support/metamorphosis.hpp"
#include "support/random_programs.hpp"
#include "support/sample.hpp"
#include "transform/translation.hpp"

namespace heddle::test {
namespace {

using answer::Safe;
using answer::Unsafe;
using answer::Verdict;
using model::Task;
using model::boolean::Flow;

constexpr std::uint64_t kSteps = 30'000;

struct Contest {
  unsigned safe = 0, unsafe = 0, unknown = 0, refused = 0;
  unsigned oracle_exact = 0;
};

std::string text_of(const Task& task) {
  return frontend::find_format("bp")->print({task.model, {}, {}, {}});
}

Task task_of(model::BooleanProgram program, bool any_number) {
  Task task{std::move(program), {}};
  task.question.initial = *frontend::parse_initial(task.model, {"test", any_number ? "any" : "1"});
  task.question.targets = {{}};
  return task;
}

/// Runs an engine and checks what it says; nothing if it gives up.
std::optional<bool> answer_of(const engine::EngineRow& engine, const Task& task,
                              const engine::Options& options) {
  base::Limits limits;
  limits.steps = kSteps;
  base::RunContext context(limits);
  const Verdict verdict = engine.run(task, options, context);
  if (!std::holds_alternative<Safe>(verdict) && !std::holds_alternative<Unsafe>(verdict))
    return std::nullopt;
  base::RunContext unlimited;
  const auto checked = check::check(task, verdict, unlimited);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed)
      << engine.name << ": " << verdict_name(verdict) << ": " << checked.why << "\n"
      << text_of(task);
  return std::holds_alternative<Unsafe>(verdict);
}

std::optional<bool> answer_by_translation(const Task& task) {
  const auto translation = transform::translate(task, transform::ModelKind::ThreadSystem);
  if (!translation) return std::nullopt;
  base::Limits limits;
  limits.steps = kSteps;
  base::RunContext context(limits);
  const Verdict verdict =
      translation->back(engine::find_engine("backward")->run(translation->translated, {}, context));
  if (!std::holds_alternative<Safe>(verdict) && !std::holds_alternative<Unsafe>(verdict))
    return std::nullopt;
  base::RunContext unlimited;
  const auto checked = check::check(task, verdict, unlimited);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed)
      << "translation: " << verdict_name(verdict) << ": " << checked.why << "\n"
      << text_of(task);
  return std::holds_alternative<Unsafe>(verdict);
}

/// Everything that the interpreter can say: unsafe, or safe if it saw all there is.
std::optional<bool> answer_of_oracle(const Flow& flow, bool any_number) {
  bool exact = !any_number;
  for (std::size_t threads = 1; threads <= (any_number ? 3U : 1U); ++threads) {
    const auto result = explore(flow, threads, {.max_threads = 3, .max_states = 3'000});
    if (result.failure) return true;
    exact = exact && result.exact;
  }
  return exact ? std::optional(false) : std::nullopt;
}

void compare(const Task& task, bool any_number, Contest& contest) {
  const auto flow = model::boolean::unfold(std::get<model::BooleanProgram>(task.model));
  ASSERT_TRUE(flow) << flow.error();
  const engine::EngineRow& onthefly = *engine::find_engine("onthefly");
  engine::Options blind;
  blind.use_invariants = false;
  const auto with_facts = answer_of(onthefly, task, {});
  const auto without_facts = answer_of(onthefly, task, blind);
  const auto translated = answer_by_translation(task);
  const auto oracle = answer_of_oracle(*flow, any_number);
  contest.oracle_exact += oracle.has_value();
  std::optional<bool> agreed;
  for (const auto& opinion : {with_facts, without_facts, translated, oracle}) {
    if (!opinion) continue;
    if (!agreed) agreed = opinion;
    EXPECT_EQ(*agreed, *opinion) << "1 = unsafe: onthefly " << with_facts.value_or(2)
                                 << ", without facts " << without_facts.value_or(2)
                                 << ", translated " << translated.value_or(2) << ", oracle "
                                 << oracle.value_or(2) << " (2: no answer)\n"
                                 << text_of(task);
  }
  ++(!with_facts ? contest.unknown : *with_facts ? contest.unsafe : contest.safe);
}

Contest play(unsigned cases, std::uint64_t first_seed, const ProgramFlavour& flavour) {
  Contest contest;
  for (unsigned i = 0; i < random_cases(cases) && !::testing::Test::HasFailure(); ++i) {
    Random random(first_seed + i);
    const bool any_number = random.one_in(3);
    SCOPED_TRACE("seed " + std::to_string(first_seed + i));
    compare(task_of(random_program(random, flavour), any_number), any_number, contest);
  }
  std::cout << contest.safe << " safe, " << contest.unsafe << " unsafe, " << contest.unknown
            << " unknown; the interpreter decided " << contest.oracle_exact << "\n";
  return contest;
}

void expect_variety(const Contest& contest) {
  EXPECT_GT(contest.safe, 20 * contest.unknown);
  EXPECT_GT(contest.unsafe, 20 * contest.unknown);
}

TEST(RandomPrograms, AllAgreeWithoutBroadcasts) {
  expect_variety(play(1'000, 21'000'000, {.broadcasts = false}));
}

TEST(RandomPrograms, AllAgreeWithBroadcasts) { expect_variety(play(1'500, 22'000'000, {})); }

TEST(RandomPrograms, AllAgreeWithSignals) {
  expect_variety(play(1'000, 23'000'000, {.signals = true}));
}

TEST(RandomPrograms, AllAgreeWithPassiveAssignments) {
  expect_variety(play(1'000, 24'000'000, {.passive = true, .calls = false}));
}

/// Variables on both sides of the edge of a word: every verdict is that of the narrow program.
TEST(RandomPrograms, WideOnesAreWhatTheNarrowOnesAre) {
  Contest contest;
  for (std::uint64_t seed = 26'000'000; seed < 26'000'000 + random_cases(300); ++seed) {
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool any_number = random.one_in(3);
    const auto narrow = random_program(
        random, {.signals = random.one_in(2), .passive = random.one_in(3), .calls = false});
    const Task wide = task_of(widen(narrow, 63), any_number);
    compare(wide, any_number, contest);
    const engine::EngineRow& onthefly = *engine::find_engine("onthefly");
    EXPECT_EQ(answer_of(onthefly, wide, {}), answer_of(onthefly, task_of(narrow, any_number), {}));
  }
  expect_variety(contest);
}

/// The graph with a step for every statement fails if and only if the one that engines see does.
TEST(RandomPrograms, SilentNodesMakeNoDifference) {
  unsigned decided = 0;
  for (std::uint64_t seed = 25'000'000; seed < 25'000'000 + random_cases(1'500); ++seed) {
    Random random(seed);
    const auto program = random_program(random, {.signals = true, .passive = true, .calls = false});
    const auto all = model::boolean::unfold_step_by_step(program);
    const auto few = model::boolean::unfold(program);
    ASSERT_TRUE(all && few);
    const std::size_t threads = random.between(1, 2);
    const model::boolean::RunLimits limits{.max_threads = 3, .max_states = 4'000};
    const auto one = explore(*all, threads, limits);
    const auto other = explore(*few, threads, limits);
    const bool known = (one.failure || one.exact) && (other.failure || other.exact);
    decided += known;
    if (known) {
      EXPECT_EQ(one.failure.has_value(), other.failure.has_value())
          << "seed " << seed << "\n"
          << text_of(task_of(program, false));
    }
  }
  EXPECT_GT(decided, random_cases(500));
}

}  // namespace
}  // namespace heddle::test
