/// The interpreter against the machine: what a compiled program computes, the interpreter computes.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "c_generator.hpp"
#include "frontend/c/read.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::testing::c {
namespace {

using namespace heddle::model::c;

constexpr int kCasesPerProgram = 25;
constexpr std::array<std::uint64_t, 1> kAnything{0xa5a5'a5a5'a5a5'a5a5};

int programs() {
  const char* more = std::getenv("HEDDLE_MACHINE_PROGRAMS");
  return more != nullptr ? std::atoi(more) : 12;
}

/// Compiles and executes; the lines that it prints.
std::vector<std::uint64_t> executed(const std::string& text, const std::string& flags) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle_machine_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string source = (folder / "program.c").string();
  const std::string binary = (folder / "program").string();
  std::ofstream(source) << text;
  const std::string compile = "gcc -w -fwrapv -fno-strict-aliasing -DHEDDLE_NATIVE " + flags +
                              " -o " + binary + " " + source;
  EXPECT_EQ(std::system(compile.c_str()), 0);
  std::vector<std::uint64_t> numbers;
  FILE* pipe = popen(binary.c_str(), "r");
  std::array<char, 64> line{};
  while (pipe != nullptr && std::fgets(line.data(), line.size(), pipe) != nullptr) {
    numbers.push_back(std::strtoull(line.data(), nullptr, 10));
  }
  EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0);
  std::filesystem::remove_all(folder);
  return numbers;
}

/// The array `results` after the program has ended.
std::vector<std::uint64_t> interpreted(const Program& program, std::uint64_t& instructions) {
  const Interpreter interpreter(program);
  State state = interpreter.initial();
  StepResult result;
  while (result.outcome == Outcome::Continued) {
    result = interpreter.step(state, ThreadId(0u));
    if (result.outcome == Outcome::NeedsChoice) {  // padding is copied: its value does not matter
      result = interpreter.step(state, ThreadId(0u), kAnything);
    }
    ++instructions;
  }
  EXPECT_EQ(result.outcome, Outcome::ProcessEnded)
      << (result.violation ? result.violation->what + " in line " +
                                 std::to_string(result.violation->position.line)
                           : "");
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    if (program.globals[i].name != "results") continue;
    const std::uint64_t base = interpreter.addresses().of_global(GlobalId(i));
    for (std::uint64_t at = 0; at < program.globals[i].size; at += 8) {
      numbers.push_back(state.memory.load(base + at, 8).value);
    }
  }
  return numbers;
}

/// Compiled and executed, and read and interpreted; keeps the text of a program that differs.
void expect_same(const std::string& text, int cases, const std::string& name,
                 std::uint64_t& instructions) {
  const std::vector<std::uint64_t> expected = executed(text, "-O0");
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(cases));
  const frontend::SourceText source{"program.c", text};
  const auto program = frontend::c::read_c({&source, 1}, {});
  ASSERT_TRUE(program) << program.error().front().message << " in line "
                       << program.error().front().location.line;
  const std::vector<std::uint64_t> computed = interpreted(*program, instructions);
  ASSERT_EQ(computed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(computed[i], expected[i]) << name << " case " << i;
  }
  if (::testing::Test::HasFailure() && std::getenv("HEDDLE_KEEP") != nullptr) {
    std::ofstream(std::getenv("HEDDLE_KEEP")) << text;
  }
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
