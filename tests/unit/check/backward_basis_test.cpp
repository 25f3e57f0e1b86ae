#include "check/certificates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "support/builders.hpp"
#include "unit/check/naive.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::backward_basis_test {
namespace {

using answer::BackwardBasis;
using answer::CheckResult;
using answer::EvidenceStatus;
using base::Integer;
using model::Configuration;
using testing::HasSubstr;
using namespace heddle::test;

CheckResult run(const model::CountingTask& task, const BackwardBasis& basis) {
  base::RunContext context;
  return check(task, answer::Safe{basis}, context);
}

void expect_refuted(const CheckResult& result, const std::string& part) {
  EXPECT_EQ(result.status, EvidenceStatus::Refuted);
  EXPECT_THAT(result.why, HasSubstr(part));
}

model::CountingTask lock() {
  return task(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}), {any_number(0, {0})},
              {target(1, {1, 1})});
}

TEST(BackwardBasis, ConfirmsALock) {
  const BackwardBasis basis{{configuration(1, {0, 2}), configuration(0, {1, 1})}, {}};
  const auto result = run(lock(), basis);
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  EXPECT_THAT(result.why, HasSubstr("2 minimal elements"));
}

TEST(BackwardBasis, RefutesEachMissingObligation) {
  expect_refuted(run(lock(), {{}, {}}), "the target 1|1,1 is not in the basis");
  expect_refuted(run(lock(), {{configuration(1, {0, 2})}, {}}),
                 "transition 0 leads from 0|0,1 to above 1|1,1");
  expect_refuted(run(lock(), {{configuration(1, {}), configuration(0, {})}, {}}),
                 "the initial configuration 0| covers 0| of the basis");
  expect_refuted(run(lock(), {{configuration(2, {1})}, {}}), "the basis names shared state 2");
  expect_refuted(run(lock(), {{configuration(0, {0, 0, 1})}, {}}), "the basis names counter 2");
}

TEST(BackwardBasis, AQuestionWithoutTargetsIsSafe) {
  model::CountingTask task = lock();
  task.question.targets.clear();
  EXPECT_EQ(run(task, {{}, {}}).status, EvidenceStatus::Confirmed);
}

TEST(BackwardBasis, TheQuestionMustFitTheModel) {
  model::CountingTask task = lock();
  task.question.targets[0].shared = model::SharedState(9u);
  expect_refuted(run(task, {{}, {}}), "the question names shared state 9");
}

TEST(BackwardBasis, ATargetThatAnInvariantExcludesNeedNotBeInside) {
  const answer::LinearInvariant nobody{
      {{model::LocalState(2u), 1}}, answer::LinearInvariant::Relation::AtMost, 0};
  const auto task = test::task(thread_system(1, 3, {move(0, 0, 0, 1)}), {any_number(0, {0})},
                               {target(0, {1, 2})});
  EXPECT_EQ(run(task, {{}, {nobody}}).status, EvidenceStatus::Confirmed);
  expect_refuted(run(task, {{}, {}}), "is not in the basis");
}

TEST(BackwardBasis, CountsBeyondMachineWordsAreExact) {
  const Integer huge("36893488147419103232");  // 2^65
  model::PetriNet pump = net(2);
  pump.transitions = {rule({0, 1}, {update(0, {0}, 1), update(1, {1}, -1)})};
  const auto task_with = [&](const Integer& fuel) {
    model::CountingTask task = test::task(pump, {marking({0, 0})}, {at_least({1, 0})});
    task.question.initial[0].bounds[1].lower = fuel;
    task.question.initial[0].bounds[1].upper = fuel;
    task.question.targets[0].bounds[0].lower = 2;
    task.question.targets[0].bounds.push_back({model::PlaceId(1u), huge, std::nullopt});
    return task;
  };
  BackwardBasis basis;
  for (int produced = 2; produced >= 0; --produced) {
    Configuration element;
    element.counts.set(model::Counter(0u), produced);
    element.counts.set(model::Counter(1u), huge + 2 - produced);
    basis.minimal.push_back(element);
  }
  EXPECT_EQ(run(task_with(huge + 1), basis).status, EvidenceStatus::Confirmed);
  expect_refuted(run(task_with(huge + 2), basis), "the initial configuration");
  basis.minimal.back().counts.set(model::Counter(1u), huge + 3);
  expect_refuted(run(task_with(huge + 1), basis), "transition 0 leads from");
}

