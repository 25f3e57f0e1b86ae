/// What is special about random Boolean programs beside what all kinds of models are tried with
/// (random_models_test.cpp): many variables, and statements that do nothing.

#include <gtest/gtest.h>

#include <iostream>

#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/silent_nodes.hpp"
#include "support/agreement.hpp"
#include "support/metamorphosis.hpp"
#include "support/random_programs.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::boolean_program_test {
namespace {

using Task = model::ProgramTask;

constexpr std::uint64_t kSteps = 30'000;

Task task_of(model::BooleanProgram program, bool any_number) {
  Task task{std::move(program), {}};
  task.question.initial = {{1, any_number ? std::nullopt : std::optional<base::Integer>(1)}};
  task.question.targets = {{}};
  return task;
}

/// Variables on both sides of the edge of a word: every verdict is that of the narrow program.
TEST(RandomPrograms, WideOnesAreWhatTheNarrowOnesAre) {
  const engine::EngineRow& onthefly = *engine::find_engine("onthefly");
  Agreement wide_ones({&onthefly, 1}, {}, kSteps), narrow_ones({&onthefly, 1}, {}, kSteps);
  for (std::uint64_t seed = 26'000'000; seed < 26'000'000 + random_cases(300); ++seed) {
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool any_number = random.one_in(3);
    const auto narrow = random_program(
        random, {.signals = random.one_in(2), .passive = random.one_in(3), .calls = false});
    wide_ones.compare(task_of(widen(narrow, 63), any_number));
    narrow_ones.compare(task_of(narrow, any_number));
    ASSERT_EQ(wide_ones.observed().at("onthefly").verdicts,
              narrow_ones.observed().at("onthefly").verdicts)
        << task_text(task_of(narrow, any_number));
  }
  std::cout << wide_ones.summary() << "\n";
  for (const std::string& conflict : wide_ones.conflicts()) ADD_FAILURE() << conflict;
  EXPECT_GT(wide_ones.observed().at("onthefly").verdicts.at("safe"), 0U);
  EXPECT_GT(wide_ones.observed().at("onthefly").verdicts.at("unsafe"), 0U);
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
          << task_text(task_of(program, false));
    }
  }
  EXPECT_GT(decided, random_cases(500));
}

}  // namespace
}  // namespace heddle::test::boolean_program_test
