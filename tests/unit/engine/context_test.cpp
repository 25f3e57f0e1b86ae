/// Theorem 2 of the paper behind the context engines: the lazy analysis relates exactly the shared
/// states between turns of real runs. Against an explicit enumeration of these.

#include <gtest/gtest.h>
#include <pthread.h>

#include <set>

#include "answer/verdict.hpp"
#include "check/check.hpp"
#include "engine/context/relations/path_finder.hpp"
#include "engine/context/relations/rounds.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "support/random_threads.hpp"
#include "support/threads_task.hpp"
#include "transform/fixed_threads.hpp"

namespace heddle::engine::context {
namespace {

using model::boolean::State;
using model::boolean::Step;

/// The shared states before the first turn and after each turn; of two threads in two rounds, after
/// four of them.
using Boundaries = std::vector<Valuation>;
constexpr std::size_t kTurns = 4;

/// All boundaries of all runs; nothing if there are too many states.
std::optional<std::set<Boundaries>> real_boundaries(const Flow& flow, std::size_t turns) {
  using Known = std::pair<State, Boundaries>;
  std::set<Known> now;
  for (const State& state : initial_states(flow, 1)) now.insert({state, {state.shared}});
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    std::vector<Known> open(now.begin(), now.end());
    while (!open.empty()) {
      const Known known = open.back();
      open.pop_back();
      for_each_step(flow, known.first, [&](const Step& step, const State& after) {
        if (step.thread == turn % flow.starts.size() && now.insert({after, known.second}).second)
          open.emplace_back(after, known.second);
      });
      if (now.size() > 4'000) return std::nullopt;
    }
    std::set<Known> next;
    for (const auto& [state, boundaries] : now) {
      Boundaries longer = boundaries;
      longer.push_back(state.shared);
      next.insert({state, longer});
    }
    now = std::move(next);
  }
  std::set<Boundaries> out;
  for (const auto& known : now) out.insert(known.second);
  return out;
}

/// Boundaries i, i + 1, i + 2, i + 3 as inputs and outputs of two turns.
bool has_effect(const Words& words, const Bdd& effect, const Boundaries& at, std::size_t i) {
  return !(effect & words.cube(Family::Input, 1, at[i]) & words.cube(Family::Output, 1, at[i + 1]) &
           words.cube(Family::Input, 2, at[i + 2]) & words.cube(Family::Output, 2, at[i + 3]))
              .is_false();
}

std::optional<Flow> small_flow(std::uint64_t seed, unsigned threads) {
  test::Random random(seed);
  const std::string text = random_threads(random, {.threads = threads, .recursion = false});
  const auto file = frontend::boolean_program::parse({"random.bp", text});
  auto flow = model::boolean::keep_calls(file->model);
  const bool fails = std::ranges::any_of(flow->nodes, &model::boolean::FlowNode::failed);
  // Turns that end inside an atomic section are put off, so the states there are not related.
  const bool atomic = std::ranges::any_of(
      flow->nodes, [](const model::boolean::FlowNode& node) { return node.atomic_depth > 0; });
  if (fails || atomic || flow->shared_names.size() > 2 || flow->starts.size() > threads)
    return std::nullopt;
  return std::move(*flow);
}

/// How many tuples of the first thread's effect no run has.
unsigned compare(const Flow& flow, const std::set<Boundaries>& real, Guessing guessing) {
  const System system(flow, 2);
  Rounds rounds(system, flow.starts, guessing);
  base::RunContext context;
  for (int round = 0; round < 2; ++round) EXPECT_FALSE(rounds.play(context));
  const Words words(system);
  const auto effect = [&](std::size_t thread) {
    return guessing == Guessing::Lazy ? rounds.effect(thread, 2)
                                      : rounds.analysis(thread).effect(2);
  };
  const Bdd effects[] = {effect(0), effect(1)};
  std::set<Boundaries> prefixes;
  for (const Boundaries& at : real) prefixes.insert({at.begin(), at.end() - 1});
  unsigned unreal = 0;
  const std::uint64_t states = std::uint64_t{1} << flow.shared_names.size();
  for (std::uint64_t code = 0; code < states * states * states * states * states; ++code) {
    Boundaries at;
    for (std::uint64_t rest = code; at.size() <= kTurns; rest /= states)
      at.push_back(rest % states);
    const bool first = has_effect(words, effects[0], at, 0);
    const bool second = has_effect(words, effects[1], at, 1);
    const bool starts = flow.initial_shared.contains(at[0]);
    EXPECT_EQ(first && second && starts, real.contains(at));
    unreal += first && !prefixes.contains({at.begin(), at.end() - 1});
  }
  return unreal;
}

TEST(LazyContexts, EffectsAreThoseOfRuns) {
  unsigned compared = 0;
  unsigned guessed = 0;
  for (std::uint64_t seed = 0; compared < 25 && !HasFailure(); ++seed) {
    const auto flow = small_flow(seed, 2);
    if (!flow) continue;
    const auto real = real_boundaries(*flow, kTurns);
    if (!real) continue;
    ++compared;
    EXPECT_EQ(compare(*flow, *real, Guessing::Lazy), 0U) << "seed " << seed;
    guessed += compare(*flow, *real, Guessing::Eager);
  }
  EXPECT_GT(guessed, 100U) << "eager guessing should have effects that no run has";
}

/// A search has variables for rounds to come. If it ends before them, its evidence is about the
/// rounds that were played, and is confirmed.
TEST(ContextEvidence, IsAboutTheRoundsThatWerePlayed) {
  const model::ProgramTask task = test::threads_task(
      "decl x := 0;\n"
      "void thread1() begin while (1) do x := !x; od; end\n"
      "void thread2() begin while (1) do assume(x); x := 0; od; end\n",
      2);
  const auto flow = model::boolean::keep_calls(task.model);
  ASSERT_TRUE(flow);
  for (const Guessing guessing : {Guessing::Lazy, Guessing::Eager}) {
    const System system(*flow, 4);
    Rounds rounds(system, flow->starts, guessing);
    base::RunContext context;
    for (int round = 0; round < 2; ++round) EXPECT_FALSE(rounds.play(context));
    const answer::ContextRelations claim = rounds.certificate();
    EXPECT_EQ(claim.rounds, 2U);
    const auto checked = check::check(
        task, answer::SafeUpTo{answer::context_bound(base::Integer(2)), claim}, context);
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  }
}

/// What the last of three threads knows of the begins of rounds and of its turns, in round 2, is
/// what runs have there.
void expect_chains_of_runs(const Flow& flow, const std::set<Boundaries>& real, Guessing guessing) {
  const System system(flow, 2);
  Rounds rounds(system, flow.starts, guessing);
  base::RunContext context;
  for (int round = 0; round < 2; ++round) EXPECT_FALSE(rounds.play(context));
  const Words words(system);
  Bdd expected;
  for (const Boundaries& at : real)
    expected |= words.cube(Family::First, 1, at[0]) & words.cube(Family::Input, 1, at[2]) &
                words.cube(Family::First, 2, at[3]) & words.cube(Family::Input, 2, at[5]);
  EXPECT_EQ(rounds.before()[2], expected);
}

TEST(Chains, HoldWhatBelongsToRuns) {
  unsigned compared = 0;
  for (std::uint64_t seed = 0; compared < 25 && !HasFailure(); ++seed) {
    const auto flow = small_flow(seed, 3);
    if (!flow || flow->starts.size() < 3) continue;
    const auto real = real_boundaries(*flow, 5);
    if (!real) continue;
    ++compared;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_chains_of_runs(*flow, *real, Guessing::Lazy);
    expect_chains_of_runs(*flow, *real, Guessing::Eager);
  }
}

/// Threads with bodies that do the same are analysed once, whatever their names; a different
/// statement, or a different order of them, makes a difference.
TEST(SharedAnalyses, ThreadsThatDoTheSameShareOne) {
  const auto analyses = [](const std::string& threads) {
    const std::string text = "decl x := 0, y := 0;\nvoid f(a) begin x := a; end\n" + threads;
    const auto file = frontend::boolean_program::parse({"test.bp", text});
    const auto flow = model::boolean::keep_calls(file->model);
    const System system(*flow, 2);
    return Rounds(system, flow->starts, Guessing::Lazy).analyses().size();
  };
  EXPECT_EQ(analyses("void thread1() begin decl l; l := x; f(l); end\n"
                     "void thread2() begin decl m; m := x; f(m); end\n"
                     "void thread3() begin decl l; l := y; f(l); end\n"),
            2U);
  EXPECT_EQ(analyses("void thread1() begin x := 1; y := 0; end\n"
                     "void thread2() begin y := 0; x := 1; end\n"),
            2U);
  EXPECT_EQ(analyses("void thread1() begin while * do skip; od; assert(x); end\n"
                     "void thread2() begin while * do skip; od; assert(x); end\n"),
            1U);
  EXPECT_EQ(analyses("void thread1() begin x := 1; end\n"
                     "void thread2() begin atomic { x := 1; } end\n"),
            2U);
}

/// Two rounds are needed, and a stack of four: searches that cut stacks off before miss the failure
/// and must not say that a second or third round is free of violations.
TEST(ReportedRounds, AreFreeOfViolations) {
  const auto file = frontend::boolean_program::parse(
      {"test.bp",
       "decl a := 0, b := 0, c := 0;\n"
       "void down(x, y) begin\n"
       "  if (x & y) then assert(!c); else if (x) then down(1, 1); else if (y) then down(1, 0);\n"
       "  else down(0, 1); fi fi fi\n"
       "end\n"
       "void thread1() begin a := 1; assume(b); down(0, 0); end\n"
       "void thread2() begin assume(a); c := 1; b := 1; end\n"});
  model::ProgramTask task{file->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  for (const std::string_view engine :
       {"context-backward", "context-joint", "context-lazy", "context-eager"}) {
    for (const std::optional<std::uint32_t> asked : {std::optional<std::uint32_t>(), {3U}}) {
      task.question.contexts = asked;
      std::vector<std::string> reported;
      base::RunContext context;
      context.listen([&](const base::Event& event) {
        if (event.milestone) reported.push_back(event.phase);
      });
      const auto verdict = find_engine(engine)->run(task, {}, context);
      EXPECT_TRUE(std::holds_alternative<answer::Unsafe>(verdict)) << engine;
      EXPECT_EQ(reported, std::vector<std::string>{"no violation within 1 context per thread"})
          << engine;
    }
  }
}

/// An engine that stops early has made variables for rounds to come. Its evidence does not list
/// them, and is confirmed for the rounds that were played.
TEST(StoppedEarly, EvidenceIsAboutTheRoundsThatWerePlayed) {
  const auto file =
      frontend::boolean_program::parse({"test.bp",
                                        "decl x := 0, y := 0;\n"
                                        "void set(v) begin x := v; end\n"
                                        "void thread1() begin set(1); y := x; end\n"
                                        "void thread2() begin while * do set(y); od; end\n"});
  model::ProgramTask task{file->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  const auto threads = transform::fixed_threads(task);
  ASSERT_TRUE(threads);
  for (const Guessing guessing : {Guessing::Lazy, Guessing::Eager}) {
    const System system(threads->flow, 5, std::nullopt);
    Rounds rounds(system, threads->starts, guessing);
    base::RunContext context;
    for (std::uint32_t round = 1; round <= 3; ++round) {
      ASSERT_FALSE(rounds.play(context));
      const answer::ContextRelations evidence = rounds.certificate();
      for (const answer::DiagramVariable& variable : evidence.variables)
        EXPECT_LE(variable.round, round);
      const answer::SafeUpTo claim{answer::context_bound(base::Integer(round)), evidence};
      const auto checked = check::check(task, claim, context);
      EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << round << ": " << checked.why;
    }
  }
}

/// All values of fifty variables can be had at once: those that are not listed are counted, but not
/// one by one.
TEST(SharedStates, AreCountedTogether) {
  std::string program = "decl a0";
  for (unsigned i = 1; i < 50; ++i) program += ", a" + std::to_string(i);
  program += ";\nvoid thread1() begin a0 := 1; end\nvoid thread2() begin a1 := 1; end\n";
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", program})->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  base::RunContext context;
  Options options;
  set_option(options, "shared-states", "on");
  find_engine("context-joint")->run(task, options, context);
  EXPECT_EQ(context.statistics().get("shared states not listed"), 0x1p50 - 1000);
}

/// A procedure calls itself until a counter of ten bits is full; the program fails when all calls
/// have returned.
model::ProgramTask deep_calls() {
  std::string all = "c0", counter = "c0", next = "!c0", zeros = "c0 := 0";
  for (unsigned i = 1; i < 10; ++i) {
    const std::string bit = "c" + std::to_string(i);
    counter += ", " + bit;
    next += ", " + bit + " != (" + all + ")";
    all += " & " + bit;
    zeros += ", " + bit + " := 0";
  }
  const std::string program = "decl " + zeros + ";\nvoid f() begin if (!(" + all + ")) then " +
                              counter + " := " + next +
                              "; f(); fi end\nvoid main() begin f(); assert(0); end\n";
  model::ProgramTask task{frontend::boolean_program::parse({"test.bp", program})->model, {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  return task;
}

/// How deep calls lie within each other is up to the program, so runs are found without recursion:
/// half a megabyte of stack is enough for a thousand of them.
TEST(DeepCalls, NeedNoDeepStack) {
  struct Job {
    model::ProgramTask task = deep_calls();
    std::size_t steps = 0;
  } job;
  pthread_attr_t small;
  ASSERT_EQ(pthread_attr_init(&small), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&small, std::size_t{1} << 19), 0);
  const auto run = [](void* given) -> void* {
    Job& mine = *static_cast<Job*>(given);
    base::RunContext context;
    const auto verdict = find_engine("sequential")->run(mine.task, {}, context);
    if (const auto* unsafe = std::get_if<answer::Unsafe>(&verdict))
      mine.steps = std::get<answer::ProgramRun>(unsafe->trace).steps.size();
    return nullptr;
  };
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &small, run, &job), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&small);
  EXPECT_EQ(job.steps, 4097U);
}

}  // namespace
}  // namespace heddle::engine::context
