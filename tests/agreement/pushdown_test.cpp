/// Tiny and random pushdown systems: the engine `pushdown`, the checker and the oracle with real
/// stacks must not contradict each other; about contexts they must agree exactly.

#include <gtest/gtest.h>

#include <iostream>
#include <stop_token>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "model/pushdown_oracle.hpp"
#include "support/random_pushdown.hpp"
#include "support/sample.hpp"
#include "transform/sequential_pushdown.hpp"

namespace heddle::test::pushdown_test {
namespace {

using answer::Safe;
using answer::SafeUpTo;
using answer::Unsafe;
using answer::Verdict;
using model::PushdownOracleAnswer;
using Task = model::PushdownTask;

constexpr std::uint64_t kSteps = 20'000;

struct Tally {
  unsigned safe = 0, unsafe = 0, bounded = 0, unknown = 0, oracle_exact = 0;
};

/// What the engine says, checked, with its figures.
struct Opinion {
  Verdict verdict;
  base::Statistics figures;
};

Opinion opinion_of(const Task& task, bool look_first = true) {
  base::Limits limits;
  limits.steps = look_first ? kSteps : kSteps / 20;  // much goes on for ever without looking
  base::RunContext context(limits);
  engine::Options options;
  set_option(options, "invariants", look_first ? "on" : "off");
  Verdict verdict = engine::find_engine("pushdown")->run(task, options, context);
  base::RunContext unlimited;
  const auto checked = check::check(task, verdict, unlimited);
  EXPECT_TRUE(checked.status == answer::EvidenceStatus::Confirmed || !answer::is_definite(verdict))
      << verdict_name(verdict) << ": " << checked.why << "\n"
      << pushdown_text(task);
  return {std::move(verdict), context.statistics()};
}

/// The other direction: decides about one thread, and finds what there is within K contexts.
void compare_backward(const Task& task, const Verdict& forward) {
  const engine::EngineRow& engine = *engine::find_engine("pushdown-backward");
  if (!engine.accepts(task).yes()) return;
  base::RunContext unlimited, checking;
  const Verdict verdict = engine.run(task, {}, unlimited);
  const auto checked = check::check(task, verdict, checking);
  const bool one = task.model.threads.size() == 1;
  EXPECT_TRUE(answer::is_definite(verdict) || !one);
  EXPECT_TRUE(checked.status == answer::EvidenceStatus::Confirmed || !answer::is_definite(verdict))
      << "backward " << verdict_name(verdict) << ": " << checked.why;
  EXPECT_EQ(std::holds_alternative<Unsafe>(verdict), std::holds_alternative<Unsafe>(forward))
      << "backward " << verdict_name(verdict) << ", forward " << verdict_name(forward);
}

/// Does the oracle, as far as it is exact, allow the answer?
void expect_possible(const Opinion& opinion, const PushdownOracleAnswer& oracle) {
  if (std::holds_alternative<Safe>(opinion.verdict)) {
    EXPECT_FALSE(oracle.rounds);
  }
  if (const auto* bounded = std::get_if<SafeUpTo>(&opinion.verdict)) {
    EXPECT_TRUE(!oracle.rounds || *oracle.rounds > bounded->bound.value);
  }
  if (!std::holds_alternative<Unsafe>(opinion.verdict)) return;
  EXPECT_TRUE(oracle.rounds || !oracle.exact);
  const double rounds = opinion.figures.get("contexts per thread");
  const double switches = opinion.figures.get("fewest context switches");
  if (oracle.rounds && *oracle.rounds <= oracle.exact_rounds) {
    EXPECT_EQ(rounds, *oracle.rounds);
  }
  if (oracle.contexts && oracle.exact) {
    EXPECT_EQ(switches, *oracle.contexts == 0 ? 0 : *oracle.contexts - 1);
  }
  EXPECT_LE(switches, opinion.figures.get("context switches"));
}

/// Within K contexts the question is decided, and the answers are the oracle's.
void compare_within(Task task, std::uint32_t contexts, const PushdownOracleAnswer& oracle) {
  task.question.contexts = contexts;
  const Opinion opinion = opinion_of(task, contexts % 2 == 0);
  if (contexts < 3) compare_backward(task, opinion.verdict);
  if (oracle.exact_rounds < contexts) return;
  const bool reached = oracle.rounds && *oracle.rounds <= contexts;
  EXPECT_EQ(verdict_name(opinion.verdict) == "unsafe", reached)
      << contexts << " contexts: " << verdict_name(opinion.verdict);
  EXPECT_TRUE(answer::is_definite(opinion.verdict));
}

void compare(const Task& task, Tally& tally) {
  const PushdownOracleAnswer oracle =
      ask_pushdown_oracle(task, {.max_height = 5, .max_configurations = 400, .max_rounds = 5});
  const Opinion opinion = opinion_of(task);
  expect_possible(opinion, oracle);
  expect_possible(opinion_of(task, false), oracle);
  compare_backward(task, opinion.verdict);
  for (const std::uint32_t contexts : {1U, 2U, 3U}) compare_within(task, contexts, oracle);
  tally.safe += std::holds_alternative<Safe>(opinion.verdict);
  tally.unsafe += std::holds_alternative<Unsafe>(opinion.verdict);
  tally.bounded += std::holds_alternative<SafeUpTo>(opinion.verdict);
  tally.unknown += std::holds_alternative<answer::Unknown>(opinion.verdict);
  tally.oracle_exact += oracle.exact;
  if (task.model.threads.size() == 1) {
    EXPECT_NE(verdict_name(opinion.verdict), "safe_up_to");
  }
  if (::testing::Test::HasFailure()) ADD_FAILURE() << pushdown_text(task);
}

void show(const Tally& tally) {
  std::cout << tally.safe << " safe, " << tally.unsafe << " unsafe, " << tally.bounded
            << " up to a bound, " << tally.unknown << " unknown; the oracle was exact "
            << tally.oracle_exact << " times\n";
}

TEST(PushdownAgreement, RandomSystems) {
  Tally tally;
  for (unsigned i = 0; i < random_cases(6'000) && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(31'000'000 + i);
    compare(random_pushdown(random, 3), tally);
  }
  show(tally);
  EXPECT_GT(tally.safe, 5 * tally.bounded);
  EXPECT_GT(tally.unsafe, 5 * tally.bounded);
  EXPECT_EQ(tally.unknown, 0U);
}

/// Thread 1 makes its stack one higher in each context, for ever; no target can be excluded.
Task ever_higher() {
  model::PushdownSystem system{3, {{}, {}}, {}};
  const auto rule = [&](std::uint32_t thread, std::uint32_t from, std::uint32_t to, unsigned size) {
    const model::StackSymbol a(0U);
    system.transitions.push_back({thread, model::SharedState(from), a, model::SharedState(to),
                                  std::vector<model::StackSymbol>(size, a), 0});
  };
  rule(0, 0, 1, 2);
  rule(1, 1, 0, 1);
  rule(0, 2, 2, 0);
  const model::StackSymbol a(0U);
  return {system,
          {{{model::SharedState(0U), {{0, a}, {1, a}}}},
           {{model::SharedState(2U), {}}, {model::SharedState(1U), {{0, a}, {1, std::nullopt}}}}}};
}

TEST(PushdownAgreement, LimitsEndInABoundOrInUnknown) {
  const engine::EngineRow& engine = *engine::find_engine("pushdown");
  engine::Options blind;
  set_option(blind, "invariants", "off");
  const Task task = ever_higher();
  for (const std::uint64_t steps : {0U, 1U, 10U, 1'000U}) {
    base::Limits limits;
    limits.steps = steps;
    base::RunContext context(limits), again(limits);
    const Verdict verdict = engine.run(task, blind, context);
    EXPECT_EQ(verdict_name(verdict), steps < 100 ? "unknown" : "safe_up_to");
    EXPECT_LE(context.steps(), steps + 1);
    EXPECT_EQ(verdict, engine.run(task, blind, again));
    EXPECT_EQ(context.statistics().entries(), again.statistics().entries());
  }
  std::stop_source source;
  source.request_stop();
  base::RunContext stopped({}, 0, source.get_token());
  const Verdict verdict = engine.run(task, blind, stopped);
  EXPECT_EQ(std::get<answer::Unknown>(verdict).reason, answer::UnknownReason::Cancelled);
}

/// One thread that does what all do within K contexts: the same answer, and its traces stand for
/// interleavings that keep to the bound.
TEST(PushdownAgreement, SequentialisedSystems) {
  Tally tally;
  for (unsigned i = 0; i < random_cases(1'000) && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(32'000'000 + i);
    Task task = random_pushdown(random, 3);
    task.question.contexts = random.between(1, 2);
    const auto reduction = transform::sequentialise(task, 50'000);
    ASSERT_TRUE(reduction) << reduction.error();
    const Opinion concurrent = opinion_of(task);
    const Opinion sequential = opinion_of(reduction->sequential);
    const auto* unsafe = std::get_if<Unsafe>(&sequential.verdict);
    EXPECT_EQ(std::holds_alternative<Unsafe>(concurrent.verdict), unsafe != nullptr)
        << pushdown_text(task);
    ++(unsafe ? tally.unsafe : tally.safe);
    if (!unsafe) continue;
    base::RunContext unlimited;
    const auto checked =
        check::check(task,
                     Unsafe{transform::interleaving_of(
                         task, *reduction, std::get<answer::PushdownRun>(unsafe->trace))},
                     unlimited);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << pushdown_text(task);
  }
  show(tally);
  EXPECT_GT(tally.safe, 50U / kSlowdown);
  EXPECT_GT(tally.unsafe, 50U / kSlowdown);
}

/// The system in which thread `first` is the first one, and the others follow around.
Task rotated(const Task& task, std::uint32_t first) {
  Task out = task;
  model::PushdownSystem& system = out.model;
  const auto count = static_cast<std::uint32_t>(system.threads.size());
  const auto place = [&](std::uint32_t thread) { return (thread + count - first) % count; };
  std::ranges::rotate(system.threads, system.threads.begin() + first);
  for (model::PushdownRule& rule : system.transitions) rule.thread = place(rule.thread);
  for (auto* regions : {&out.question.initial, &out.question.targets})
    for (model::VisibleState& state : *regions) {
      for (model::ThreadTop& at : state.tops) at.thread = place(at.thread);
      std::ranges::sort(state.tops);
    }
  return out;
}

/// If any thread may have the first turn: what some rotation of the threads can do.
TEST(PushdownAgreement, SequentialisedFromAnyThread) {
  Tally tally;
  unsigned only_rotated = 0;
  for (unsigned i = 0; i < random_cases(1'000) && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(33'000'000 + i);
    Task task = random_pushdown(random, 3);
    task.question.contexts = random.one_in(4) ? 2 : 1;
    const auto reduction = transform::sequentialise(task, 200'000, transform::FirstTurn::Any);
    ASSERT_TRUE(reduction) << reduction.error();
    const auto threads = task.model.threads.size();
    bool expected = false;
    for (std::uint32_t first = 0; first < threads && !expected; ++first) {
      expected = std::holds_alternative<Unsafe>(opinion_of(rotated(task, first)).verdict);
      only_rotated += expected && first > 0;
    }
    const Opinion sequential = opinion_of(reduction->sequential);
    const auto* unsafe = std::get_if<Unsafe>(&sequential.verdict);
    EXPECT_EQ(unsafe != nullptr, expected) << pushdown_text(task);
    ++(unsafe ? tally.unsafe : tally.safe);
    if (!unsafe) continue;
    base::RunContext unlimited;
    task.question.contexts.reset();
    const auto checked =
        check::check(task,
                     Unsafe{transform::interleaving_of(
                         task, *reduction, std::get<answer::PushdownRun>(unsafe->trace))},
                     unlimited);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << "\n"
                                                                 << pushdown_text(task);
  }
  show(tally);
  EXPECT_GT(tally.safe, 15U / kSlowdown);
  EXPECT_GE(only_rotated, 3U / kSlowdown);
}

/// Two rules of thread 1, one of thread 2, over two shared states and a symbol; every target.
TEST(PushdownAgreement, AllTinySystems) {
  Tally tally;
  Sample sample(20);
  const auto first = all_tiny_rules(0);
  const auto second = all_tiny_rules(1);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = i; j < first.size(); ++j)
      for (const model::PushdownRule& other : second)
        for (unsigned target = 0; target < 18 && !HasFailure(); ++target) {
          if (!sample.next()) continue;
          Task task{model::PushdownSystem{2, {{}, {}}, {first[i], first[j], other}},
                    {{{model::SharedState(0U),
                       {{0, model::StackSymbol(0U)}, {1, model::StackSymbol(0U)}}}},
                     {{model::SharedState(target % 2), {}}}}};
          // a thread's top: symbol, empty, any
          for (const auto& [thread, top] :
               {std::pair(0U, target / 2 % 3), std::pair(1U, target / 6)})
            if (top < 2)
              task.question.targets[0].tops.push_back(
                  {thread, top == 0 ? model::Top(model::StackSymbol(0U)) : model::Top()});
          compare(task, tally);
        }
  show(tally);
  EXPECT_GT(tally.safe, 0U);
  EXPECT_GT(tally.unsafe, 0U);
}

}  // namespace
}  // namespace heddle::test::pushdown_test
