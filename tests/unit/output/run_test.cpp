/// Runs of Boolean programs and pushdown systems: listed, stepped through and drawn.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "output/listed_run.hpp"
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
  const auto parsed = frontend::find_format("bp")->parse({"some.bp", text});
  EXPECT_TRUE(parsed);
  return std::get<model::BooleanProgram>(parsed->model);
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
answer::Trace failing_run(const model::BooleanProgram& program) {
  const auto flow = model::boolean::unfold(program);
  auto found = model::boolean::explore(*flow, 1, {});
  EXPECT_TRUE(found.failure);
  return {{}, {}, answer::ProgramRun{found.initial, *found.failure, false}};
}

model::Task task_of(const model::BooleanProgram& program) { return {program, {}}; }

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
  EXPECT_THAT(run.moments.back().values, ElementsAre(testing::Pair("flag", true)));
}

TEST(ListedRun, EndsWhereAStepIsImpossible) {
  const auto program = waker();
  answer::Trace trace = failing_run(program);
  std::swap(trace.run->steps.front(), trace.run->steps.back());
  const ListedRun run = list_run(task_of(program), trace);
  EXPECT_TRUE(run.steps.empty());
  EXPECT_NE(run.broken, "");
  EXPECT_THAT(picture::run_svg(run, "x", ""), HasSubstr("impossible"));
}

/// As evidence from elsewhere may be.
TEST(ListedRun, SaysSoWhereThereIsNone) {
  const model::Task task = task_of(waker());
  const answer::Trace empty;
  EXPECT_THAT(list_run(task, empty).broken, HasSubstr("no run"));
  ReplaySession session(task, empty, Blocks::Folded, Style{});
  EXPECT_THAT(session.respond("n"), HasSubstr("no run"));
  EXPECT_THAT(picture::run_svg(list_run(task, empty), "x", ""), HasSubstr("no run"));
}

TEST(RunSession, StepsWatchesAndContinues) {
  const auto program = waker();
  const model::Task task = task_of(program);
  const answer::Trace trace = failing_run(program);
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
  const model::Task task = task_of(program);
  answer::Trace trace = failing_run(program);
  trace.run->steps.erase(trace.run->steps.begin() + 1);
  ReplaySession session(task, trace, Blocks::Folded, Style{});
  session.respond("n");
  EXPECT_THAT(session.respond("n"), HasSubstr("the next step is impossible"));
  EXPECT_THAT(session.respond("g end"), HasSubstr("the next step is impossible"));
}

TEST(RunSession, ShowsStacksOfPushdownSystems) {
  const model::Task task =
      test::pushdown_task("2\nPDA 0 2\n0 0 -> 0 1 2\n0 1 -> 1 -\n", "0|0", "1|2");
  answer::Trace trace{{model::SharedState(0u), {{model::Counter(0u), 1}}}, {}, {}};
  for (const unsigned rule : {0u, 1u})
    trace.blocks.push_back({1, {{model::TransitionId(rule), {}, std::nullopt, {}}}});
  ReplaySession session(task, trace, Blocks::Folded, Style{});
  EXPECT_THAT(session.respond("w 1"), HasSubstr("1: 0"));
  EXPECT_THAT(session.respond("n"), HasSubstr("1: 1.2"));
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
  EXPECT_THAT(svg, HasSubstr("2 kinds"));
  EXPECT_THAT(svg, HasSubstr("flag=1"));
  EXPECT_THAT(svg, HasSubstr("main:4"));
}

}  // namespace
}  // namespace heddle::output
