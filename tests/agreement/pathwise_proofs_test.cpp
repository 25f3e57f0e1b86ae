/// Proofs by paths against the engines' answers and the oracle. For every task the honest proof is
/// made: the backward basis of the spaghetti slice, if the slice has one. It must be confirmed
/// exactly if the task is safe, which shows that the checker's formula is neither too weak nor too
/// strong. For an unsafe task some dishonest proofs are tried as well, and none may be confirmed.

#include <gtest/gtest.h>

#include <iostream>

#include "check/check.hpp"
#include "check/pathwise/shared_graph.hpp"
#include "check/pathwise/spaghetti_slice.hpp"
#include "engine/engine.hpp"

#include "support/agreement.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"
#include "support/tiny_models.hpp"

namespace heddle::test::pathwise_proofs_test {
namespace {

using answer::BackwardBasis;
using answer::EvidenceStatus;
using answer::PathwiseProof;
using answer::Safe;

const Contestant& backward() {
  static const std::vector<Contestant> all = contestants(engine::registry());
  for (const Contestant& contestant : all)
    if (contestant.name.starts_with("backward")) return contestant;
  throw std::logic_error("there is no engine backward");
}

answer::Verdict decide(const model::CountingTask& task) {
  base::Limits limits;
  limits.steps = kAgreementSteps;
  base::RunContext context(limits);
  return verdict_of(backward(), task, context);
}

/// The same system with the transitions and targets of spaghetti paths only.
model::CountingTask spaghetti_part(const model::CountingTask& task) {
  const auto& system = std::get<model::ThreadSystem>(task.model);
  const check::SharedGraph graph(system, task.question);
  const check::Slices slices = check::slices(graph, task.question);
  model::ThreadSystem part = system;
  part.transitions.clear();
  for (const std::uint32_t t : slices.spaghetti) part.transitions.push_back(system.transitions[t]);
  model::CountingQuestion question{task.question.initial, {}};
  for (std::size_t i = 0; i < task.question.targets.size(); ++i)
    if (slices.ends_spaghetti[i]) question.targets.push_back(task.question.targets[i]);
  return {part, question};
}

std::optional<BackwardBasis> spaghetti_basis(const model::CountingTask& task) {
  const model::CountingTask part = spaghetti_part(task);
  if (part.question.targets.empty()) return BackwardBasis{};
  const answer::Verdict verdict = decide(part);
  const auto* safe = std::get_if<Safe>(&verdict);
  if (!safe) return std::nullopt;
  return std::get<BackwardBasis>(safe->certificate);
}

struct Tally {
  std::size_t safe = 0, unsafe = 0, with_spaghetti = 0;
};

answer::CheckResult checked(const model::CountingTask& task, BackwardBasis basis) {
  base::RunContext context;
  return check::check(task, Safe{PathwiseProof{std::move(basis)}}, context);
}

void expect_exact(const model::CountingTask& task, Tally& tally) {
  const answer::Verdict verdict = decide(task);
  if (std::holds_alternative<answer::Unknown>(verdict)) return;
  const bool is_safe = std::holds_alternative<Safe>(verdict);
  const std::optional<BackwardBasis> basis = spaghetti_basis(task);
  ++(is_safe ? tally.safe : tally.unsafe);
  if (basis && !basis->minimal.empty()) ++tally.with_spaghetti;
  if (is_safe) {
    ASSERT_TRUE(basis) << task_text(task);
    const auto result = checked(task, *basis);
    ASSERT_EQ(result.status, EvidenceStatus::Confirmed) << result.why << "\n" << task_text(task);
    return;
  }
  for (const BackwardBasis& claim : {basis.value_or(BackwardBasis{}), BackwardBasis{}})
    ASSERT_EQ(checked(task, claim).status, EvidenceStatus::Refuted) << task_text(task);
}

void expect_all_kinds(const Tally& tally) {
  std::cout << tally.safe << " safe, " << tally.unsafe << " unsafe, " << tally.with_spaghetti
            << " with spaghetti\n";
  const std::size_t least = random_cases(20);
  EXPECT_GT(tally.safe, least);
  EXPECT_GT(tally.unsafe, least);
  EXPECT_GT(tally.with_spaghetti, least);
}

TEST(PathwiseProofs, AreConfirmedExactlyIfATinySystemIsSafe) {
  Sample sample(80);
  Tally tally;
  for_each_tiny_thread_system([&](const TinyCase& tiny) {
    if (!sample.next() || testing::Test::HasFatalFailure()) return;
    for (const auto& targets : tiny.targets)
      expect_exact({tiny.model, {tiny.initial, targets}}, tally);
  });
  expect_all_kinds(tally);
}

template <class Generate>
void expect_exact_on(unsigned cases, std::uint64_t first_seed, Generate generate) {
  Tally tally;
  for (unsigned i = 0; i < random_cases(cases) && !testing::Test::HasFatalFailure(); ++i) {
    Random random(first_seed + i);
    expect_exact(generate(random), tally);
  }
  expect_all_kinds(tally);
}

TEST(PathwiseProofs, AreConfirmedExactlyIfAChainOfLoopsIsSafe) {
  expect_exact_on(2'000, 30'000'000, random_loop_task);
}

TEST(PathwiseProofs, AreConfirmedExactlyIfARandomSystemIsSafe) {
  expect_exact_on(5'000, 31'000'000, random_thread_task);
}

}  // namespace
}  // namespace heddle::test::pathwise_proofs_test
