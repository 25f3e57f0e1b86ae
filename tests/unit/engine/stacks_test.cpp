/// The engine `stacks` on programs that need one of its arguments each, and at its limits.

#include <gtest/gtest.h>

#include <optional>
#include <stop_token>
#include <string>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "frontend/notation.hpp"

namespace heddle::engine {
namespace {

model::ProgramTask recursive_task(const std::string& text, const std::string& threads = "1") {
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", text})->model, {}};
  task.question.initial =
      *frontend::Notation<model::BooleanProgram>::parse_initial(task.model, {"test", threads});
  task.question.targets = {{}};
  return task;
}

const EngineRow& stacks() { return *find_engine("stacks"); }

struct StacksAnswer {
  answer::Verdict verdict;
  answer::CheckResult check;
  base::Statistics figures;
};

StacksAnswer answer_of(const model::ProgramTask& task, bool look_first,
                       std::optional<std::uint64_t> steps = 20'000) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits), unlimited;
  Options options;
  set_option(options, "invariants", look_first ? "on" : "off");
  answer::Verdict verdict = stacks().run(task, options, context);
  answer::CheckResult check = check::check(task, verdict, unlimited);
  EXPECT_LE(context.steps(), steps.value_or(context.steps()) + 2);  // once for each of its parts
  return {std::move(verdict), std::move(check), context.statistics()};
}

/// Both threads go one call deeper in every round.
const std::string kRelay =
    "decl ball := 0, held := 0;\n"
    "void ping() begin assume(!ball); held := 1; assert(held); held := 0; ball := 1; ping(); end\n"
    "void pong() begin assume(ball); assert(!held); ball := 0; pong(); end\n"
    "void thread1() begin ping(); end\nvoid thread2() begin pong(); end\n";

/// Each return undoes its call; the other thread stops it anywhere.
const std::string kWalker =
    "decl odd := 0, halt := 0;\n"
    "void climb() begin assume(!halt); odd := !odd; if * then climb(); fi; odd := !odd; end\n"
    "void thread1() begin climb(); assert(!odd); end\n"
    "void thread2() begin while * do halt := !halt; od; end\n";

/// The same, and every call takes a turn of the other thread.
const std::string kDiver =
    "decl ball := 0, odd := 0;\n"
    "void dive() begin assume(!ball); ball, odd := 1, !odd; if * then dive(); fi; odd := !odd; "
    "end\n"
    "void thread1() begin dive(); assert(!odd); end\n"
    "void thread2() begin while * do assume(ball); ball := 0; od; end\n";

/// Fails in the third round: the ball has come back twice.
const std::string kPingPong =
    "decl ball := 0;\n"
    "void ping(second, third) begin assume(!ball); assert(!third); ball := 1; ping(1, second); "
    "end\n"
    "void pong() begin assume(ball); ball := 0; pong(); end\n"
    "void thread1() begin ping(0, 0); end\nvoid thread2() begin pong(); end\n";

TEST(Stacks, SomeProgramsNeedRoundsAndSomeLargerSets) {
  struct Case {
    const std::string& program;
    bool look_first;
    std::string_view verdict;
    bool by_rounds;  ///< some were completed
  };
  for (const Case& c : {Case{kRelay, true, "safe", false}, Case{kRelay, false, "safe_up_to", true},
                        Case{kWalker, true, "safe", true}, Case{kWalker, false, "safe", true},
                        Case{kDiver, true, "safe", true}, Case{kDiver, false, "safe_up_to", true},
                        Case{kPingPong, true, "unsafe", true}}) {
    const StacksAnswer answer = answer_of(recursive_task(c.program), c.look_first);
    EXPECT_EQ(verdict_name(answer.verdict), c.verdict) << c.program;
    EXPECT_EQ(answer.check.status, answer::EvidenceStatus::Confirmed) << answer.check.why;
    EXPECT_EQ(answer.figures.get("complete rounds") > 0, c.by_rounds) << c.program;
    EXPECT_GT(answer.figures.get("pushdown rules"), 0);
  }
}

TEST(Stacks, ContextsAreKept) {
  model::ProgramTask task = recursive_task(kPingPong);
  for (const auto& [contexts, verdict] : {std::pair(2U, "safe_up_to"), std::pair(3U, "unsafe")}) {
    task.question.contexts = contexts;
    const StacksAnswer answer = answer_of(task, true);
    EXPECT_EQ(verdict_name(answer.verdict), verdict);
    EXPECT_EQ(answer.check.status, answer::EvidenceStatus::Confirmed) << answer.check.why;
  }
}

/// Several threads of one procedure.
TEST(Stacks, TakesAsManyThreadsAsTheQuestionHas) {
  const std::string text =
      "decl count0 := 0, count1 := 0;\n"
      "void grow() begin if * then grow(); fi; end\n"
      "void main() begin grow(); count0, count1 := !count0, count1 ^ count0;\n"
      "  assert(!(count0 & count1)); end\n";
  EXPECT_EQ(verdict_name(answer_of(recursive_task(text, "2"), true).verdict), "safe");
  EXPECT_EQ(verdict_name(answer_of(recursive_task(text, "3"), true).verdict), "unsafe");
}

TEST(Stacks, TakesWhatOthersCannotDecide) {
  const auto refusal = [](const std::string& text, const std::string& threads = "1") {
    return stacks().accepts(recursive_task(text, threads)).refusal.value_or("");
  };
  EXPECT_EQ(refusal(kRelay), "");
  EXPECT_EQ(refusal("void main() begin main(); end"),
            "the program has one thread: use engine sequential");
  EXPECT_EQ(refusal("void main() begin main(); end", "2"), "");
  EXPECT_EQ(refusal("void f() begin skip; end void main() begin f(); end", "2"),
            "no procedure is recursive: use engine context-joint");
  EXPECT_NE(refusal("void main() begin main(); wait; end", "2"), "");
}

/// Twenty variables without a value at every call: given up, and soon.
TEST(Stacks, WideProgramsAreRefused) {
  std::string locals, sum;
  for (int i = 0; i < 20; ++i) {
    locals += (i == 0 ? "l" : ", l") + std::to_string(i);
    sum += (i == 0 ? "l" : " ^ l") + std::to_string(i);
  }
  const model::ProgramTask task =
      recursive_task("decl x := 0;\nvoid f() begin decl " + locals + "; x := " + sum +
                         "; f(); end\nvoid main() begin f(); end\n",
                     "2");
  const StacksAnswer answer = answer_of(task, true, std::nullopt);
  const auto& unknown = std::get<answer::Unknown>(answer.verdict);
  EXPECT_EQ(unknown.reason, answer::UnknownReason::Unsupported);
  EXPECT_EQ(unknown.detail, "it has more than 300000 rules, value by value");
}

TEST(Stacks, LimitsEndTheTranslationAndTheSearch) {
  for (const std::uint64_t steps : {0U, 1U, 10U, 40U, 300U, 1'000U}) {
    const StacksAnswer answer = answer_of(recursive_task(kDiver), true, steps);
    if (const auto* unknown = std::get_if<answer::Unknown>(&answer.verdict)) {
      EXPECT_EQ(unknown->reason, answer::UnknownReason::StepLimit);
      EXPECT_LT(steps, 1'000U);
    }
  }
}

TEST(Stacks, StopsWhenAskedAndSaysTheSameTwice) {
  const model::ProgramTask task = recursive_task(kDiver);
  std::stop_source source;
  base::RunContext stopped({}, 0, source.get_token());
  stopped.listen([&](const base::Event&) { source.request_stop(); });
  const answer::Verdict bounded = stacks().run(task, {}, stopped);
  EXPECT_EQ(verdict_name(bounded), "safe_up_to");  // of the round that was told
  base::RunContext again({}, 0, source.get_token());
  EXPECT_EQ(std::get<answer::Unknown>(stacks().run(task, {}, again)).reason,
            answer::UnknownReason::Cancelled);
  EXPECT_EQ(answer_of(task, true).verdict, answer_of(task, true).verdict);
}

}  // namespace
}  // namespace heddle::engine
