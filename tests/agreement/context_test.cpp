/// Random programs with fixed threads and recursive procedures: `sequential`, `context-lazy`,
/// `context-eager`, `context-joint`, `context-backward`, `sequential` on the program of the
/// reduction and on what Remopla says of it, and the naive interpreter under a bound on rounds must
/// not contradict each other, and every answer must pass the check.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "frontend/remopla/format.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "support/metamorphosis.hpp"
#include "support/random_programs.hpp"
#include "support/random_threads.hpp"
#include "support/sample.hpp"
#include "support/threads_task.hpp"
#include "transform/sequential_program.hpp"

namespace heddle::test::context_test {
namespace {

using answer::Safe;
using answer::SafeUpTo;
using answer::Unsafe;
using answer::Verdict;
using Task = model::ProgramTask;

struct Score {
  unsigned safe = 0, unsafe = 0, undecided_by_oracle = 0;
  unsigned closed = 0;    ///< safe without a bound, by configurations of all threads
  unsigned too_deep = 0;  ///< for configurations of all threads
};

/// Can the program fail when it has been written in Remopla and read again?
bool fails_in_remopla(const model::BooleanProgram& program, const Task& asked) {
  const frontend::ProgramFile file{program, {}, {}, {}};
  EXPECT_EQ(frontend::remopla::cannot_print(file), std::nullopt);
  const std::string text = frontend::remopla::print(file);
  const auto read = frontend::remopla::parse({"random.rem", text});
  EXPECT_TRUE(read) << text;
  Task task{read->model, {asked.question.initial, asked.question.targets}};
  return failing_rounds("sequential", task, text).has_value();
}

/// Can the sequential program of the reduction fail?
bool reduction_fails(const Task& task, const std::string& text,
                     transform::FirstTurn first = transform::FirstTurn::First) {
  const auto program = transform::sequentialise_program(task, first);
  EXPECT_TRUE(program) << program.error() << "\n" << text;
  Task sequential{*program, {task.question.initial, task.question.targets}};
  EXPECT_TRUE(engine::find_engine("sequential")->accepts(sequential).yes()) << text;
  const bool fails = failing_rounds("sequential", sequential,
                                    frontend::boolean_program::print({*program, {}, {}, {}}))
                         .has_value();
  EXPECT_EQ(fails_in_remopla(*program, task), fails) << text;
  return fails;
}

/// Configurations of all threads fail in as many rounds. If they never do, nor do they in more
/// rounds than were asked for.
void compare_joint(std::string_view engine, Task task, const std::optional<std::size_t>& lazy,
                   const std::string& text, Score& score) {
  const Verdict verdict = verdict_of(engine, task);
  if (std::holds_alternative<answer::Unknown>(verdict)) {
    ++score.too_deep;
    return;
  }
  EXPECT_EQ(failing_rounds(engine, task, text), lazy) << engine << "\n" << text;
  if (!std::holds_alternative<Safe>(verdict)) return;
  ++score.closed;
  *task.question.contexts += 1;
  EXPECT_EQ(failing_rounds("context-lazy", task, text), std::nullopt) << text;
}

void compare(const std::string& text, std::size_t rounds, bool sequential, Score& score) {
  const Task task = threads_task(text, static_cast<std::uint32_t>(rounds));
  const auto flow = model::boolean::keep_calls(task.model);
  ASSERT_TRUE(flow) << flow.error() << "\n" << text;
  const auto lazy = failing_rounds("context-lazy", task, text);
  const auto eager = failing_rounds("context-eager", task, text);
  EXPECT_EQ(lazy.has_value(), eager.has_value()) << text;
  compare_joint("context-joint", task, lazy, text, score);
  compare_joint("context-backward", task, lazy, text, score);
  if (sequential) {
    EXPECT_EQ(failing_rounds("sequential", task, text), lazy) << text;
    const auto& program = task.model;
    EXPECT_EQ(fails_in_remopla(program, task), lazy.has_value()) << text;
  }
  if (rounds <= 2 && flow->shared_names.size() <= 2) {  // it has five times as many variables
    EXPECT_EQ(reduction_fails(task, text), lazy.has_value()) << rounds << " rounds\n" << text;
  }
  ++(lazy ? score.unsafe : score.safe);
  const auto agrees = oracle_agrees(task, lazy.has_value());
  EXPECT_NE(agrees, false) << rounds << " rounds\n" << text;
  score.undecided_by_oracle += !agrees;
}

/// There are few of these cases: a tenth is left with sanitizers, not a fortieth.
unsigned cases_of(unsigned usual) { return std::max(random_cases(usual), test::sampled(usual)); }

/// The naive search, threads following each other in any order: the least number of contexts to a
/// failure; nothing if there is none among few states.
std::optional<double> naive_contexts(const model::boolean::Flow& flow) {
  using model::boolean::State;
  using Known = std::pair<State, std::uint32_t>;  // and the thread that stepped last
  std::set<Known> seen;
  std::vector<Known> now;
  for (const State& state : initial_states(flow, 1))
    for (std::uint32_t j = 0; j < state.threads.size(); ++j) now.emplace_back(state, j);
  for (double contexts = 1; !now.empty(); ++contexts) {
    std::vector<Known> next;
    for (std::size_t i = 0; i < now.size(); ++i) {  // grows
      if (!seen.insert(now[i]).second) continue;
      const auto [state, last] = now[i];
      if (has_failed(flow, state)) return contexts;
      if (seen.size() > 4'000) return std::nullopt;
      for_each_step(flow, state,
                    [&, at = last](const model::boolean::Step& step, const State& after) {
                      (step.thread == at ? now : next).emplace_back(after, step.thread);
                    });
    }
    now = std::move(next);
  }
  return std::nullopt;
}

/// The naive search, turn by turn: the rounds in which shared states are first there.
std::map<std::string, double> naive_shared_states(const model::boolean::Flow& flow,
                                                  std::size_t rounds) {
  using model::boolean::State;
  std::map<std::string, double> out;
  std::set<State> seen;
  const auto meet = [&](const State& state, double round, std::vector<State>& open) {
    if (!seen.insert(state).second) return;
    open.push_back(state);
    model::NamedValues values;
    for (std::uint32_t i = 0; i < flow.shared_names.size(); ++i)
      if (flow.atomic_bit != i)
        values.emplace_back(flow.shared_names[i],
                            (state.shared & model::boolean::bit(i)) != 0 ? "1" : "0");
    out.emplace("contexts to " + model::values_text(values), round);
  };
  std::vector<State> first;
  for (const State& state : initial_states(flow, 1)) meet(state, 1, first);
  const std::size_t threads = first.front().threads.size();
  for (std::size_t turn = 0; turn < rounds * threads; ++turn) {
    std::vector<State> open(seen.begin(), seen.end());
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      for_each_step(flow, state, [&](const model::boolean::Step& step, const State& after) {
        if (step.thread == turn % threads)
          meet(after, static_cast<double>(turn / threads + 1), open);
      });
      if (seen.size() > 4'000) return {};
    }
  }
  return out;
}

TEST(RandomThreads, FewestContextsAndSharedStates) {
  unsigned failing = 0, listed = 0;
  for (unsigned i = 0; i < cases_of(150) && !HasFailure(); ++i) {
    Random random(7'700'000 + i);
    const std::string text = random_threads(random, {.threads = 2 + i % 2, .recursion = false});
    const Task task = threads_task(text, 3);
    const auto flow = model::boolean::keep_calls(task.model);
    base::RunContext context;
    engine::Options options;
    set_option(options, "shared-states", "on");
    const Verdict verdict = engine::find_engine("context-joint")->run(task, options, context);
    if (std::holds_alternative<Unsafe>(verdict)) {
      const auto naive = naive_contexts(*flow);
      if (!naive) continue;
      ++failing;
      EXPECT_EQ(context.statistics().get("fewest context switches") + 1, *naive) << text;
      continue;
    }
    const auto naive = naive_shared_states(*flow, 3);
    if (naive.empty() || !std::holds_alternative<SafeUpTo>(verdict)) continue;
    ++listed;
    std::map<std::string, double> states;
    for (const auto& [name, value] : context.statistics().entries())
      if (name.starts_with("contexts to ")) states.emplace(name, value);
    EXPECT_EQ(states, naive) << text;
  }
  EXPECT_GT(failing, cases_of(20));
  EXPECT_GT(listed, cases_of(4));
}

Score play(unsigned cases, std::uint64_t first_seed, const ThreadsFlavour& flavour) {
  Score score;
  for (unsigned i = 0; i < cases_of(cases) && !::testing::Test::HasFailure(); ++i) {
    Random random(first_seed + i);
    const std::string text = random_threads(random, flavour);
    compare(text, flavour.threads == 1 ? 1 : random.between(1, 3), flavour.threads == 1, score);
  }
  std::cout << score.safe << " safe, " << score.unsafe << " unsafe, " << score.undecided_by_oracle
            << " not decided by the oracle; of configurations, " << score.closed << " closed, "
            << score.too_deep << " too deep\n";
  return score;
}

TEST(RandomThreads, SequentialRecursion) {
  const Score score = play(120, 7'000'000, {.threads = 1, .recursion = true});
  EXPECT_GT(score.safe, cases_of(20));
  EXPECT_GT(score.unsafe, cases_of(8));
  EXPECT_GT(score.closed, cases_of(20));
}

/// Programs with more kinds of statements, as one thread.
TEST(RandomThreads, RemoplaSaysTheSame) {
  unsigned safe = 0, unsafe = 0;
  for (unsigned i = 0; i < cases_of(150) && !HasFailure(); ++i) {
    Random random(7'400'000 + i);
    const auto program = random_program(random, {.broadcasts = false});
    if (!model::boolean::keep_calls(program)) continue;
    const std::string text = frontend::boolean_program::print({program, {}, {}, {}});
    const Task task = threads_task(text, std::nullopt);
    const bool fails = failing_rounds("sequential", task, text).has_value();
    EXPECT_EQ(fails_in_remopla(program, task), fails) << text;
    ++(fails ? unsafe : safe);
  }
  EXPECT_GT(safe, cases_of(10));
  EXPECT_GT(unsafe, cases_of(10));
}

TEST(RandomThreads, TwoRecursiveThreads) {
  const Score score = play(100, 7'100'000, {.threads = 2, .recursion = true});
  EXPECT_GT(score.safe, cases_of(15));
  EXPECT_GT(score.unsafe, cases_of(15));
}

TEST(RandomThreads, ThreeThreads) {
  const Score score = play(60, 7'200'000, {.threads = 3, .recursion = false});
  EXPECT_GT(score.safe, cases_of(8));
  EXPECT_GT(score.unsafe, cases_of(8));
  EXPECT_GT(score.closed, cases_of(8));
}

/// Does a run of one round or two fail, whichever thread has the first turn of the rounds?
/// Nothing if there are too many states.
std::optional<bool> fails_from_any_thread(model::boolean::Flow flow, std::uint32_t rounds) {
  bool fails = false, exact = true;
  for (std::size_t first = 0; first < flow.starts.size(); ++first) {
    const auto oracle = explore_rounds(flow, 1, rounds, {.max_depth = 5, .max_states = 3'000});
    fails = fails || oracle.failure;
    exact = exact && oracle.exact;
    std::ranges::rotate(flow.starts, flow.starts.begin() + 1);
  }
  return fails || exact ? std::optional(fails) : std::nullopt;
}

/// Three threads whose last one in this order fails, within one context each; rotations of 1 2 3
/// are possible, other orders are not. And a thread that would fail if it had two turns.
TEST(RandomThreads, ThreadsFollowAroundFromTheFirst) {
  const auto fails = [](const std::string& threads) {
    const std::string text = "decl a := 0, b := 0;\n" + threads;
    const Task task = threads_task(text, 1);
    const auto flow = model::boolean::keep_calls(task.model);
    const bool reduction = reduction_fails(task, text, transform::FirstTurn::Any);
    EXPECT_EQ(reduction, fails_from_any_thread(*flow, 1)) << text;
    return reduction;
  };
  std::array<std::size_t, 3> places{0, 1, 2};  // of the threads in the order
  do {
    const std::string bodies[] = {"a := 1;", "assume(a); b := 1;", "assume(b); assert(0);"};
    const auto thread = [&](const std::string& number, std::size_t place) {
      return "void thread" + number + "() begin " + bodies[place] + " end\n";
    };
    const bool around = (places[0] + 1) % 3 == places[1];
    EXPECT_EQ(fails(thread("1", places[0]) + thread("2", places[1]) + thread("3", places[2])),
              around);
  } while (std::ranges::next_permutation(places).found);
  EXPECT_FALSE(
      fails("void thread1() begin a := 1; end\n"
            "void thread2() begin assert(!a | !b); b := 1; end\n"
            "void thread3() begin skip; end\n"));
}

/// The reduction in which any thread may have the first turn, and the naive search from each of
/// them. `init` is no thread of the reduction, so programs without it.
TEST(RandomThreads, AnyThreadMayHaveTheFirstTurn) {
  unsigned compared = 0, only_rotated = 0;
  for (unsigned i = 0; i < cases_of(300) && !HasFailure(); ++i) {
    Random random(7'500'000 + i);
    const std::string text = random_threads(random, {.threads = 2 + i % 2, .recursion = false});
    const Task task = threads_task(text, i % 4 == 0 ? 2 : 1);
    const auto& program = task.model;
    const auto flow = model::boolean::keep_calls(program);
    if (program.find("init") || flow->shared_names.size() > 2) continue;
    const auto naive = fails_from_any_thread(*flow, *task.question.contexts);
    const bool first = failing_rounds("context-lazy", task, text).has_value();
    if (!naive) continue;
    ++compared;
    only_rotated += *naive && !first;
    EXPECT_EQ(reduction_fails(task, text, transform::FirstTurn::Any), *naive) << text;
  }
  std::cout << compared << " compared, " << only_rotated << " fail from another thread only\n";
  EXPECT_GT(compared, cases_of(8));
  EXPECT_GE(only_rotated, cases_of(300) / 200);
}

/// Variables on both sides of the edge of a word: every engine fails in as many rounds as on the
/// narrow program.
TEST(RandomThreads, WideProgramsAreWhatTheNarrowOnesAre) {
  Score score;
  const unsigned cases = std::max(cases_of(12), 4U);
  for (std::uint64_t seed = 7'300'000; seed < 7'300'000 + cases; ++seed) {
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = random_threads(random, {.threads = 2, .recursion = random.one_in(2)});
    const auto rounds = static_cast<std::uint32_t>(random.between(1, 2));
    const Task narrow = threads_task(text, rounds);
    const std::string padded =
        frontend::boolean_program::print({widen(narrow.model, 63), {}, {}, {}});
    compare(padded, rounds, false, score);
    EXPECT_EQ(failing_rounds("context-lazy", threads_task(padded, rounds), padded),
              failing_rounds("context-lazy", narrow, text));
  }
  EXPECT_GT(score.safe, 0u);
  EXPECT_GT(score.unsafe, 0u);
}

}  // namespace
}  // namespace heddle::test::context_test
