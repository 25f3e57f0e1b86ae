/// Programs with their calls kept: what the flow graph and the interpreter make of them.

#include <gtest/gtest.h>

#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::model::boolean {
namespace {

BooleanProgram program(const std::string& text) {
  auto file = frontend::boolean_program::parse({"test.bp", text});
  EXPECT_TRUE(file) << text;
  return file->model;
}

/// The rounds that a failure needs, 0 if there is none within three, and whether that is exact.
std::pair<std::size_t, bool> failing_round(const std::string& text) {
  const auto flow = keep_calls(program(text));
  EXPECT_TRUE(flow) << flow.error();
  bool exact = true;
  for (std::size_t rounds = 1; rounds <= 3; ++rounds) {
    const RunResult result = explore_rounds(*flow, 1, rounds, {});
    exact = exact && result.exact;
    if (!result.failure) continue;
    State state = result.initial;
    for (const Step& step : *result.failure) {
      const auto after = take(*flow, state, step);
      EXPECT_TRUE(after) << after.error();
      if (after) state = *after;
    }
    EXPECT_TRUE(has_failed(*flow, state));
    EXPECT_EQ(round_count(*result.failure), rounds);
    return {rounds, exact};
  }
  return {0, exact};
}

using Result = std::pair<std::size_t, bool>;

TEST(KeptCalls, EachCallHasItsOwnVariables) {
  EXPECT_EQ(failing_round("decl g := 0;\n"
                          "void f(n) begin decl own; own := n; if n then f(0); fi;\n"
                          "  assert(own = n); g := own; end\n"
                          "void main() begin f(1); assert(g); end"),
            (Result{0, true}));
  EXPECT_EQ(failing_round("decl g := 0;\n"
                          "void f(n) begin if n then f(0); fi; g := n; end\n"
                          "void main() begin f(1); assert(!g); end"),
            (Result{1, true}));
}

TEST(KeptCalls, ResultsGoToSharedAndLocalVariablesOrNowhere) {
  const std::string f = "bool<3> f(a) begin return a, !a, 1; end\n";
  EXPECT_EQ(failing_round("decl g := 0;\n" + f +
                          "void main() begin decl l; l, g, _ := f(1); assert(l & !g); end"),
            (Result{0, true}));
  EXPECT_EQ(failing_round("decl g := 0;\n" + f +
                          "void main() begin decl l; l, g, _ := f(0); assert(l | !g); end"),
            (Result{1, true}));
}

TEST(KeptCalls, WithoutAStatementAnyResultIsReturned) {
  EXPECT_EQ(failing_round("bool f() begin skip; end\n"
                          "void main() begin decl l; l := f(); assert(l); end"),
            (Result{1, true}));
}

TEST(KeptCalls, StacksBeyondTheLimitAreSaid) {
  EXPECT_EQ(failing_round("void f() begin f(); end void main() begin f(); end"),
            (Result{0, false}));
}

TEST(KeptCalls, ListedThreadsTakeTurnsInTheirOrder) {
  // The second thread needs what the first one does after it.
  const std::string text =
      "decl a := 0, b := 0, c := 0;\n"
      "void thread1() begin assume(b); c := 1; end\n"
      "void thread2() begin a := 1; b := a; assume(c); assert(0); end";
  EXPECT_EQ(failing_round(text), (Result{2, true}));
}

TEST(KeptCalls, InitRunsBeforeTheThreads) {
  EXPECT_EQ(failing_round("decl a;\nvoid init() begin a := 0; a := 1; end\n"
                          "void main() begin assert(a); end void thread1() begin assert(a); end"),
            (Result{0, true}));
  EXPECT_EQ(failing_round("decl a;\nvoid init() begin a := 0; assert(a); end\n"
                          "void thread1() begin skip; end"),
            (Result{1, true}));
}

TEST(KeptCalls, AtomicSectionsReachIntoProcedures) {
  const std::string rest =
      "void thread1() begin h(); end\n"
      "void thread2() begin assert(!x | y); end";
  EXPECT_EQ(failing_round("decl x := 0, y := 0;\nvoid f() begin x := 1; y := 1; end\n"
                          "void h() begin atomic { f(); } end\n" +
                          rest),
            (Result{0, true}));
  EXPECT_EQ(failing_round("decl x := 0, y := 0;\nvoid f() begin x := 1; y := 1; end\n"
                          "void h() begin f(); end\n" +
                          rest),
            (Result{1, true}));
}

TEST(KeptCalls, SaysWhatItCannotDo) {
  const auto why = [](const std::string& text) {
    const auto flow = keep_calls(program(text));
    return flow ? "" : flow.error();
  };
  EXPECT_EQ(why("void f() begin atomic_begin; end void main() begin f(); end"),
            "its procedure 'f' does not return in the atomic section in which it was called");
  EXPECT_EQ(why("void main() begin L: start_thread goto L; end"), "its threads create others");
  EXPECT_EQ(why("void main() begin wait; end"), "its threads wait for each other");
  EXPECT_EQ(why("void main() begin broadcast; end"), "its threads wake others");
  EXPECT_EQ(why("void main() begin decl l; l$ := 1; end"),
            "its threads assign to variables of others");
}

TEST(KeptCalls, UnfoldingLeavesListedThreadsAlone) {
  const auto flow = unfold(program("void thread1() begin skip; end"));
  ASSERT_FALSE(flow);
  EXPECT_EQ(flow.error(), "it lists its threads as procedures");
}

TEST(ProgramCalls, AThreadThatEndsForgetsItsOwnVariablesAlone) {
  const Flow flow =
      *keep_calls(program("decl g;\nbool f(p, q) begin return p & q; end\n"
                          "void main() begin decl l; l := f(g, g); end_thread; assert(l); end"));
  unsigned ends = 0;
  for (const FlowEdge& edge : flow.edges) {
    const Frame& frame = flow.frames[flow.nodes[edge.source.index()].frame];
    for (const Assignment& a : edge.local)
      EXPECT_LT(a.index, flow.local_names[frame.procedure].size()) << edge.text;
    ends += edge.text == "end_thread" ? 1 : 0;
  }
  EXPECT_EQ(ends, 1U);
}

}  // namespace
}  // namespace heddle::model::boolean
