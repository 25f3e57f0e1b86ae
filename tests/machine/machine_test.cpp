/// The interpreter against the machine: what a compiled program computes, the interpreter computes.

#include <gtest/gtest.h>

#include <cstdlib>

#include "both_machines.hpp"
#include "c_generator.hpp"
#include "frontend/c/read.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::testing::c {
namespace {

using namespace heddle::model::c;

constexpr int kCasesPerProgram = 25;
int programs() {
  const char* more = std::getenv("HEDDLE_MACHINE_PROGRAMS");
  return more != nullptr ? std::atoi(more) : 12;
}

TEST(CMachine, ProgramsComputeWhatTheMachineComputes) {
  if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
  std::uint64_t instructions = 0;
  for (int seed = 0; seed < programs() && !HasFailure(); ++seed) {
    const std::string text = CGenerator(static_cast<std::uint32_t>(seed)).program(kCasesPerProgram);
    expect_same(text, kCasesPerProgram, "seed " + std::to_string(seed), instructions);
  }
  EXPECT_GT(instructions, static_cast<std::uint64_t>(programs()) * 1000);
}

TEST(CMachine, EveryOperatorOfEveryTwoTypes) {
  if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
  std::uint64_t instructions = 0;
  int cases = 0;
  const std::string text = CGenerator::operators_program(cases);
  expect_same(text, cases, "operators", instructions);
  EXPECT_GT(instructions, 1'000'000u);
}

TEST(CMachine, FloatingPointIsRefusedWhereItIsComputed) {
  if (!frontend::c::can_read_c()) GTEST_SKIP() << "this build does not read C";
  const frontend::SourceText source{"program.c",
                                    "int n;\nint main(void) {\n  double x = n;\n  n = 1;\n"
                                    "  return x + 0.5 > 2;\n}\n"};
  const auto program = frontend::c::read_c({&source, 1}, {});
  ASSERT_TRUE(program);
  const Interpreter interpreter(*program);
  State state = interpreter.initial();
  StepResult result;
  while (result.outcome == Outcome::Continued) result = interpreter.step(state, ThreadId(0u));
  ASSERT_EQ(result.outcome, Outcome::Violated);
  EXPECT_EQ(result.violation->kind, Violation::Kind::Unsupported);
  EXPECT_EQ(result.violation->position.line, 3u);
}

}  // namespace
}  // namespace heddle::testing::c
