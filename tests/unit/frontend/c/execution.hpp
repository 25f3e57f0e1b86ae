#pragma once

/// Reads C texts and runs them, so that a test can say in C what it expects: a program that ends
/// without a failed assertion has computed the right values.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/c/read.hpp"
#include "model/c/interpreter.hpp"
#include "model/c/print.hpp"

namespace heddle::frontend::c {

inline SourceText source(std::string text, std::string name = "test.c") {
  return {std::move(name), std::move(text)};
}

/// Fails the test if the text cannot be read.
inline model::c::Program read(const std::string& text, const ReadOptions& options = {}) {
  const SourceText only = source(text);
  auto program = read_c({&only, 1}, options);
  EXPECT_TRUE(program) << (program ? "" : base::render(program.error()));
  return program ? *program : model::c::Program{};
}

struct Execution {
  model::c::Outcome outcome = model::c::Outcome::Continued;
  std::string what;         ///< of the violation
  bool overflowed = false;  ///< in some step
  std::size_t steps = 0;
};

/// Threads take turns: one runs until it cannot, or for `turn` steps. Choices that are not given
/// are 0.
inline Execution execute(const model::c::Program& program, std::vector<std::uint64_t> choices = {},
                         std::size_t turn = 1000) {
  using namespace model::c;
  const Interpreter interpreter(program);
  State state = interpreter.initial();
  Execution out;
  std::size_t used = 0, blocked = 0;
  std::uint32_t thread = 0;
  constexpr std::size_t kMostSteps = 2'000'000;
  while (out.steps < kMostSteps && blocked <= state.threads.size()) {
    std::vector<std::uint64_t> given;
    StepResult result = interpreter.step(state, ThreadId(thread));
    while (result.outcome == Outcome::NeedsChoice) {
      given.push_back(used < choices.size() ? choices[used] : 0);
      ++used;
      result = interpreter.step(state, ThreadId(thread), given);
    }
    ++out.steps;
    out.overflowed = out.overflowed || result.overflowed;
    out.outcome = result.outcome;
    if (result.outcome == Outcome::Violated) {
      out.what = result.violation->what;
      return out;
    }
    if (result.outcome == Outcome::ProcessEnded || result.outcome == Outcome::Pruned) return out;
    const bool stuck = result.outcome == Outcome::Blocked || result.outcome == Outcome::Undone;
    blocked = result.outcome == Outcome::Blocked ? blocked + 1 : 0;
    if (stuck || out.steps % turn == 0)
      thread = (thread + 1) % static_cast<std::uint32_t>(state.threads.size());
  }
  return out;
}

/// The body of main, with declarations before it; both data models.
inline void expect_runs(const std::string& text, const std::vector<std::uint64_t>& choices = {},
                        std::size_t turn = 1000) {
  for (const std::uint8_t bytes : {std::uint8_t{8}, std::uint8_t{4}}) {
    ReadOptions options;
    options.pointer_bytes = bytes;
    const model::c::Program program = read(text, options);
    if (program.functions.empty()) return;
    const Execution ran = execute(program, choices, turn);
    EXPECT_EQ(ran.outcome, model::c::Outcome::ProcessEnded)
        << 8 * bytes << " bits, after " << ran.steps << " steps: " << ran.what;
  }
}

/// Runs a body of main that may use `assert` and `input()`, any int.
inline void expect_holds(const std::string& body, const std::string& before = "",
                         const std::vector<std::uint64_t>& choices = {}) {
  expect_runs(
      "void __assert_fail(const char*, const char*, unsigned, const char*);\n"
      "#define assert(x) ((x) ? (void)0 : __assert_fail(#x, \"\", 0, \"\"))\n"
      "int __VERIFIER_nondet_int(void);\n"
      "#define input() __VERIFIER_nondet_int()\n" +
          before + "\nint main(void) {\n" + body + "\nreturn 0; }\n",
      choices);
}

}  // namespace heddle::frontend::c
