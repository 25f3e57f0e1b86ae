/// Cutoffs against brute force: every tiny model and many random ones. The thread states of up to
/// `kMost` threads are found one configuration at a time; the engine must list the same with the
/// same thread counts, and the checker must confirm it.

#include <gtest/gtest.h>

#include "check/cutoff/cutoff.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "support/builders.hpp"
#include "support/naive_cutoff.hpp"
#include "support/random_models.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"
#include "support/tiny_models.hpp"
#include "transform/net_to_threads.hpp"

namespace heddle::test::cutoff_test {
namespace {

constexpr unsigned kMost = 4;

/// Empty if the engine is right about the task.
std::string objection(const model::CountingTask& task, std::optional<std::uint64_t> steps) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits), checking;
  const auto answer = engine::cutoff::find_cutoff(task, {}, context);
  const auto* cutoff = std::get_if<answer::Cutoff>(&answer);
  if (!cutoff) return "unknown: " + std::get<answer::Unknown>(answer).detail;
  const auto checked = check::check_cutoff(task, *cutoff, checking);
  if (checked.status != answer::EvidenceStatus::Confirmed) return "not confirmed: " + checked.why;
  const auto expected = naive_first_reached(task, kMost);
  for (const answer::ReachedState& reached : cutoff->reachable) {
    const auto it = expected.find(reached.state);
    if (it == expected.end() ? reached.threads <= kMost : it->second != reached.threads)
      return "it takes " + std::to_string(reached.threads) + " threads to " +
             model::to_string(task.model, {reached.state.shared, {{reached.state.local, 1}}});
  }
  for (const auto& [state, threads] : expected)
    if (std::ranges::find(cutoff->reachable, state, &answer::ReachedState::state) ==
        cutoff->reachable.end())
      return "a reachable thread state is missing";
  return {};
}

std::size_t expect_right(const model::CountingTask& task, std::optional<std::uint64_t> steps) {
  if (!engine::cutoff::accepts(task).yes()) return 0;
  const std::string found = objection(task, steps);
  EXPECT_EQ(found, "") << task_text(task);
  return 1;
}

void expect_right_on_tiny_models(void (*enumerate)(const VisitTiny&), unsigned one_in) {
  Sample sample(one_in);
  std::size_t tried = 0;
  enumerate([&](const TinyCase& tiny) {
    if (!sample.next() || testing::Test::HasFailure()) return;
    tried += expect_right({tiny.model, {tiny.initial, {}}}, 1'000'000);
  });
  EXPECT_GT(tried, 100u);
}

TEST(CutoffAgreement, TinyThreadSystems) {
  expect_right_on_tiny_models(for_each_tiny_thread_system, 1);
}

TEST(CutoffAgreement, TinyNets) { expect_right_on_tiny_models(for_each_tiny_net, 1); }

TEST(CutoffAgreement, RandomModelsInTurnsAndInParallel) {
  std::size_t tried = 0;
  for (unsigned i = 0; i < random_cases(1'000) && !HasFailure(); ++i) {
    Random random(20'000'000 + i);
    model::CountingTask task =
        i % 3 == 0 ? random_net_task(random, {.ordinary = true}) : random_thread_task(random);
    task.question.targets.clear();
    const bool in_parallel = i % 10 == 0;
    tried +=
        expect_right(task, in_parallel ? std::nullopt : std::optional<std::uint64_t>(2'000'000));
  }
  EXPECT_GT(tried, random_cases(100));
}

/// Threads that each thread state of the base shared state takes; the pool left out.
std::map<std::uint32_t, std::uint32_t> at_base(const model::CountingTask& task,
                                               std::size_t places) {
  base::Limits limits;
  limits.steps = 2'000'000;
  base::RunContext context(limits);
  const auto answer = engine::cutoff::find_cutoff(task, {}, context);
  std::map<std::uint32_t, std::uint32_t> found;
  const auto* cutoff = std::get_if<answer::Cutoff>(&answer);
  EXPECT_NE(cutoff, nullptr) << task_text(task);
  if (!cutoff) return found;
  for (const answer::ReachedState& reached : cutoff->reachable)
    if (reached.state.shared.value == 0 && reached.state.local.index() < places)
      found[reached.state.local.value] = reached.threads;
  return found;
}

TEST(CutoffAgreement, NetsAndTheirTranslationsAgreeAtTheBase) {
  for (unsigned i = 0; i < random_cases(300) && !HasFailure(); ++i) {
    Random random(21'000'000 + i);
    model::CountingTask task = random_net_task(random, {.ordinary = true});
    task.question.targets.clear();
    const auto translated = transform::net_to_threads(of_net(task));
    if (!translated) continue;
    const std::size_t places = std::get<model::PetriNet>(task.model).places.size();
    EXPECT_EQ(at_base(task, places), at_base(translated->translated, places)) << task_text(task);
  }
}

}  // namespace
}  // namespace heddle::test::cutoff_test
