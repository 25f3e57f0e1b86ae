/// Runs of Boolean programs and pushdown systems: listed, stepped through and drawn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "output/kinds.hpp"
#include "output/picture/program_picture.hpp"
#include "output/picture/run_picture.hpp"
#include "output/replay_session.hpp"
#include "support/pushdown_task.hpp"

namespace heddle::output {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

model::BooleanProgram read_program(const std::string& text) {
  const auto parsed = frontend::boolean_program::parse({"some.bp", text});
  EXPECT_TRUE(parsed);
  return parsed->model;
}

/// The other thread sets the flag and wakes the first one, which then fails.
model::BooleanProgram waker() {
  return read_program(
      "decl flag;\n"
      "void main() begin\n"
      "  decl mine;\n"
      "  flag := 0;\n"
      "  mine := 1;\n"
      "  start_thread goto other;\n"
      "  wait;\n"
      "  assert(!flag);\n"
      "  goto done;\n"
      "  other: flag := 1;\n"
      "  broadcast;\n"
      "  done: skip;\n"
      "end\n");
}

/// A shortest failing run, by the interpreter.
answer::ProgramRun failing_run(const model::BooleanProgram& program) {
  const auto flow = model::boolean::unfold(program);
  auto found = model::boolean::explore(*flow, 1, {});
  EXPECT_TRUE(found.failure);
  return {found.initial, *found.failure, false};
}

model::ProgramTask task_of(const model::BooleanProgram& program) { return {program, {}}; }

TEST(ListedRun, SaysWhoChangesWhat) {
  const auto program = waker();
  const ListedRun run = list_run(task_of(program), failing_run(program));
  EXPECT_EQ(run.broken, "");
  EXPECT_THAT(run.reached, HasSubstr("thread 0 has failed at main:8"));
  ASSERT_EQ(run.moments.size(), run.steps.size() + 1);
  unsigned starts = 0, wakes = 0;
  for (const ListedStep& step : run.steps) {
    starts += step.started == 1u;
    wakes += step.others == std::vector<std::uint32_t>{0};
  }
  EXPECT_EQ(starts, 1u);
  EXPECT_EQ(wakes, 1u);
  EXPECT_EQ(run.moments.front().threads.size(), 1u);
  EXPECT_THAT(run.moments.back().values, ElementsAre(testing::Pair("flag", "1")));
}

TEST(ListedRun, EndsWhereAStepIsImpossible) {
  const auto program = waker();
  answer::ProgramRun trace = failing_run(program);
  std::swap(trace.steps.front(), trace.steps.back());
  const ListedRun run = list_run(task_of(program), trace);
  EXPECT_TRUE(run.steps.empty());
  EXPECT_NE(run.broken, "");
  EXPECT_THAT(picture::run_svg(run, "x", ""), HasSubstr("impossible"));
}

/// As evidence from elsewhere may be.
/// A stack is told in few words, so that a run that goes deep is told in as many words as it has
/// steps.
TEST(ListedRun, DeepStacksAreToldInFewWords) {
  const auto program = read_program(
      "decl x := 0;\n"
      "void down() begin if (x) then assert(0); fi; x := *; down(); end\n"
      "void main() begin down(); end\n");
  const auto flow = model::boolean::keep_calls(program);
  ASSERT_TRUE(flow);
  answer::ProgramRun trace{model::boolean::initial_states(*flow, 1).front(), {}, true};
  model::boolean::State state = trace.initial;
  constexpr std::size_t kDepth = 300;
  while (state.threads[0].callers.size() < kDepth) {
    std::optional<std::pair<model::boolean::Step, model::boolean::State>> next;
    for_each_step(*flow, state, [&](const auto& step, const auto& after) {
      if (after.shared == 0) next = {step, after};
    });
    ASSERT_TRUE(next);
    trace.steps.push_back(next->first);
    state = next->second;
  }
  const ListedRun run = list_run(task_of(program), trace);
  EXPECT_EQ(run.broken, "");
  EXPECT_THAT(run.moments.back().text, HasSubstr("in 288 more calls"));
  std::size_t longest = 0;
  for (const Moment& moment : run.moments) longest = std::max(longest, moment.text.size());
  EXPECT_LT(longest, 400u);
  const model::PushdownConfiguration deep{model::SharedState(0u),
                                          {model::Stack(1'000'000, model::StackSymbol(7u))}};
  EXPECT_LT(to_string(deep).size(), 100u);
  EXPECT_THAT(to_string(deep), HasSubstr("7.7.… (999976 more)"));
}

TEST(ListedRun, SaysSoWhereItStartsNowhere) {
  const model::ProgramTask task = task_of(waker());
  answer::ProgramRun astray = failing_run(task.model);
  astray.initial.threads.front().node = model::boolean::NodeId(1'000U);
  EXPECT_THAT(list_run(task, astray).broken, HasSubstr("does not start in a state"));
  const model::AnyTask any = task;
  const answer::AnyRun run = astray;
  ReplaySession session(any, run, Blocks::Folded, Style{});
  EXPECT_THAT(session.respond("n"), HasSubstr("does not start in a state"));
}

TEST(RunSession, StepsWatchesAndContinues) {
  const auto program = waker();
  const model::AnyTask task = task_of(program);
  const answer::AnyRun trace = failing_run(program);
  ReplaySession session(task, trace, Blocks::Folded, Style{});
  EXPECT_THAT(session.greeting(), HasSubstr("6 steps; start  flag=0 | main:4 mine=0"));
  EXPECT_THAT(session.respond("w flag"), HasSubstr("flag: 0"));
  EXPECT_THAT(session.respond("w 0:mine"), HasSubstr("0:mine: 0"));
  EXPECT_THAT(session.respond("w 1"), HasSubstr("1: not started"));
  EXPECT_THAT(session.respond("w 2"), HasSubstr("there is no '2'"));
  EXPECT_THAT(session.respond("w 0:yours"), HasSubstr("there is no '0:yours'"));
  EXPECT_THAT(session.respond("c"), HasSubstr("0:mine: 1"));
  EXPECT_THAT(session.respond("c"), HasSubstr("1: main:10"));
  EXPECT_THAT(session.respond("p"), HasSubstr("1: not started"));
  EXPECT_THAT(session.respond("g end"), HasSubstr("has failed at main:8"));
  EXPECT_THAT(session.respond("n"), HasSubstr("end of the trace"));
}

TEST(RunSession, StaysBeforeAnImpossibleStep) {
  const auto program = waker();
  const model::AnyTask task = task_of(program);
  answer::ProgramRun broken = failing_run(program);
  broken.steps.erase(broken.steps.begin() + 1);
  const answer::AnyRun trace = broken;
  ReplaySession session(task, trace, Blocks::Folded, Style{});
  session.respond("n");
  EXPECT_THAT(session.respond("n"), HasSubstr("the next step is impossible"));
  EXPECT_THAT(session.respond("g end"), HasSubstr("the next step is impossible"));
}

TEST(RunSession, ShowsStacksOfPushdownSystems) {
  const model::AnyTask task =
      test::pushdown_task("2\nPDA 0 2\n0 0 -> 0 1 2\n0 1 -> 1 -\n", "0|0", "1|2");
  const answer::AnyRun trace =
      answer::PushdownRun{{model::SharedState(0u), {{0, model::StackSymbol(0u)}}},
                          {{model::TransitionId(0u)}, {model::TransitionId(1u)}}};
  ReplaySession session(task, trace, Blocks::Folded, Style{});
  EXPECT_THAT(session.respond("w 0"), HasSubstr("0: 0"));
  EXPECT_THAT(session.respond("n"), HasSubstr("0: 1.2"));
  EXPECT_THAT(session.respond("n"), HasSubstr("reaches 1|2"));
}

TEST(RunPicture, HasALaneForEachThreadAndSaysHowItEnds) {
  const auto program = waker();
  const std::string svg =
      picture::run_svg(list_run(task_of(program), failing_run(program)), "waker", "REFUTED: no");
  for (const char* part : {"thread 0", "thread 1", "flag=1", "broadcast", "has failed at main:8",
                           "class=\"branch\"", "class=\"mark\"", "REFUTED: no"})
    EXPECT_THAT(svg, HasSubstr(part));
}

TEST(ProgramPicture, DrawsTheFlowGraph) {
  const auto flow = model::boolean::unfold(waker());
  const std::string dot = picture::program_dot(*flow, "waker");
  for (const char* part : {"label=\"main\"", "flag := 1", "8 fails", "7 waits", "woken", "starts"})
    EXPECT_THAT(dot, HasSubstr(part));
  EXPECT_THAT(dot, Not(HasSubstr("drawn:")));
}

TEST(ProgramPicture, ListsTheElementsOfABasis) {
  const auto flow = model::boolean::unfold(waker());
  const answer::ProgramBasis basis{
      {{model::boolean::Cube::all().with(0, true), {{flow->start, model::boolean::Cube::all()}}},
       {model::boolean::Cube::all(), {}}},
      {}};
  const std::string svg = picture::program_basis_svg(*flow, basis, "waker", "");
  EXPECT_THAT(svg, HasSubstr("2 sets"));
  EXPECT_THAT(svg, HasSubstr("flag=1"));
  EXPECT_THAT(svg, HasSubstr("main:4"));
}

}  // namespace
}  // namespace heddle::output
