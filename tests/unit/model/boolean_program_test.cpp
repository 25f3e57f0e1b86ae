/// What statements mean, seen through the flow graph and the interpreter.

#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::model::boolean {
namespace {

std::expected<Flow, std::string> unfolded(const std::string& text) {
  const auto file = frontend::boolean_program::parse({"test", text});
  EXPECT_TRUE(file) << base::render(file.error());
  return unfold(file->model);
}

Flow flow_of(const std::string& text) {
  auto flow = unfolded(text);
  EXPECT_TRUE(flow) << flow.error();
  return std::move(*flow);
}

/// Can `assert(claim)` behind the statements fail, with one thread?
bool can_fail(const std::string& statements, const std::string& claim) {
  const Flow flow = flow_of("decl g := 0, h := 1;\nvoid main() begin decl x := 0, y := 1;\n" +
                            statements + "\nassert(" + claim + "); end");
  const RunResult result = explore(flow, 1, {});
  EXPECT_TRUE(result.exact);
  return result.failure.has_value();
}

TEST(BooleanProgram, AssignmentsAreParallel) {
  EXPECT_FALSE(can_fail("x, y := y, x;", "x & !y"));
  EXPECT_TRUE(can_fail("x := y; y := x;", "x & !y"));
}

TEST(BooleanProgram, EachStarIsChosenAnew) {
  EXPECT_TRUE(can_fail("x, y := *, *;", "x = y"));
  EXPECT_TRUE(can_fail("x := *;", "x"));
  EXPECT_TRUE(can_fail("x := *;", "!x"));
  EXPECT_TRUE(can_fail("skip;", "*"));
  EXPECT_TRUE(can_fail("skip;", "!(*)"));
}

TEST(BooleanProgram, ConstraintsRelateOldAndNewValues) {
  EXPECT_FALSE(can_fail("x, y := *, * constrain 'x != 'y;", "x ^ y"));
  EXPECT_FALSE(can_fail("x := * constrain 'x = y;", "x"));
  EXPECT_FALSE(can_fail("y := * constrain 'y = x;", "!y"));
  EXPECT_FALSE(can_fail("constrain('x = y & 'y = x & 'g = g & 'h = h);", "x & !y & !g & h"));
  EXPECT_TRUE(can_fail("constrain('x = x);", "y"));
}

TEST(BooleanProgram, SchooseIsDecidedByItsFirstTrueArgument) {
  EXPECT_FALSE(can_fail("x := schoose[1, 1];", "x"));
  EXPECT_FALSE(can_fail("x := schoose[0, 1];", "!x"));
  EXPECT_TRUE(can_fail("x := schoose[0, 0];", "x"));
  EXPECT_TRUE(can_fail("x := schoose[0, 0];", "!x"));
}

TEST(BooleanProgram, BranchesAndLoopsFollowTheirConditions) {
  EXPECT_FALSE(can_fail("if g then x := 1; elsif h then x := 0; else x := 1; fi;", "!x"));
  EXPECT_FALSE(can_fail("while y do y := *; od;", "!y"));
  EXPECT_FALSE(can_fail("abortif y; x := 1;", "0"));
  EXPECT_FALSE(can_fail("assume(x);", "0"));
  EXPECT_TRUE(can_fail("dead y;", "y"));
}

TEST(BooleanProgram, CallsPassValuesAndForgetLocals) {
  const std::string text =
      "decl g := 0;\nbool<2> f(a) begin decl l; return !a, l; end\n"
      "void main() begin decl x := 0, y := 0;\n x, y := f(x); assert(";
  EXPECT_FALSE(explore(flow_of(text + "x); end"), 1, {}).failure);
  EXPECT_TRUE(explore(flow_of(text + "y); end"), 1, {}).failure);  // l starts with either
  const Flow flow = flow_of(text + "x); end");
  EXPECT_EQ(flow.local_count, 4u);
}

TEST(BooleanProgram, UnfoldingRefusesWhatItCannotUnfold) {
  EXPECT_EQ(unfolded("void f() begin g(); end void g() begin f(); end\n"
                     "void main() begin f(); end")
                .error(),
            "its procedure 'f' is recursive");
  EXPECT_EQ(unfolded("void main() begin l: atomic_begin; goto l; end").error(),
            "it enters atomic sections again and again without leaving them");
  std::string many = "decl v0";
  for (int i = 1; i < 129; ++i) many += ", v" + std::to_string(i);
  EXPECT_EQ(unfolded(many + ";\nvoid main() begin end").error(),
            "it has more than 128 shared variables");
  EXPECT_TRUE(unfolded("void f() begin f(); end void main() begin skip; end"));
}

TEST(BooleanProgram, WaitingThreadsAreMovedByOthersOnly) {
  const Flow flow = flow_of(
      "void main() begin start_thread goto w; broadcast; goto e;\n"
      " w: wait; assert(0); e: skip; end");
  State state = initial_states(flow, 1)[0];
  const auto step = [&](std::uint32_t thread) {
    std::vector<State> after;
    for_each_step(flow, state, [&](const Step& taken, const State& next) {
      if (taken.thread == thread) after.push_back(next);
    });
    return after;
  };
  ASSERT_EQ(step(0).size(), 1u);
  state = step(0)[0];
  ASSERT_EQ(state.threads.size(), 2u);
  EXPECT_TRUE(step(1).empty());
  const NodeId waiting = state.threads[1].node;
  state = step(0)[0];
  EXPECT_NE(state.threads[1].node, waiting);
  state = step(1)[0];
  state = has_failed(flow, state) ? state : step(1)[0];
  EXPECT_TRUE(has_failed(flow, state));
}

TEST(BooleanProgram, PassiveAssignmentsReachAllOtherThreads) {
  const std::string text =
      "decl g := 0;\nvoid main() begin decl x := 0;\n start_thread goto c; start_thread goto c;\n"
      " x$ := 1; g := 1; assert(!x); goto e;\n c: assume(g); assert(";
  EXPECT_FALSE(explore(flow_of(text + "x); e: end_thread; end"), 1, {}).failure);
  EXPECT_TRUE(explore(flow_of(text + "!x); e: end_thread; end"), 1, {}).failure);
}

/// The values that the second of two threads can have when the first has made the assignment.
std::string received(const std::string& assignment, const std::string& first_values) {
  const Flow flow =
      flow_of("void main() begin decl x := " + first_values + "; " + assignment + " end");
  const State state = initial_states(flow, 2).at(0);
  std::string out;
  for (const Valuation value : {0, 1, 2, 3}) {
    const Step step{0, EdgeId(0u), {state.shared, state.threads[0].values, 0}, {}, {{1, value}}};
    out += take(flow, state, step) ? '1' : '0';
  }
  const Step silent{0, EdgeId(0u), {state.shared, state.threads[0].values, 0}, {}, {}};
  const auto after = take(flow, state, silent);
  EXPECT_TRUE(after && out[after->threads[1].values.low_word()] == '1');
  return out;
}

TEST(BooleanProgram, AReceiverTakesOnlyValuesThatTheStatementAllows) {
  EXPECT_EQ(received("x$ := y$;", "1, y := 0"), "1000");
  EXPECT_EQ(received("x$, y$ := y$, x$;", "1, y := 0"), "0010");
  EXPECT_EQ(received("x$ := x & *;", "1, y := 0"), "1100");
  EXPECT_EQ(received("x$, y$ := *, *;", "1, y := 0"), "1111");
  EXPECT_EQ(received("x$, y$ := *, * constrain$ 'x$ != 'y$;", "0, y := 0"), "0110");
  EXPECT_EQ(received("x$, y$ := *, * constrain$ ('x$ | 'y$) & !(x$ & 'y$);", "1, y := 0"), "0100");
  EXPECT_EQ(received("x$, y$ := *, 1 constrain$ 'x$ & !'x$;", "1, y := 0"), "0100");
  EXPECT_EQ(received("x$ := * constrain$ 'x$ | *;", "0, y := 0"), "1100");
}

TEST(BooleanProgram, ConstraintsOfReceiversHaveFewChoices) {
  EXPECT_FALSE(unfolded("void main() begin decl x; x$ := *|*|*|*|*|*|* constrain$ 'x$; end"));
  EXPECT_TRUE(unfolded("void main() begin decl x; x$ := *|*|*|*|*|* constrain$ 'x$; end"));
  EXPECT_TRUE(unfolded("void main() begin decl x; x$ := *|*|*|*|*|*|*; end"));
}

}  // namespace
}  // namespace heddle::model::boolean
