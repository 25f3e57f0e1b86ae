/// In which order `concolic` takes up simple paths, and that one formula about all of them says the
/// same as a look at each.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/concolic/concolic.hpp"
#include "engine/concolic/joint_paths.hpp"
#include "engine/concolic/witness.hpp"
#include "support/builders.hpp"
#include "support/loop_models.hpp"
#include "support/shrink.hpp"

namespace heddle::engine::concolic {
namespace {

using base::RunContext;
using test::any_number;
using test::exactly;
using test::move;
using test::target;
using test::thread_system;

model::CountingTask ask(const model::ThreadSystem& system, const model::Region& initial,
                        const model::Region& goal) {
  return test::task(system, {initial}, {goal});
}

/// Where the run found by the engine comes by: the shared states behind its steps.
std::vector<unsigned> way_found(const model::CountingTask& task) {
  RunContext context;
  const auto verdict = row().run(task, {}, context);
  std::vector<unsigned> way;
  const auto& system = std::get<model::ThreadSystem>(task.model);
  for (const auto& block : std::get<answer::Trace>(std::get<answer::Unsafe>(verdict).trace).blocks)
    for (const auto& step : block.body)
      way.push_back(system.transitions[step.transition.index()].target.shared.value);
  return way;
}

/// From 0 to 9: by 1, a loop in which threads take turns; by 2 and 3, a loop that one thread walks
/// on its own; by 4, 5, 6 and 7 without a loop; by 8 with a spaghetti loop.
const std::vector<model::ThreadTransition> kToTurns = {move(0, 0, 1, 0), move(1, 1, 1, 0),
                                                       move(1, 0, 9, 0)};
const std::vector<model::ThreadTransition> kToReal = {move(0, 0, 2, 0), move(2, 0, 3, 0),
                                                      move(3, 0, 2, 0), move(3, 0, 9, 0)};
const std::vector<model::ThreadTransition> kToNone = {
    move(0, 0, 4, 0), move(4, 0, 5, 0), move(5, 0, 6, 0), move(6, 0, 7, 0), move(7, 0, 9, 0)};
const std::vector<model::ThreadTransition> kToTangle = {move(0, 0, 8, 0), move(8, 0, 8, 1),
                                                        move(8, 1, 8, 0), move(8, 0, 9, 0)};

model::CountingTask by(const std::vector<std::vector<model::ThreadTransition>>& ways) {
  std::vector<model::ThreadTransition> edges;
  for (const auto& way : ways) edges.insert(edges.end(), way.begin(), way.end());
  return ask(thread_system(10, 2, edges), exactly(0, {0, 1}), target(9, {0}));
}

TEST(PathRanking, LoopFreeThenRealLoopsThenExpansionsThenSpaghetti) {
  EXPECT_EQ(way_found(by({kToTangle, kToTurns, kToReal, kToNone})),
            (std::vector<unsigned>{4, 5, 6, 7, 9}));
  EXPECT_EQ(way_found(by({kToTangle, kToTurns, kToReal})), (std::vector<unsigned>{2, 3, 9}));
  EXPECT_EQ(way_found(by({kToTangle, kToTurns})), (std::vector<unsigned>{1, 9}));
  EXPECT_EQ(way_found(by({kToTangle})), (std::vector<unsigned>{8, 9}));
}

TEST(PathRanking, ShorterPathsOfAClassFirst) {
  auto ways = by({kToTurns, kToNone});
  auto& edges = std::get<model::ThreadSystem>(ways.model).transitions;
  edges.push_back(move(4, 0, 7, 0));
  EXPECT_EQ(way_found(ways), (std::vector<unsigned>{4, 7, 9}));
  edges.push_back(move(0, 0, 7, 0));
  EXPECT_EQ(way_found(ways), (std::vector<unsigned>{7, 9}));
}

/// 2^levels paths: by one of two loops on each level, which make threads in `first` and in another
/// local state out of those in local state 2. A thread in 3 finds the way.
model::CountingTask levels(unsigned count, const model::Region& initial, unsigned wanted) {
  std::vector<model::ThreadTransition> edges;
  for (unsigned i = 0; i < count; ++i)
    for (const unsigned side : {0u, 1u}) {
      const unsigned here = 5 * i, loop = here + 1 + 2 * side;
      edges.push_back(move(here, 3, loop, 3));
      edges.push_back(move(loop, 2, loop + 1, side));
      edges.push_back(move(loop + 1, i % 3 == 0 ? 2 : 1 - side, loop, i % 2));
      edges.push_back(move(loop, 3, here + 5, 3));
    }
  std::vector<unsigned> locals(wanted, 0);
  locals.insert(locals.end(), wanted, 1);
  return ask(thread_system(5 * count + 1, 4, edges), initial, target(5 * count, locals));
}

/// The first path carries a run of hundreds of threads; the other 2^16 − 1 are not looked at.
TEST(PathRanking, ARunIsFoundBeforeAllPathsAreKnown) {
  std::vector<unsigned> threads(500, 2);
  threads.push_back(3);
  const model::CountingTask many = levels(16, exactly(0, threads), 200);
  RunContext context, checking;
  const auto verdict = row().run(many, {}, context);
  ASSERT_TRUE(std::holds_alternative<answer::Unsafe>(verdict));
  EXPECT_EQ(check::check(many, verdict, checking).status, answer::EvidenceStatus::Confirmed);
  EXPECT_LT(context.statistics().get("symbolic demands"), 200);
}

struct BothWays {
  std::string one_by_one, jointly;
};

std::string name(const model::CountingTask& task, const PathSearchResult& result) {
  if (std::holds_alternative<NoPath>(result)) return "none";
  const auto* found = std::get_if<PathFound>(&result);
  if (!found) return "undecided";
  RunContext checking;
  const answer::Verdict verdict = answer::Unsafe{build_trace(task, found->stretches)};
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                               << test::task_text(task);
  return "found";
}

BothWays search_both_ways(const model::CountingTask& task) {
  const auto& system = std::get<model::ThreadSystem>(task.model);
  const auto rows = coverability::closed_thread_states(system, task.question.initial, 1 << 20);
  const Diagram diagram(system, *rows);
  const Quotient quotient(diagram, task.question);
  RunContext context;
  PathSearch paths(task, diagram, quotient, *rows, context);
  return {name(task, paths.resume(10'000)),
          name(task, search_paths_jointly(task, diagram, quotient, *rows, 50'000'000, context))};
}

/// No node of a chain has two demands: it is followed to its end, however long it is, and nothing
/// else is tried. Each step is a demand.
TEST(PathRanking, AChainOfAnyLengthIsOnePath) {
  for (const unsigned loops : {300U, 1000U}) {
    const model::CountingTask task = test::doubling_chain(loops);
    RunContext context, checking;
    const auto verdict = row().run(task, {}, context);
    EXPECT_LE(context.steps(), 3 * loops);
    EXPECT_EQ(context.statistics().get("solver calls"), 0);
    EXPECT_EQ(check::check(task, verdict, checking).status, answer::EvidenceStatus::Confirmed);
  }
}

TEST(JointPaths, SayWhatTheSinglePathsSay) {
  unsigned found = 0, none = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    test::Random random(seed);
    const model::CountingTask task = test::random_loop_task(random);
    const BothWays both = search_both_ways(task);
    ASSERT_NE(both.jointly, "undecided") << "seed " << seed;
    ASSERT_EQ(both.jointly, both.one_by_one) << "seed " << seed << "\n" << test::task_text(task);
    found += both.jointly == "found";
    none += both.jointly == "none";
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(none, 100u);
}

TEST(JointPaths, DecideManyPathsAtOnce) {
  std::vector<unsigned> threads(60, 2);
  threads.push_back(3);
  for (const unsigned wanted : {25u, 40u}) {
    const model::CountingTask many = levels(6, exactly(0, threads), wanted);
    const BothWays both = search_both_ways(many);
    EXPECT_EQ(both.jointly, wanted == 25 ? "found" : "none");
    EXPECT_EQ(both.one_by_one, both.jointly);
  }
}

}  // namespace
}  // namespace heddle::engine::concolic
