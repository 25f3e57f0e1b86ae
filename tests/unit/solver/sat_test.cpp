/// Three results, three values.

#include "solver/sat.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace heddle::solver {
namespace {

using std::chrono::steady_clock;

/// Each of n + 1 pigeons has one of n holes, no two the same: impossible, and hard to see.
void add_pigeons(SatSolver& solver, int holes) {
  std::vector<std::vector<Literal>> sits(static_cast<std::size_t>(holes) + 1);
  for (auto& pigeon : sits) {
    for (int hole = 0; hole < holes; ++hole) pigeon.push_back(solver.new_variable());
    solver.add_clause(pigeon);
  }
  for (std::size_t a = 0; a < sits.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t hole = 0; hole < sits[a].size(); ++hole)
        solver.add_clause(std::vector{-sits[a][hole], -sits[b][hole]});
}

TEST(Sat, SatisfiableOrNot) {
  SatSolver solver;
  const base::RunContext context;
  const Literal a = solver.new_variable(), b = solver.new_variable();
  solver.add_clause(std::vector{a, b});
  EXPECT_EQ(solver.solve(std::vector{-a}, context), SatAnswer::Satisfiable);
  EXPECT_TRUE(solver.value(b));
  EXPECT_EQ(solver.solve(std::vector{-a, -b}, context), SatAnswer::Unsatisfiable);
  EXPECT_EQ(solver.solve({}, context), SatAnswer::Satisfiable);
  solver.add_clause({});
  EXPECT_EQ(solver.solve({}, context), SatAnswer::Unsatisfiable);
}

TEST(Sat, WhoIsStoppedDoesNotKnow) {
  SatSolver solver;
  add_pigeons(solver, 3);
  std::stop_source stop;
  stop.request_stop();
  const base::RunContext stopped({}, 0, stop.get_token());
  EXPECT_EQ(solver.solve({}, stopped), SatAnswer::Unknown);
  EXPECT_EQ(solver.solve({}, base::RunContext()), SatAnswer::Unsatisfiable);
}

TEST(Sat, TheDeadlineEndsASearch) {
  SatSolver solver;
  add_pigeons(solver, 14);
  const auto start = steady_clock::now();
  const base::RunContext context({.deadline = start + std::chrono::milliseconds(100),
                                  .steps = std::nullopt,
                                  .memory_mb = std::nullopt});
  EXPECT_EQ(solver.solve({}, context), SatAnswer::Unknown);
  EXPECT_TRUE(context.stopped());
}

}  // namespace
}  // namespace heddle::solver
