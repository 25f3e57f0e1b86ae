/// The engine `concolic` on small models whose paths are known.

#include "engine/concolic/concolic.hpp"
#include "frontend/thread_system/format.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "check/check.hpp"
#include "engine/concolic/path_search.hpp"
#include "engine/concolic/quotient.hpp"
#include "frontend/frontend.hpp"
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
using test::any_number;
using test::exactly;
using test::move;
using test::spawn;
using test::target;
using test::task;
using test::thread_system;
using test::transfer;

Verdict solve(const model::CountingTask& task, RunContext& context) {
  return row().run(task, {}, context);
}

/// The verdict's name, after its evidence was confirmed.
std::string confirmed(const model::CountingTask& task) {
  RunContext context, checking;
  const Verdict verdict = solve(task, context);
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, EvidenceStatus::Confirmed) << checked.why << "\n"
                                                       << test::task_text(task);
  return std::string(verdict_name(verdict));
}

answer::Trace trace_of(const model::CountingTask& task) {
  RunContext context;
  const Verdict verdict = solve(task, context);
  EXPECT_TRUE(std::holds_alternative<Unsafe>(verdict)) << test::task_text(task);
  return std::get<answer::Trace>(std::get<Unsafe>(verdict).trace);
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
model::CountingTask one_loop(const model::Region& goal) {
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

/// A file of the suites beside the project, asked for a target.
model::CountingTask read_toy(const std::filesystem::path& file, const model::Region& goal) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const auto parsed = frontend::thread_system::parse({file.string(), text.str()});
  EXPECT_TRUE(parsed);
  return {parsed->model, {{any_number(0, {0})}, {goal}}};
}

TEST(Concolic, TheExamplesOfThePublishedTool) {
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  const auto toys = std::filesystem::path(source ? source : ".") / "../shared/suites/threads/toy";
  if (!std::filesystem::exists(toys))
    GTEST_SKIP() << "the suites are not at ../shared/suites beside the project";
  const std::tuple<const char*, unsigned, std::vector<Integer>> examples[] = {
      {"cutr-fig1.tts", 6, {2}}, {"two-loops.tts", 10, {2}}};
  for (const auto& [name, last, rounds] : examples) {
    SCOPED_TRACE(name);
    EXPECT_EQ(confirmed(read_toy(toys / name, target(last, {4}))), "safe");
    const model::CountingTask reachable = read_toy(toys / name, target(last, {3}));
    EXPECT_EQ(confirmed(reachable), "unsafe");
    EXPECT_EQ(repetitions(trace_of(reachable)), rounds);
  }
}

TEST(Concolic, WhatIsClosedUnderStepsNeedsNoPath) {
  const model::CountingTask unreachable = one_loop(target(2, {4}));
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
  const model::CountingQuestion question{{any_number(0, {0})}, {target(3, {1})}};
  const auto rows = coverability::closed_thread_states(system, question.initial, 1 << 20);
  const Diagram diagram(system, *rows);
  const Quotient quotient(diagram, question);
  const PathCounts paths = quotient.count_paths(question);
  EXPECT_EQ(paths.loop_free, 1);
  EXPECT_EQ(paths.simple, 2);
  EXPECT_EQ(paths.spaghetti, 2);
  EXPECT_EQ(quotient.loops_on_simple_paths(), 1u);
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
        const model::CountingTask some =
            task(system, {exactly(0, {0, 0, 0, 0})}, {target(4, std::vector<unsigned>(count, 2))});
        const bool reached = std::holds_alternative<model::Reached>(model::ask_oracle(some, {}));
        EXPECT_EQ(confirmed(some), reached ? "unsafe" : "safe")
            << "entry " << entry << ", exit " << exit << ", count " << count;
      }
}

