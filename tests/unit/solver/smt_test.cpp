#include "solver/smt.hpp"

#include <gtest/gtest.h>

#include "base/invariant.hpp"
#include "base/module.hpp"

namespace heddle::solver {
namespace {

using base::Integer;
using base::RunContext;
using namespace term;

class Smt : public testing::TestWithParam<SmtBackend> {
 protected:
  std::unique_ptr<SmtSolver> solver = make_smt_solver(GetParam());
  RunContext context;
  const Term x = variable("x", Sort::Integer);
  const Term y = variable("y", Sort::Integer);
  const Term p = variable("p", Sort::Boolean);
};

TEST_P(Smt, FindsValuesOfAnySize) {
  const Integer huge = Integer(1) << 200;
  solver->add(equal(sum({x, product(3, y)}), constant(huge)));
  solver->add(at_most(constant(Integer(1)), y));
  solver->add(equal(x, maximum(y, product(-1, y))));
  ASSERT_EQ(solver->check(context), SmtAnswer::Satisfiable);
  EXPECT_EQ(solver->value(x) * 4, huge);
  EXPECT_EQ(solver->value(y) * 4, huge);
}

TEST_P(Smt, ForgetsWhatWasAddedSinceThePush) {
  solver->add(at_most(x, y));
  solver->push();
  solver->add(implication(p, negation(at_most(x, y))));
  solver->add(disjunction({p, conjunction({at_most(y, x), negation(equal(x, y))})}));
  EXPECT_EQ(solver->check(context), SmtAnswer::Unsatisfiable);
  solver->pop();
  EXPECT_EQ(solver->check(context), SmtAnswer::Satisfiable);
}

TEST_P(Smt, DividesLikeIntegersNotLikeFractions) {
  solver->add(equal(product(2, x), sum({product(2, y), constant(Integer(1))})));
  EXPECT_EQ(solver->check(context), SmtAnswer::Unsatisfiable);
}

/// Pigeons and holes: far beyond what these solvers do in the time that is left.
void add_pigeons(SmtSolver& solver, int holes) {
  const auto at = [](int pigeon, int hole) {
    return variable("p" + std::to_string(pigeon) + "_" + std::to_string(hole), Sort::Boolean);
  };
  for (int i = 0; i <= holes; ++i) {
    std::vector<Term> somewhere;
    for (int h = 0; h < holes; ++h) {
      somewhere.push_back(at(i, h));
      for (int j = 0; j < i; ++j) solver.add(negation(conjunction({at(i, h), at(j, h)})));
    }
    solver.add(disjunction(somewhere));
  }
}

TEST_P(Smt, GivesUpAtTheDeadline) {
  add_pigeons(*solver, 14);
  base::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const RunContext hurried(limits);
  EXPECT_EQ(solver->check(hurried), SmtAnswer::Unknown);
  EXPECT_EQ(hurried.stopped(), base::StopReason::TimeLimit);
}

TEST_P(Smt, GivesUpAfterTheEffortThatItMayTake) {
  solver->limit_effort(5'000);
  add_pigeons(*solver, 14);
  EXPECT_EQ(solver->check(context), SmtAnswer::Unknown);
  EXPECT_EQ(context.stopped(), std::nullopt);
}

TEST_P(Smt, GivesUpWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const RunContext stopped({}, 0, source.get_token());
  EXPECT_EQ(solver->check(stopped), SmtAnswer::Unknown);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Smt, testing::Values(SmtBackend::Z3, SmtBackend::Cvc5),
                         [](const auto& backend) {
                           return std::string(backend.param == SmtBackend::Z3 ? "Z3" : "Cvc5");
                         });

TEST(Module, AMissingModuleIsNamed) {
  try {
    base::module_symbol("heddle_nothing.so", "nothing");
    FAIL() << "there is no such module";
  } catch (const base::InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("heddle_nothing.so"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::solver
