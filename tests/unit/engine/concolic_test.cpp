/// The engine `concolic` on small models whose paths are known.

#include "engine/concolic/concolic.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/concolic/quotient.hpp"
#include "support/builders.hpp"
#include "support/loop_models.hpp"
#include "support/shrink.hpp"

namespace heddle::engine::concolic {
namespace {

using answer::EvidenceStatus;
using answer::Safe;
using answer::Unsafe;
using answer::Verdict;
using base::Integer;
using base::RunContext;
using model::Task;
using test::any_number;
using test::exactly;
using test::move;
using test::spawn;
using test::target;
using test::task;
using test::thread_system;
using test::transfer;

Verdict solve(const Task& task, RunContext& context) { return row().run(task, {}, context); }

/// The verdict's name, after its evidence was confirmed.
std::string confirmed(const Task& task) {
  RunContext context, checking;
  const Verdict verdict = solve(task, context);
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, EvidenceStatus::Confirmed) << checked.why << "\n"
                                                       << test::task_text(task);
  return std::string(verdict_name(verdict));
}

answer::Trace trace_of(const Task& task) {
  RunContext context;
  const Verdict verdict = solve(task, context);
  EXPECT_TRUE(std::holds_alternative<Unsafe>(verdict)) << test::task_text(task);
  return std::get<Unsafe>(verdict).trace;
}

/// How often the repeated blocks of a trace are run.
std::vector<Integer> repetitions(const answer::Trace& trace) {
  std::vector<Integer> result;
  for (const auto& block : trace.blocks)
    if (block.body.size() > 1 || block.repetitions > 1) result.push_back(block.repetitions);
  return result;
}

/// The loop of the paper's first figure, written anew: three steps round, one thread too few left
/// over by each round for what comes behind it.
Task one_loop(const model::Region& goal) {
  return task(thread_system(7, 5,
                            {move(0, 0, 1, 1), move(1, 0, 2, 1), move(2, 0, 3, 1), move(3, 1, 1, 2),
                             move(3, 2, 4, 3), move(4, 2, 5, 4), move(5, 4, 6, 3)}),
              {any_number(0, {0})}, {goal});
}

TEST(Concolic, TheWorkedExampleOfThePaper) {
  EXPECT_EQ(confirmed(one_loop(target(6, {4}))), "safe");
  EXPECT_EQ(confirmed(one_loop(target(6, {3}))), "unsafe");
  const auto counts = repetitions(trace_of(one_loop(target(6, {3}))));
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0], 2);
}

TEST(Concolic, WhatIsClosedUnderStepsNeedsNoPath) {
  const Task unreachable = one_loop(target(2, {4}));
  RunContext context;
  const Verdict verdict = solve(unreachable, context);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(
      std::holds_alternative<answer::ClosedThreadStates>(std::get<Safe>(verdict).certificate));
  EXPECT_EQ(confirmed(unreachable), "safe");
}

/// As sets of edges, the real edge (0,0) → (0,2) would swallow the expansion edge with these ends.
TEST(Concolic, TheDiagramIsAMultigraph) {
  const auto system = thread_system(
      4, 5,
      {move(0, 0, 0, 2), move(0, 0, 1, 1), move(1, 1, 1, 2), move(1, 2, 2, 3), move(2, 1, 3, 4)});
  EXPECT_EQ(confirmed(task(system, {any_number(0, {0})}, {target(3, {4})})), "unsafe");
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0, 0})}, {target(3, {4})})), "unsafe");
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0})}, {target(3, {4})})), "safe");
}

struct Shapes {
  unsigned trivial = 0, simple = 0, spaghetti = 0;
  friend bool operator==(const Shapes&, const Shapes&) = default;
};

Shapes shapes(const model::ThreadSystem& system) {
  const auto rows = coverability::closed_thread_states(system, {any_number(0, {0})}, 1 << 20);
  const Diagram diagram(system, *rows);
  Shapes result;
  for (const Component& component : diagram.components()) {
    result.trivial += component.shape == Shape::Trivial;
    result.simple += component.shape == Shape::SimpleLoop;
    result.spaghetti += component.shape == Shape::Spaghetti;
  }
  return result;
}