TEST(Concolic, InitialAndTargetStatesMayLieOnALoop) {
  for (const unsigned length : {2u, 3u, 7u})
    for (const unsigned count : {1u, 2u, 1000u}) {
      const model::CountingTask counting = test::counting_loop(length, count);
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
  const model::CountingTask many =
      task(system, {exactly(0, {0})}, {target(1, std::vector<unsigned>(50, 1))});
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
  const model::CountingTask chain = test::doubling_chain(200);
  EXPECT_EQ(confirmed(chain), "unsafe");
  EXPECT_EQ(trace_of(chain).initial.counts.total(), Integer(1) << 200);
}

double demands(const model::CountingTask& task) {
  RunContext context;
  solve(task, context);
  return context.statistics().get("symbolic demands");
}

/// 2^40 paths, each by one of two loops forty times: one of two equal loops serves for the other.
TEST(Concolic, EqualLoopsBesideEachOtherAreSearchedOnce) {
  constexpr unsigned kLevels = 40;
  std::vector<model::ThreadTransition> edges;
  for (unsigned i = 0; i < kLevels; ++i)
    for (const unsigned side : {1u, 2u}) {
      edges.push_back(move(3 * i, 0, 3 * i + side, 2));
      edges.push_back(move(3 * i + side, 0, 3 * i + side, 1));
      edges.push_back(move(3 * i + side, 1, 3 * i + 3, 2));
    }
  const auto system = thread_system(3 * kLevels + 1, 3, edges);
  const auto few = exactly(0, std::vector<unsigned>(5, 0));
  const auto enough = exactly(0, std::vector<unsigned>(2 * kLevels, 0));
  EXPECT_EQ(confirmed(task(system, {few}, {target(3 * kLevels, {2})})), "safe");
  EXPECT_EQ(confirmed(task(system, {enough}, {target(3 * kLevels, {2})})), "unsafe");
  EXPECT_LT(demands(task(system, {few}, {target(3 * kLevels, {2})})), 400);
}

/// 2^40 paths, past or through each of forty loops: the way through serves for the way past.
TEST(Concolic, LoopsThatMayBePassedAreNoAlternatives) {
  constexpr unsigned kLevels = 40;
  std::vector<model::ThreadTransition> edges;
  for (unsigned i = 0; i < kLevels; ++i) {
    edges.push_back(move(2 * i, 0, 2 * i + 2, 1));
    edges.push_back(move(2 * i, 0, 2 * i + 1, 1));
    edges.push_back(move(2 * i + 1, 2, 2 * i + 1, 3));
    edges.push_back(move(2 * i + 1, 4, 2 * i + 2, 4));
  }
  const auto system = thread_system(2 * kLevels + 1, 5, edges);
  const auto some = [&](unsigned count) {
    return task(system,
                {exactly(0,
                         [&] {
                           std::vector<unsigned> threads(kLevels, 0);
                           threads.insert(threads.end(), {2, 2, 2, 4});
                           return threads;
                         }())},
                {target(2 * kLevels, std::vector<unsigned>(count, 3))});
  };
  EXPECT_EQ(confirmed(some(3)), "unsafe");
  EXPECT_EQ(confirmed(some(4)), "safe");
  EXPECT_LT(demands(some(4)), 400);
}

/// As many paths as the thirtieth Fibonacci number, each past some of thirty loops of two kinds.
TEST(Concolic, APathThroughMoreLoopsServesForTheOthers) {
  constexpr unsigned kPassed = 30;
  std::vector<model::ThreadTransition> edges;
  for (unsigned i = 0; i < kPassed; ++i) {
    edges.push_back(i % 2 == 0 ? move(i, 2, i, 3) : move(i, 5, i, 6));
    edges.push_back(move(i, 4, i + 1, 4));
    if (i + 2 <= kPassed) edges.push_back(move(i, 4, i + 2, 4));
  }
  const auto system = thread_system(kPassed + 1, 7, edges);
  const auto ask = [&](const std::vector<unsigned>& locals) {
    return task(system, {exactly(0, {2, 2, 4, 5, 5})}, {target(kPassed, locals)});
  };
  EXPECT_EQ(confirmed(ask({3, 3, 6, 6})), "unsafe");
  EXPECT_EQ(confirmed(ask({3, 3, 6, 6, 6})), "safe");
  EXPECT_LT(demands(ask({3, 3, 6, 6, 6})), 400);
}

/// The way by 3 has a simple loop and leads to threads in 1 only, the way by 1 two loops at once.
TEST(Concolic, SpaghettiIsSearchedWhereSimplePathsDoNotLead) {
  const auto system =
      thread_system(4, 3,
                    {move(0, 0, 1, 0), move(1, 0, 1, 1), move(1, 1, 1, 2), move(1, 2, 2, 2),
                     move(0, 0, 3, 0), move(3, 0, 3, 1), move(3, 1, 2, 1)});
  EXPECT_EQ(confirmed(task(system, {any_number(0, {0})}, {target(2, {2, 2})})), "unsafe");
  EXPECT_EQ(confirmed(task(system, {any_number(0, {0})}, {target(2, {1, 1})})), "unsafe");
  const model::CountingTask scarce = task(system, {exactly(0, {0})}, {target(2, {2, 2})});
  EXPECT_EQ(confirmed(scarce), "safe");
  RunContext context;
  const auto proof =
      std::get<answer::PathwiseProof>(std::get<Safe>(solve(scarce, context)).certificate);
  EXPECT_FALSE(proof.spaghetti.minimal.empty());
}

/// 2^12 demands none of which serves for another: backward search over everything takes over.
TEST(Concolic, LeavesTooManyDemandsToBackwardSearch) {
  constexpr unsigned kLevels = 12;
  std::vector<model::ThreadTransition> edges = {move(0, 2 * kLevels, 0, 2 * kLevels + 1)};
  std::vector<unsigned> threads(1, 2 * kLevels);
  for (unsigned i = 0; i < kLevels; ++i) {
    for (const unsigned local : {2 * i, 2 * i + 1}) {
      edges.push_back(move(i, local, i + 1, local));
      threads.push_back(local);
    }
  }
  const auto system = thread_system(kLevels + 1, 2 * kLevels + 3, edges);
  const auto ask = [&](unsigned local, bool all) {
    auto present = threads;
    if (!all) present.erase(present.end() - 2, present.end());
    return task(system, {exactly(0, present)},
                {target(kLevels, {2 * kLevels + 1, 2 * kLevels + 1, local})});
  };
  EXPECT_EQ(confirmed(ask(2 * kLevels + 1, true)), "safe");
  RunContext context;
  const Verdict verdict = solve(ask(2 * kLevels + 1, true), context);
  EXPECT_GT(context.statistics().get("symbolic demands"), 500);
  EXPECT_TRUE(std::holds_alternative<answer::BackwardBasis>(std::get<Safe>(verdict).certificate));
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
