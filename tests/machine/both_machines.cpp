#include "both_machines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "frontend/c/read.hpp"
#include "model/c/interpreter.hpp"

namespace heddle::testing::c {

using namespace heddle::model::c;

namespace {

constexpr std::array<std::uint64_t, 1> kAnything{0xa5a5'a5a5'a5a5'a5a5};

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

}  // namespace

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

}  // namespace heddle::testing::c