TEST(BackwardBasis, CountsOneStepPerElementAndTransition) {
  const BackwardBasis basis{{configuration(1, {0, 2}), configuration(0, {1, 1})}, {}};
  base::RunContext context;
  check_certificate(lock(), basis, context);
  EXPECT_EQ(context.steps(), 2u);
}

TEST(BackwardBasis, StopsInTheMiddleOfAnExponentialEnumeration) {
  const auto crowd =
      task(thread_system(2, 3, {move(0, 0, 1, 0, {{1, 2}})}), {exactly(0, {0})}, {target(1, {2})});
  model::CountingTask huge = crowd;
  huge.question.targets[0].bounds[0].lower = Integer(2000000000);
  const BackwardBasis basis{{model::least_element(huge.question.targets[0]),
                             configuration(0, {0, 1}), configuration(0, {0, 0, 1})},
                            {}};
  base::Limits limits;
  limits.steps = 1000;
  base::RunContext context(limits);
  const auto result = check_certificate(huge, basis, context);
  EXPECT_EQ(result.status, EvidenceStatus::NotChecked);
  EXPECT_EQ(result.why, "step limit");
}

TEST(Check, ABasisProvesNoBoundAndUnknownProvesNothing) {
  base::RunContext context;
  EXPECT_EQ(check(lock(), answer::Unknown{}, context).status, EvidenceStatus::NotChecked);
  EXPECT_EQ(
      check(lock(), answer::SafeUpTo{answer::context_bound(3), answer::BackwardBasis{}}, context)
          .status,
      EvidenceStatus::Refuted);
}

constexpr unsigned kBox = 5;

bool is_within(const std::vector<Configuration>& basis, unsigned most) {
  return std::ranges::all_of(basis, [&](const Configuration& m) {
    return std::ranges::all_of(m.counts.entries(),
                               [&](const auto& entry) { return entry.second <= most; });
  });
}

/// A basis found by brute force must be confirmed, and with an element less it must not be unless
/// it is still one.
void expect_agreement(const model::CountingTask& task, int& confirmed) {
  const std::vector<Configuration> minimal = naive::backward_basis(task, kBox);
  if (!is_within(minimal, kBox - 3)) return;  // the box may have cut something off
  const bool valid = naive::is_valid_basis(task, {minimal, {}}, kBox);
  const auto result = run(task, {minimal, {}});
  ASSERT_EQ(result.status == EvidenceStatus::Confirmed, valid) << result.why;
  if (!valid) return;
  ++confirmed;
  for (std::size_t i = 0; i < minimal.size(); ++i) {
    std::vector<Configuration> fewer = minimal;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    ASSERT_EQ(run(task, {fewer, {}}).status == EvidenceStatus::Confirmed,
              naive::is_valid_basis(task, {fewer, {}}, kBox));
  }
}

TEST(BackwardBasis, AgreesWithBruteForceOnRandomThreadSystems) {
  std::mt19937 random(4);
  int confirmed = 0;
  for (int round = 0; round < 250; ++round) {
    const model::ThreadSystem system = random_system(random);
    model::Region goal{model::SharedState(below(system.shared_count, random)),
                       {{model::LocalState(below(system.local_count, random)), 1 + below(2, random),
                         std::nullopt}}};
    const auto task = test::task(system, {any_number(0, {0})}, {goal});
    ASSERT_NO_FATAL_FAILURE(expect_agreement(task, confirmed)) << "round " << round;
  }
  EXPECT_GT(confirmed, 50);
}

TEST(BackwardBasis, AgreesWithBruteForceOnRandomNets) {
  std::mt19937 random(5);
  int confirmed = 0;
  for (int round = 0; round < 200; ++round) {
    const model::PetriNet net = random_net(random);
    const auto places = static_cast<std::uint32_t>(net.places.size());
    const model::Region goal{
        {}, {{model::PlaceId(below(places, random)), 1 + below(2, random), std::nullopt}}};
    model::Region start{{}, {{model::PlaceId(below(places, random)), 1, Integer(1)}}};
    ASSERT_NO_FATAL_FAILURE(expect_agreement(test::task(net, {start}, {goal}), confirmed))
        << "round " << round;
  }
  EXPECT_GT(confirmed, 30);
}

}  // namespace
}  // namespace heddle::check::backward_basis_test