TEST(Concolic, ComponentsAreClassified) {
  EXPECT_EQ(shapes(thread_system(2, 2, {move(0, 0, 1, 1)})), (Shapes{2, 0, 0}));
  EXPECT_EQ(shapes(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 0, 0, 1)})), (Shapes{0, 1, 0}));
  // Keeps the shared state: a loop with an expansion edge.
  EXPECT_EQ(shapes(thread_system(1, 2, {move(0, 0, 0, 1)})), (Shapes{0, 1, 0}));
  EXPECT_EQ(shapes(thread_system(1, 2, {spawn(0, 0, 0, 1)})), (Shapes{0, 1, 0}));
  EXPECT_EQ(shapes(thread_system(1, 2, {transfer(0, 0, 0, 1)})), (Shapes{0, 0, 1}));
  EXPECT_EQ(shapes(thread_system(1, 2, {move(0, 0, 0, 1, {{1, 0}})})), (Shapes{0, 0, 1}));
  // Changes nothing, or never happens.
  EXPECT_EQ(shapes(thread_system(1, 2, {move(0, 0, 0, 0)})), (Shapes{1, 0, 0}));
  EXPECT_EQ(shapes(thread_system(1, 2, {move(0, 1, 0, 0)})), (Shapes{1, 0, 0}));
  // Parallel arcs within a component.
  EXPECT_EQ(shapes(thread_system(2, 2, {move(0, 0, 1, 1), move(0, 0, 1, 0), move(1, 0, 0, 1)})),
            (Shapes{0, 0, 1}));
  // An eight.
  EXPECT_EQ(shapes(thread_system(
                3, 2, {move(0, 0, 1, 0), move(1, 0, 0, 0), move(0, 0, 2, 0), move(2, 0, 0, 0)})),
            (Shapes{0, 0, 1}));
}

TEST(Concolic, PathsAreCountedByKind) {
  // 0 → 1 twice, a loop at 1, 1 → 2, spaghetti at 2; 0 → 3 directly, and from 1 and 2.
  const auto system = thread_system(
      4, 2,
      {move(0, 0, 1, 0), move(0, 0, 1, 1), move(1, 0, 1, 1), move(1, 0, 2, 0), move(2, 0, 2, 1),
       move(2, 1, 2, 0), move(0, 0, 3, 0), move(1, 0, 3, 0), move(2, 0, 3, 0)});
  const model::Question question{{any_number(0, {0})}, {target(3, {1})}};
  const auto rows = coverability::closed_thread_states(system, question.initial, 1 << 20);
  const Diagram diagram(system, *rows);
  const Quotient quotient(diagram, question);
  const PathCounts paths = quotient.count_paths(question);
  EXPECT_EQ(paths.loop_free, 1);
  EXPECT_EQ(paths.simple, 2);
  EXPECT_EQ(paths.spaghetti, 2);
  EXPECT_TRUE(quotient.has_loops_on_simple_paths());
  unsigned slice = 0;
  for (const Arc& arc : diagram.arcs()) slice += quotient.on_spaghetti_path(arc);
  EXPECT_EQ(slice, 7u) << "all but 0 → 3 and 1 → 3";
}

/// Every entry and exit of a loop of three, with a target that takes exactly so many rounds.
TEST(Concolic, EntersAndLeavesALoopAnywhere) {
  for (unsigned entry = 1; entry <= 3; ++entry)
    for (unsigned exit = 1; exit <= 3; ++exit)
      for (unsigned count = 0; count <= 4; ++count) {
        const auto system = thread_system(5, 4,
                                          {move(0, 0, entry, 1), move(1, 0, 2, 2), move(2, 0, 3, 2),
                                           move(3, 1, 1, 2), move(exit, 2, 4, 3)});
        const Task some =
            task(system, {exactly(0, {0, 0, 0, 0})}, {target(4, std::vector<unsigned>(count, 2))});
        const bool reached = std::holds_alternative<model::Reached>(model::ask_oracle(some, {}));
        EXPECT_EQ(confirmed(some), reached ? "unsafe" : "safe")
            << "entry " << entry << ", exit " << exit << ", count " << count;
      }
}

