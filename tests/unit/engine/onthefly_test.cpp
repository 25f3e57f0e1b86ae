/// Points where the published listing of the on-the-fly search goes wrong, one test each: every
/// program here gets the other answer from the algorithm as printed.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "engine/onthefly/predecessors.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "frontend/notation.hpp"

namespace heddle::engine {
namespace {

model::ProgramTask task_of(const std::string& text, const std::string& threads) {
  auto file = frontend::boolean_program::parse({"test", text});
  EXPECT_TRUE(file) << base::render(file.error());
  model::ProgramTask task{std::move(file->model), {}};
  task.question.initial =
      *frontend::Notation<model::BooleanProgram>::parse_initial(task.model, {"threads", threads});
  task.question.targets = {{}};
  return task;
}

/// "safe" or "unsafe", confirmed by the checker, with and without the oracle.
std::string verdict(const std::string& text, const std::string& threads = "1") {
  const model::ProgramTask task = task_of(text, threads);
  std::string answer;
  for (const bool use_facts : {true, false}) {
    Options options;
    set_option(options, "invariants", use_facts ? "on" : "off");
    base::RunContext context;
    const auto found = find_engine("onthefly")->run(task, options, context);
    const auto checked = check::check(task, found, context);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
    const std::string name(answer::verdict_name(found));
    EXPECT_TRUE(answer.empty() || answer == name);
    answer = name;
  }
  return answer;
}

TEST(OnTheFly, ExpandsByEdgesThatMoveOtherThreads) {
  EXPECT_EQ(verdict("void main() begin\n"
                    " 1: start_thread goto 4; 2: broadcast; 3: goto 2;\n"
                    " 4: wait; 5: assert(0);\n end"),
            "unsafe");
}

TEST(OnTheFly, ExpandsByTheSpawnerOfAChildThatIsPresentAlone) {
  EXPECT_EQ(verdict("void main() begin\n 1: start_thread goto 3; 2: goto 2; 3: assert(0); end"),
            "unsafe");
}

/// Spawner and child end up in the same local state: both are needed to pass the barrier.
TEST(OnTheFly, SpawnerAndChildMayBeInTheSameLocalState) {
  EXPECT_EQ(verdict("decl a := 0, b := 0;\nvoid main() begin\n"
                    " 1: start_thread goto 2;\n"
                    " 2: goto 3, 4;\n"
                    " 3: a := 1; goto 3;\n"
                    " 4: assume(a); assert(0); end"),
            "unsafe");
}

TEST(OnTheFly, AChildCopiesWhatItsSpawnerHadBeforeTheStep) {
  const std::string text =
      "decl g := 0;\nvoid main() begin decl x := 0;\n"
      " 1: x := 1;\n 2: start_thread goto 5;\n 3: x := 0;\n 4: goto 4;\n 5: assert(";
  EXPECT_EQ(verdict(text + "x); end"), "safe");
  EXPECT_EQ(verdict(text + "!x); end"), "unsafe");
}

/// Two threads behind a wait: one was released by the broadcast, the other before it.
TEST(OnTheFly, ABroadcastMayReleaseSomeOfEqualThreads) {
  EXPECT_EQ(verdict("decl one := 0, two := 0;\nvoid main() begin\n"
                    " start_thread goto W; start_thread goto W;\n"
                    " broadcast; one := 1; broadcast; two := 1; goto E;\n"
                    " W: wait; A: assume(two);\n"
                    " atomic { assert(!one | !two); }\n E: end_thread; end"),
            "unsafe");
}

TEST(OnTheFly, AThreadAtAWaitIsNotPassedByABroadcast) {
  EXPECT_EQ(verdict("decl told := 0;\nvoid main() begin\n"
                    " start_thread goto W;\n"
                    " B: broadcast; told := 1; goto E;\n"
                    " W: assume(!told); V: wait; assert(0); E: end_thread; end"),
            "unsafe");
  EXPECT_EQ(verdict("decl told := 0;\nvoid main() begin\n"
                    " start_thread goto W;\n"
                    " B: broadcast; told := 1; goto E;\n"
                    " W: assume(told); V: wait; assert(0); E: end_thread; end"),
            "safe");
}

/// All threads at the second wait came from the first.
TEST(OnTheFly, AWaitMayFollowAWait) {
  const std::string text = "void main() begin\n start_thread goto W; broadcast;\n";
  const std::string rest = " goto E; W: wait; V: wait; assert(0); E: end_thread; end";
  EXPECT_EQ(verdict(text + rest), "safe");
  EXPECT_EQ(verdict(text + " broadcast;" + rest), "unsafe");
}

/// Is there a step by the edge from a state of `before` to one of `after`?
bool leads_to(const model::boolean::Flow& flow, const onthefly::Element& before,
              model::boolean::EdgeId edge, const onthefly::Element& after) {
  model::boolean::State state;
  state.shared = before.shared.value;
  for (const auto& thread : before.threads)
    state.threads.push_back({thread.node, thread.values.value});
  bool found = false;
  for_each_step(flow, state, [&](const model::boolean::Step& step, const auto& reached) {
    found |= step.edge == edge && onthefly::covers(reached, after);
  });
  return found;
}

/// A thread that waits can do nothing that one behind the wait could not do later. So a search that
/// lets broadcasts pass over waiting threads finds the same verdicts; but its predecessors have no
/// step, and runs made of them are none.
TEST(OnTheFly, PredecessorsHaveASuccessorInTheElement) {
  for (const std::string wake : {"broadcast", "signal", "x$ := g", "g := 0"}) {
    const auto task = task_of(
        "decl g;\nvoid main() begin decl x;\n start_thread goto W; " + wake +
            "; assert(x); goto E;\n W: g, x := !x, g; V: wait; U: wait; assert(!x); E: skip; end",
        "1");
    const auto flow = model::boolean::unfold(task.model);
    onthefly::Predecessors predecessors(*flow, std::nullopt);
    const auto count = static_cast<std::uint32_t>(flow->nodes.size());
    const auto thread = [](std::uint32_t node) {
      return onthefly::ThreadCube{model::boolean::NodeId(node), {1, node % 2}};
    };
    std::size_t checked = 0;
    for (std::uint32_t n = 0; n < count; ++n)
      for (std::uint32_t m = n; m < count; ++m) {
        const onthefly::Element element{{1, m % 2}, {thread(n), thread(m)}};
        predecessors.for_each(element, [&](model::boolean::EdgeId edge, const auto& before) {
          EXPECT_TRUE(leads_to(*flow, before, edge, element))
              << wake << " at nodes " << n << " and " << m << " by edge " << edge.value;
          ++checked;
        });
      }
    EXPECT_GT(checked, 50U) << wake;
  }
}

TEST(OnTheFly, AtomicIsABitOfTheSharedState) {
  const std::string first = "decl x := 0;\nvoid main() begin\n start_thread goto U;\n";
  const std::string second = " goto E;\n U: assert(!x); E: end_thread; end";
  EXPECT_EQ(verdict(first + "atomic_begin; x := 1; x := 0; atomic_end;" + second), "safe");
  EXPECT_EQ(verdict(first + "x := 1; x := 0;" + second), "unsafe");
}

TEST(OnTheFly, AnAssumeThatBlocksInsideKeepsTheOthersOut) {
  EXPECT_EQ(verdict("decl x := 0;\nvoid main() begin\n start_thread goto U;\n"
                    " atomic { x := 1; assume(0); }\n goto E;\n"
                    " U: assert(!x); E: end_thread; end"),
            "safe");
}

/// A thread in front of a wait cannot get there while a section is held, so it is not woken.
TEST(OnTheFly, AChildOfASectionDoesNotReachItsWaitInside) {
  const std::string last = " goto E;\n W: skip; V: wait; assert(0); E: end_thread; end";
  const std::string text = "void main() begin\n atomic_begin; start_thread goto W; ";
  EXPECT_EQ(verdict(text + "broadcast; atomic_end;" + last), "safe");
  EXPECT_EQ(verdict(text + "atomic_end; broadcast;" + last), "unsafe");
}

TEST(OnTheFly, SectionsNest) {
  EXPECT_EQ(verdict("decl x := 0;\nvoid main() begin\n start_thread goto U;\n"
                    " atomic { x := 1; atomic { skip; } x := 0; }\n goto E;\n"
                    " U: assert(!x); E: end_thread; end"),
            "safe");
}

TEST(OnTheFly, ASignalWakesOneThreadOnly) {
  const auto text = [](const std::string& how) {
    return "decl a := 0, b := 0;\nvoid main() begin\n"
           " start_thread goto V; start_thread goto W; assume(a & b); " +
           how +
           "; goto E;\n"
           " V: atomic { a := 1; } wait; a := 0; goto J;\n"
           " W: atomic { b := 1; } wait; b := 0;\n"
           " J: assert(a | b); E: end_thread; end";
  };
  EXPECT_EQ(verdict(text("signal")), "safe");
  EXPECT_EQ(verdict(text("broadcast")), "unsafe");
}

TEST(OnTheFly, TheNumberOfThreadsInMainMatters) {
  const std::string text =
      "decl a := 0;\nvoid main() begin decl mine := 0;\n"
      " atomic { assume(!a); a := 1; }\n assume(!a); assert(0); end";
  EXPECT_EQ(verdict(text), "safe");
  const std::string open =
      "decl a := 0;\nvoid main() begin\n goto 1, 2; 1: a := 1; goto 1; 2: assume(a); assert(0); "
      "end";
  EXPECT_EQ(verdict(open), "safe");
  EXPECT_EQ(verdict(open, "2"), "unsafe");
  EXPECT_EQ(verdict(open, "any"), "unsafe");
}

TEST(OnTheFly, CallsAreUnfolded) {
  const std::string text =
      "decl g := 0;\nbool<2> swap(a, b) begin return b, a; end\n"
      "void main() begin decl x := 1, y := 0; x, y := swap(x, y); assert(";
  EXPECT_EQ(verdict(text + "!x & y); end"), "safe");
  EXPECT_EQ(verdict(text + "x); end"), "unsafe");
}

TEST(OnTheFly, RecursionIsRefusedWithAReason) {
  const auto task = task_of("void f() begin f(); end\nvoid main() begin f(); end", "1");
  const auto acceptance = find_engine("onthefly")->accepts(task);
  ASSERT_FALSE(acceptance.yes());
  EXPECT_EQ(*acceptance.refusal, "its procedure 'f' is recursive");
}

TEST(OnTheFly, LimitsEndInUnknown) {
  const auto task = task_of(
      "decl a := 0;\nvoid main() begin\n s: start_thread goto 1; goto s;\n"
      " 1: atomic { assume(!a); a := 1; } 2: assert(a); 3: a := 0; goto 1; end",
      "1");
  base::Limits limits;
  limits.steps = 5;
  base::RunContext context(limits);
  const auto found = find_engine("onthefly")->run(task, {}, context);
  ASSERT_TRUE(std::holds_alternative<answer::Unknown>(found));
  EXPECT_EQ(std::get<answer::Unknown>(found).reason, answer::UnknownReason::StepLimit);
}

/// No search recurs once for each step of a run.
TEST(OnTheFly, LongRunsFitOnTheStack) {
  std::string text = "decl x := 0;\nvoid main() begin\n";
  for (int i = 0; i < 40'000; ++i) text += " x := !x;\n";
  const auto task = task_of(text + " assert(0);\nend\n", "1");
  base::RunContext context;
  const auto found = find_engine("onthefly")->run(task, {}, context);
  ASSERT_TRUE(std::holds_alternative<answer::Unsafe>(found));
  EXPECT_EQ(check::check(task, found, context).status, answer::EvidenceStatus::Confirmed);
}

/// Forty local variables that nobody reads cost nothing.
TEST(OnTheFly, IrrelevantVariablesCostNothing) {
  std::string variables = "v0", values = "*";
  for (int i = 1; i < 40; ++i) {
    variables += ", v" + std::to_string(i);
    values += ", *";
  }
  const auto text = [&](const std::string& lock) {
    return "decl held := 0, inside := 0;\nvoid main() begin decl " + variables +
           ";\n start_thread goto U; goto S;\n U: " + variables + " := " + values + ";\n " + lock +
           " assert(!inside); inside := 1; inside := 0; held := 0;\n S: goto U; end";
  };
  EXPECT_EQ(verdict(text("atomic { assume(!held); held := 1; }")), "safe");
  EXPECT_EQ(verdict(text("assume(!held); held := 1;")), "unsafe");
}

}  // namespace
}  // namespace heddle::engine
