/// Localisation: what is hidden, what a spurious run shows, and that runs are runs of the program.

#include "engine/onthefly/localised.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.hpp"
#include "engine/onthefly/bisimilar_nodes.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/boolean_program/notation.hpp"

namespace heddle::engine::onthefly {
namespace {

using answer::ProgramBasis;
using answer::ProgramRun;
using model::boolean::Abstraction;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::Valuation;

struct Solved {
  std::string verdict;  ///< with a `!` if the checker does not confirm it
  std::size_t seen = 0;
  std::optional<Abstraction> abstraction;
};

Solved solve(const std::string& text, const std::string& threads = "any") {
  auto file = frontend::boolean_program::parse({"test", text});
  EXPECT_TRUE(file) << base::render(file.error());
  model::ProgramTask task{std::move(file->model), {}};
  task.question.initial =
      *frontend::Notation<model::BooleanProgram>::parse_initial(task.model, {"threads", threads});
  task.question.targets = {{}};
  const Flow flow = *model::boolean::unfold(task.model);
  base::RunContext context;
  const auto found = search_localised(flow, task.question.initial, {}, context);
  Solved out;
  answer::Verdict verdict = answer::Unknown{};
  if (const auto* basis = std::get_if<ProgramBasis>(&found)) {
    verdict = answer::Safe{*basis};
    out.abstraction = basis->abstraction;
    out.seen = basis->abstraction->shared.count() + basis->abstraction->local.count();
  } else if (const auto* run = std::get_if<ProgramRun>(&found)) {
    verdict = answer::Unsafe{*run};
  }
  out.verdict = answer::verdict_name(verdict);
  base::RunContext checking;
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  return out;
}

/// `operations` ways to use a variable under a lock, with data around it; the last one may do
/// without the lock.
std::string driver(int operations, bool broken) {
  std::string out =
      "decl lock, guarded, g0, g1;\nvoid main() begin decl v0, v1, v2;\ntop: goto op0";
  for (int i = 1; i < operations; ++i) out += ", op" + std::to_string(i);
  out += ";\n";
  for (int i = 0; i < operations; ++i) {
    const bool bug = broken && i == operations - 1;
    out += "op" + std::to_string(i) + ": v0 := g0 & v1; ";
    if (!bug) out += "atomic_begin; assume(!lock); lock := 1; atomic_end; ";
    out += "if (v0 | g1) then v2 := *; else g0 := v2; fi; guarded := 1; g1 := v" +
           std::to_string(i % 3) + "; assert(guarded); guarded := 0; v1 := v2; ";
    if (!bug) out += "lock := 0; ";
    out += "goto top;\n";
  }
  return out + "end";
}

TEST(Localised, SeesTheLockTheSectionAndWhatItGuards) {
  for (const int operations : {1, 2, 20}) {
    const Solved solved = solve(driver(operations, false));
    EXPECT_EQ(solved.verdict, "safe");
    EXPECT_EQ(solved.seen, 3u);
    EXPECT_LE(std::ranges::max(solved.abstraction->classes), 15u) << operations;
  }
  EXPECT_EQ(solve(driver(20, true)).verdict, "unsafe");
  EXPECT_EQ(solve(driver(20, true), "1").verdict, "safe");
}

/// Four locks, each around a variable of its own; operation i takes locks i and i + 1, in order.
/// The last one may be left out by an operation.
std::string locks(bool broken) {
  std::string out = "decl data";
  for (int i = 0; i < 4; ++i) {
    const std::string k = std::to_string(i);
    out += ", lock" + k + " := 0, x" + k + " := 0";
  }
  out += ";\nvoid main() begin\ntop: goto op0, op1, op2, op3;\n";
  for (int i = 0; i < 4; ++i) {
    std::string take, touch, give;
    for (const int number : {std::min(i, (i + 1) % 4), std::max(i, (i + 1) % 4)}) {
      const std::string k = std::to_string(number);
      if (!broken || i < 3 || number != 3) {
        take += "atomic_begin; assume(!lock" + k + "); lock" + k + " := 1; atomic_end; ";
        give += "lock" + k + " := 0; ";
      }
      touch += "x" + k + " := 1; data := *; assert(x" + k + "); x" + k + " := 0; ";
    }
    out += "op" + std::to_string(i) + ": " + take + touch + give + "goto top;\n";
  }
  return out + "end";
}

/// Without lemmas the proof has tens of thousands of elements, of up to five threads.
TEST(Localised, LongSearchesUseLemmasAboutPairs) {
  auto file = frontend::boolean_program::parse({"test", locks(false)});
  const Flow flow = *model::boolean::unfold(file->model);
  base::RunContext context;
  const auto found = search_localised(flow, {{0, std::nullopt}}, {}, context);
  const auto& basis = std::get<ProgramBasis>(found);
  EXPECT_LT(basis.minimal.size(), 5000u);
  for (const auto& element : basis.minimal) EXPECT_LE(element.threads.size(), 2u);
  EXPECT_EQ(solve(locks(true)).verdict, "unsafe");
}

/// Only one of the ways to the assertion is open, and not the shortest.
TEST(Localised, RunsTakeAWayThatHiddenVariablesLeaveOpen) {
  EXPECT_EQ(solve("decl g := 0;\nvoid main() begin decl a := 1, b := 0;\n"
                  " if (a) then skip; skip; b := a; else skip; fi;\n"
                  " if (b) then skip; skip; skip; else assume(a & b); fi; assert(g); end")
                .verdict,
            "unsafe");
}

/// One that hidden variables close altogether, through a chain of copies.
TEST(Localised, ShowsVariablesThatCloseEveryWay) {
  const Solved solved = solve(
      "decl g := 0;\nvoid main() begin decl a := 0, b, c, d, e;\n"
      " d := *; b := a; e := d; c := b; assume(c); assert(g); end");
  EXPECT_EQ(solved.verdict, "safe");
  EXPECT_EQ(solved.seen, 4u);  // g, a, b, c
}

/// Both ways are closed, the shorter one by data that split the graph at many places.
TEST(Localised, ShowsWhatLeavesTheSmallestGraph) {
  const Solved solved = solve(
      "decl x := 0, t := 0;\nvoid main() begin decl v := 0;\n goto W1, W2;\n"
      "W1: assume(v); v := *; assume(!v); v := !v; assume(v); assume(t); goto S;\n"
      "W2: skip; skip; skip; skip; skip; skip; skip; skip; assume(t); goto S;\n"
      "S: x := 1; assert(!x); end");
  EXPECT_EQ(solved.verdict, "safe");
  EXPECT_EQ(solved.seen, 2u) << "x and t";
}

/// A hidden `wait` can always be left; here nobody ever wakes anybody.
TEST(Localised, ShowsConditionsThatNobodySignals) {
  const std::string rest = "assert(0); skip; end";
  const Solved solved = solve("decl g;\nvoid main() begin wait; " + rest);
  EXPECT_EQ(solved.verdict, "safe");
  EXPECT_TRUE(solved.abstraction->conditions[0]);
  EXPECT_EQ(
      solve("decl g;\nvoid main() begin goto a, b; a: broadcast; goto a; b: wait; " + rest).verdict,
      "unsafe");
  EXPECT_EQ(
      solve("decl g;\nvoid main() begin goto a, b; a: signal; goto a; b: wait; " + rest).verdict,
      "unsafe");
  // A signal that must wake the thread that waits, hidden or not.
  EXPECT_EQ(solve("decl g := 0;\nvoid main() begin goto a, b; a: signal; g := 1; goto a;\n"
                  " b: wait; wait; assume(g); " +
                  rest)
                .verdict,
            "unsafe");
}

/// The thread that is woken inside of the other one's section never gets on: the other one stays
/// inside. Steps that only move must see the section then.
TEST(Localised, ShowsSectionsToThreadsThatOnlyMove) {
  const std::string stuck =
      "decl g := 0;\nvoid main() begin goto a, b;\n"
      " a: atomic_begin; assume(!g); g := 1; broadcast; assume(0); atomic_end; goto a;\n"
      " b: wait; skip; skip; assert(0); end";
  EXPECT_EQ(solve(stuck).verdict, "safe");
  std::string free = stuck;
  free.replace(free.find("assume(0)"), 9, "skip");
  EXPECT_EQ(solve(free).verdict, "unsafe");
}

TEST(Localised, FollowsChildrenPassiveAssignmentsAndCalls) {
  const std::string spawn =
      "decl g := 0;\nvoid main() begin decl a := 0, b := 0;\n"
      " a := 1; b := a; start_thread goto child; a := 0; goto done;\n"
      " child: assume(a & b); g := b; assert(!g); done: skip; end";
  EXPECT_EQ(solve(spawn, "1").verdict, "unsafe");
  const std::string passive =
      "decl g := 0;\nvoid main() begin decl a := 0, b := 0;\n"
      " goto p, q; p: b := 1; a$ := b; goto p; q: assume(a); assert(0); end";
  EXPECT_EQ(solve(passive).verdict, "unsafe");
  EXPECT_EQ(solve(passive, "1").verdict, "safe");
  const std::string calls =
      "decl g := 0;\nbool f(x) begin decl y; y := !x; return y; end\n"
      "void main() begin decl a := 0; a := f(a); a := f(a); assume(a); assert(0); end";
  EXPECT_EQ(solve(calls).verdict, "safe");
}

TEST(Localised, KeepsWhatValuesForOtherThreadsHaveInCommon) {
  const auto after = [](const std::string& assignment, const std::string& condition) {
    return solve("decl g := 0;\nvoid main() begin decl a := 1, b := 0, c;\n goto p, q; p: " +
                 assignment + " goto p; q: assume(" + condition + "); assert(0); end")
        .verdict;
  };
  // nothing is hidden but choices
  EXPECT_EQ(after("a$ := * constrain$ 'a$;", "!a"), "safe");
  EXPECT_EQ(after("a$, b$ := *, * constrain$ 'a$ != 'b$;", "a & b"), "safe");
  EXPECT_EQ(after("a$, b$ := *, * constrain$ ('a$ | 'b$);", "a & b"), "unsafe");
  // a hidden variable of one thread or of the other, mentioned twice
  EXPECT_EQ(after("a$, b$ := c, !c;", "a & b"), "safe");
  EXPECT_EQ(after("a$, b$ := c$ & *, !c$ & *;", "a & b"), "safe");
  EXPECT_EQ(after("a$, b$ := c$, c;", "a & b"), "unsafe");
}

TEST(BisimilarNodes, AreOneUnlessAThreadCanTell) {
  auto file =
      frontend::boolean_program::parse({"test",
                                        "decl g;\nvoid main() begin decl a;\n"
                                        " top: goto l, r, x; l: a := *; g := 1; goto top; r: if "
                                        "(a) then skip; fi; g := 1; goto top;\n"
                                        " x: skip; g := 0; goto top; end"});
  const Flow flow = *model::boolean::unfold(file->model);
  Abstraction abstraction{1, 0, 0, {}, {}};
  std::vector<FlowEdge> edges;
  for (const FlowEdge& edge : flow.edges) edges.push_back(hide(edge, abstraction));
  const auto classes = bisimilar_nodes(flow, abstraction, edges, {});
  // Where 1, 0 or either is assigned next; the end, which no thread reaches, may be a fourth.
  EXPECT_GE(std::ranges::max(classes) + 1, 3u);
  EXPECT_LE(std::ranges::max(classes) + 1, 4u);
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (!edges[i].shared.empty() && !edges[j].shared.empty()) {
        EXPECT_EQ(classes[edges[i].source.index()] == classes[edges[j].source.index()],
                  edges[i].shared == edges[j].shared);
      }
}

}  // namespace
}  // namespace heddle::engine::onthefly