TEST(Concolic, InitialAndTargetStatesMayLieOnALoop) {
  for (const unsigned length : {2u, 3u, 7u})
    for (const unsigned count : {1u, 2u, 1000u}) {
      const Task counting = test::counting_loop(length, count);
      EXPECT_EQ(confirmed(counting), "unsafe");
    }
}

TEST(Concolic, NoRoundIsACaseOfItsOwn) {
  // One round would need a thread in 1, which there is only behind the loop.
  const auto system = thread_system(3, 3, {move(0, 0, 1, 0), move(1, 1, 1, 2), move(1, 0, 2, 1)});
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0})}, {target(2, {1})})), "unsafe");
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0})}, {target(2, {2})})), "safe");
}

TEST(Concolic, ThreadsAreCreatedInLoops) {
  const auto system = thread_system(2, 3, {spawn(0, 0, 0, 1), move(0, 0, 1, 2)});
  const Task many = task(system, {exactly(0, {0})}, {target(1, std::vector<unsigned>(50, 1))});
  EXPECT_EQ(confirmed(many), "unsafe");
  EXPECT_EQ(trace_of(many).initial.counts.total(), 1);
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0})}, {target(1, {0, 1})})), "safe");
}

TEST(Concolic, SeveralInitialRegionsAreTriedTogether) {
  const auto system =
      thread_system(4, 3, {move(0, 0, 2, 2), move(1, 1, 2, 2), move(2, 1, 2, 2), move(2, 2, 3, 2)});
  const auto goal = target(3, {2, 2, 2});
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0, 1}), any_number(1, {1})}, {goal})), "unsafe");
  EXPECT_EQ(confirmed(task(system, {exactly(0, {0, 1}), exactly(1, {1, 1})}, {goal})), "safe");
}

/// Two hundred loops, each of which takes two threads of the one before.
TEST(Concolic, NumbersOfThreadsMayBeHuge) {
  const Task chain = test::doubling_chain(200);
  EXPECT_EQ(confirmed(chain), "unsafe");
  EXPECT_EQ(trace_of(chain).initial.counts.total(), Integer(1) << 200);
}

/// 2^40 paths, none of which leads anywhere: demands are shared, paths are not listed.
TEST(Concolic, ManyPathsAreNoProblem) {
  std::vector<model::ThreadTransition> edges;
  constexpr unsigned kDiamonds = 40;
  for (unsigned i = 0; i < kDiamonds; ++i) {
    edges.push_back(move(i, 0, i + 1, 1));
    edges.push_back(move(i, 0, i + 1, 2));
    edges.push_back(move(i, 0, i, 1));
  }
  const auto system = thread_system(kDiamonds + 1, 4, edges);
  const auto with_goal = [&](unsigned local) {
    auto whole = system;
    whole.transitions.push_back(move(kDiamonds, 3, kDiamonds, 3, {}));
    return task(whole, {exactly(0, std::vector<unsigned>(kDiamonds, 0))},
                {target(kDiamonds, {0, local})});
  };
  EXPECT_EQ(confirmed(with_goal(1)), "safe");
}

TEST(Concolic, RefusesWhatItCannotDo) {
  EXPECT_FALSE(
      row().accepts(task(test::net(1), {test::marking({0})}, {test::at_least({1})})).yes());
  EXPECT_FALSE(row().accepts(task(thread_system(1, 1, {}), {any_number(0, {0})}, {})).yes());
  auto bounded = target(0, {0});
  bounded.bounds[0].upper = 1;
  EXPECT_FALSE(row().accepts(task(thread_system(1, 1, {}), {any_number(0, {0})}, {bounded})).yes());
}

}  // namespace
}  // namespace heddle::engine::concolic
