/// A program as a pushdown system: what it looks like, and what is refused. That it means the same
/// is what the agreement tests try to refute.

#include "transform/program_to_pushdown.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/notation.hpp"
#include "frontend/pushdown/format.hpp"

#include <gtest/gtest.h>

#include "frontend/frontend.hpp"

namespace heddle::transform {
namespace {

model::ProgramTask stack_task(const std::string& text, const std::string& threads = "1") {
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", text})->model, {}};
  task.question.initial =
      *frontend::Notation<model::BooleanProgram>::parse_initial(task.model, {"test", threads});
  task.question.targets = {{}};
  task.question.contexts = 2;
  return task;
}

const std::string kNegate =
    "decl x := 0;\n"
    "bool not(v) begin return !v; end\n"
    "void main() begin x := not(x); assert(x); end\n";

TEST(ProgramToPushdown, CallsPushAndReturnsPopInTwoHalves) {
  const model::ProgramTask task = stack_task(kNegate);
  const auto translation = program_to_pushdown(task, 1'000);
  ASSERT_TRUE(translation) << translation.error();
  EXPECT_EQ(translation->translated.question.contexts, 2U);
  const auto system = with_names(task, *translation);
  EXPECT_EQ(system.shared_names[0], "an assertion has failed");
  std::string rules;
  for (const model::PushdownRule& rule : system.transitions) {
    rules += system.shared_names[rule.from.index()] + ", ";
    rules += system.threads[0].symbol_names[rule.top->index()] + " ->";
    for (const model::StackSymbol symbol : rule.pushed)
      rules += " " + system.threads[0].symbol_names[symbol.index()] + ";";
    rules += " " + system.shared_names[rule.to.index()] + "\n";
  }
  EXPECT_EQ(rules,
            "x=0, (start):3 -> main:3; (start):3 has called; x=0\n"
            "x=0, main:3 -> not:2 v=0; main:3 has called; x=0\n"
            "x=0, not:2 v=0 -> returning 1 to x=0\n"
            "returning 1 to x=0, main:3 has called -> main:3; x=1\n"
            "x=1, main:3 -> main:3; x=1\n"
            "x=1, main:3 -> returning 0 to x=1\n"
            "returning 0 to x=1, (start):3 has called -> (start):3; x=1\n");
}

TEST(ProgramToPushdown, ItsTextIsReadAgain) {
  const model::ProgramTask task = stack_task(kNegate, "2");
  const auto translation = program_to_pushdown(task, 1'000);
  const auto system = with_names(task, *translation);
  const std::string text = frontend::pushdown::print({system, {}, {}, {}});
  EXPECT_NE(text.find("# shared state 0: an assertion has failed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# symbol 0: (start):3\n"), std::string::npos) << text;
  const auto again = frontend::pushdown::parse({"again.pds", text});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->model, system);
}

TEST(ProgramToPushdown, RefusesWhatHasNoCounterpart) {
  const auto refusal = [](const model::ProgramTask& task, std::size_t most = 1'000) {
    const auto translation = program_to_pushdown(task, most);
    return translation ? "" : translation.error();
  };
  EXPECT_EQ(refusal(stack_task(kNegate)), "");
  EXPECT_EQ(refusal(stack_task(kNegate), 3), "it has more than 3 rules, value by value");
  model::ProgramTask any = stack_task(kNegate);
  any.question.initial = std::vector{model::ThreadsInMain{1, std::nullopt}};
  EXPECT_EQ(refusal(any), "the number of threads is not fixed");
  EXPECT_NE(refusal(stack_task("void main() begin wait; end")), "");
  EXPECT_NE(refusal(stack_task("void main() begin start_thread goto L; L: skip; end")), "");
  std::string open = "decl x0";
  for (int i = 1; i < 17; ++i) open += ", x" + std::to_string(i);
  EXPECT_EQ(refusal(stack_task(open + ";\nvoid main() begin skip; end")),
            "it has more than 16 shared variables without a first value");
  const auto stopped = program_to_pushdown(stack_task(kNegate), 1'000, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error(), "there was no time left for all of its rules");
}

}  // namespace
}  // namespace heddle::transform
