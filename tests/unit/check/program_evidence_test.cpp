/// Evidence about Boolean programs, right and corrupted: every corruption must be refuted.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "engine/engine.hpp"
#include "engine/onthefly/antichain.hpp"
#include "engine/onthefly/search.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "support/sample.hpp"

namespace heddle::check::program_evidence_test {
namespace {

using answer::EvidenceStatus;
using answer::ProgramBasis;
using answer::ProgramRun;
using answer::Safe;
using answer::Unsafe;
using engine::onthefly::covers;
using model::boolean::Cube;
using model::boolean::NodeId;

model::ProgramTask task_of(const std::string& text) {
  auto file = frontend::boolean_program::parse({"test", text});
  EXPECT_TRUE(file) << base::render(file.error());
  model::ProgramTask task{std::move(file->model), {}};
  task.question = {{{1, base::Integer(1)}}, {{}}};
  return task;
}

/// A lock, taken atomically or not; its threads also wait for each other.
model::ProgramTask lock(const std::string& take) {
  return task_of(
      "decl held := 0, inside := 0;\nvoid main() begin decl x := 0;\n"
      " more: start_thread goto worker; broadcast; goto more;\n"
      " worker: wait; x := 1; " +
      take +
      " assert(!inside & x);\n"
      " inside := 1; inside := 0; held := 0; goto worker; end\n");
}

model::ProgramTask safe_task() { return lock("atomic { assume(!held); held := 1; }"); }
model::ProgramTask unsafe_task() { return lock("assume(!held); held := 1;"); }

answer::Verdict solved(const model::ProgramTask& task, bool use_facts = true) {
  engine::Options options;
  set_option(options, "invariants", use_facts ? "on" : "off");
  base::RunContext context;
  return engine::find_engine("onthefly")->run(task, options, context);
}

/// About the whole graph.
ProgramBasis basis_of(const model::ProgramTask& task, bool use_facts = true) {
  const auto flow = model::boolean::unfold(task.model);
  base::RunContext context;
  return std::get<ProgramBasis>(
      engine::onthefly::search(*flow, task.question.initial, {use_facts}, context));
}

/// About a coarse graph.
ProgramBasis coarse_basis_of(const model::ProgramTask& task) {
  return std::get<ProgramBasis>(std::get<Safe>(solved(task)).certificate);
}

ProgramRun run_of(const model::ProgramTask& task) {
  return std::get<ProgramRun>(std::get<Unsafe>(solved(task)).trace);
}

EvidenceStatus status(const model::ProgramTask& task, const answer::Verdict& verdict) {
  base::RunContext context;
  return check(task, verdict, context).status;
}

EvidenceStatus status(const model::ProgramTask& task, const ProgramBasis& basis) {
  return status(task, Safe{basis});
}

EvidenceStatus status(const model::ProgramTask& task, const ProgramRun& run) {
  return status(task, Unsafe{run});
}

TEST(ProgramBasis, IsConfirmedWithAndWithoutThreadStates) {
  const auto task = safe_task();
  EXPECT_EQ(status(task, basis_of(task)), EvidenceStatus::Confirmed);
  EXPECT_EQ(status(task, basis_of(task, false)), EvidenceStatus::Confirmed);
  EXPECT_TRUE(basis_of(task, false).thread_states.empty());
}

/// What other threads receive, and a statement by which they receive more.
TEST(ProgramBasis, IsRefutedIfReceiversCanGetOtherValues) {
  const auto with = [](const std::string& statement) {
    return task_of(
        "decl g := 0;\nvoid main() begin decl l := 0, m := 0, n := 1;\n"
        " more: start_thread goto worker; goto more;\n worker: " +
        statement + " assert(!l); goto worker; end\n");
  };
  for (const auto& [safe, unsafe] :
       {std::pair("l$ := l$ & *;", "l$ := l$ | *;"), std::pair("l$ := m$;", "l$ := !m$;"),
        std::pair("l$ := l$ & *;", "l$ := !(*);"), std::pair("l$ := !n$;", "l$ := n$;"),
        std::pair("l$ := m;", "l$ := !m;"),
        std::pair("l$ := * constrain$ 'l$ = l$;", "l$ := * constrain$ 'l$ != l$;")}) {
    const ProgramBasis basis = basis_of(with(safe));
    EXPECT_EQ(status(with(safe), basis), EvidenceStatus::Confirmed) << safe;
    EXPECT_NE(status(with(unsafe), basis), EvidenceStatus::Confirmed) << unsafe;
  }
}

/// Every state of exactly the element's threads, one by one, until `visit` says no.
bool for_each_state(const model::boolean::Flow& flow, const answer::ProgramElement& element,
                    const std::function<bool(const model::boolean::State&)>& visit) {
  const std::size_t shared_bits = flow.shared_names.size();
  const std::size_t bits = shared_bits + flow.local_count * element.threads.size();
  for (std::uint64_t code = 0; code < (std::uint64_t{1} << bits); ++code) {
    model::boolean::State state{code & ((1U << shared_bits) - 1), {}};
    std::uint64_t rest = code >> shared_bits;
    for (const auto& thread : element.threads) {
      state.threads.push_back({thread.node, rest & ((1U << flow.local_count) - 1)});
      rest >>= flow.local_count;
    }
    if (covers(state, element) && !visit(state)) return false;
  }
  return true;
}

bool satisfies_invariant(const model::boolean::Flow& flow, const ProgramBasis& basis,
                         const model::boolean::State& state) {
  int inside = 0;
  for (const auto& thread : state.threads) {
    inside += flow.nodes[thread.node.index()].atomic_depth > 0;
    const bool allowed =
        basis.thread_states.empty() ||
        std::ranges::any_of(basis.thread_states, [&](const answer::ThreadFact& fact) {
          return fact.node == thread.node && fact.shared.contains(state.shared) &&
                 fact.local.contains(thread.values);
        });
    if (!allowed) return false;
  }
  return inside <= 1;
}

/// Has the element a state that the invariant allows and no other element has? Then it is needed:
/// from there a path through the basis leads to a failed thread, and the last state on it that is
/// the element's alone is a predecessor that nothing accounts for.
bool is_needed(const model::boolean::Flow& flow, const ProgramBasis& basis, std::size_t i) {
  return !for_each_state(flow, basis.minimal[i], [&](const model::boolean::State& state) {
    if (!satisfies_invariant(flow, basis, state)) return true;
    for (std::size_t j = 0; j < basis.minimal.size(); ++j)
      if (j != i && covers(state, basis.minimal[j])) return true;
    return false;
  });
}

TEST(ProgramBasis, IsRefutedWithoutAnElementThatIsNeeded) {
  const auto task = safe_task();
  const auto flow = model::boolean::unfold(task.model);
  for (const bool use_facts : {true, false}) {
    const ProgramBasis basis = basis_of(task, use_facts);
    ASSERT_GT(basis.minimal.size(), 10u);
    std::size_t needed = 0;
    std::size_t tried = 0;
    test::Sample sample(1);
    for (std::size_t i = 0; i < basis.minimal.size(); ++i) {
      if (!sample.next()) continue;
      ++tried;
      ProgramBasis damaged = basis;
      damaged.minimal.erase(damaged.minimal.begin() + static_cast<std::ptrdiff_t>(i));
      const bool refuted = status(task, damaged) == EvidenceStatus::Refuted;
      EXPECT_EQ(refuted, is_needed(*flow, basis, i)) << "without element " << i;
      needed += refuted;
    }
    EXPECT_TRUE(test::are_enough(2 * needed, tried));
  }
}

TEST(ProgramBasis, NoElementMayHaveAnInitialState) {
  const auto task = safe_task();
  ProgramBasis damaged = basis_of(task);
  damaged.minimal.push_back({Cube::all(), {{NodeId(0U), Cube::all()}}});
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
}

TEST(ProgramBasis, EveryThreadStateIsNeeded) {
  const auto task = safe_task();
  const ProgramBasis basis = basis_of(task);
  for (std::size_t i = 0; i < basis.thread_states.size(); ++i) {
    ProgramBasis damaged = basis;
    damaged.thread_states.erase(damaged.thread_states.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted) << "without thread state " << i;
  }
}

/// Thread states that claim more than is true of the shared variables or of the thread's own.
TEST(ProgramBasis, ThreadStatesMustBeKeptByEveryStep) {
  const auto task = safe_task();
  const ProgramBasis basis = basis_of(task);
  for (std::size_t i = 0; i < basis.thread_states.size(); ++i)
    for (const bool value : {false, true}) {
      auto damaged = basis;
      Cube& shared = damaged.thread_states[i].shared;
      if (shared.mask[0]) continue;  // `held` is certain there
      shared = shared.with(0, value);
      EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted) << i << " held=" << value;
    }
}

TEST(ProgramBasis, NodesThatDoNotExistAreRefuted) {
  const auto task = safe_task();
  ProgramBasis damaged = basis_of(task);
  damaged.minimal[0].threads[0].node = NodeId(1000U);
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis_of(task);
  damaged.minimal[0].threads.clear();
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis_of(task);
  damaged.thread_states[0].node = NodeId(1000U);
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
}

TEST(ProgramBasis, ABasisOfAnotherProgramIsRefuted) {
  EXPECT_EQ(status(unsafe_task(), basis_of(safe_task())), EvidenceStatus::Refuted);
  EXPECT_EQ(status(safe_task(), Safe{answer::BackwardBasis{}}), EvidenceStatus::Refuted);
  EXPECT_EQ(status(safe_task(), Unsafe{}), EvidenceStatus::Refuted);
}

TEST(CoarseProgramBasis, IsConfirmedAndHidesVariables) {
  const auto task = safe_task();
  const ProgramBasis basis = coarse_basis_of(task);
  ASSERT_TRUE(basis.abstraction);
  EXPECT_EQ(status(task, basis), EvidenceStatus::Confirmed);
  EXPECT_LT(std::ranges::max(basis.abstraction->classes) + 1, basis.abstraction->classes.size());
}

TEST(CoarseProgramBasis, EveryElementIsNeededOrIncluded) {
  const auto task = safe_task();
  const ProgramBasis basis = coarse_basis_of(task);
  std::size_t refuted = 0;
  for (std::size_t i = 0; i < basis.minimal.size(); ++i) {
    ProgramBasis damaged = basis;
    damaged.minimal.erase(damaged.minimal.begin() + static_cast<std::ptrdiff_t>(i));
    refuted += status(task, damaged) == EvidenceStatus::Refuted;
  }
  EXPECT_GT(2 * refuted, basis.minimal.size());
}

TEST(CoarseProgramBasis, IsRefutedIfMoreIsHidden) {
  const auto task = safe_task();
  const ProgramBasis basis = coarse_basis_of(task);
  for (std::uint32_t i = 0; i < 3; ++i) {
    ProgramBasis damaged = basis;
    if (!damaged.abstraction->shared[i]) continue;
    damaged.abstraction->shared = damaged.abstraction->shared & ~model::boolean::bit(i);
    EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted) << "variable " << i;
  }
}

TEST(CoarseProgramBasis, IsRefutedWithoutItsAbstractionOrWithAnother) {
  const auto task = safe_task();
  const ProgramBasis basis = coarse_basis_of(task);
  ProgramBasis damaged = basis;
  damaged.abstraction.reset();
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis;
  damaged.abstraction->classes.pop_back();
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis;
  damaged.abstraction->classes[0] = 100'000'000;
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis;
  for (auto& number : damaged.abstraction->classes) number = 0;
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  EXPECT_EQ(status(unsafe_task(), basis), EvidenceStatus::Refuted);
}

/// A hidden variable has no value that a basis could speak of.
TEST(CoarseProgramBasis, CubesOfHiddenVariablesAreRefuted) {
  const auto task = task_of(
      "decl g := 0, hidden := 0;\nvoid main() begin\n"
      " hidden := !hidden; g := 1; assert(g); end");
  const ProgramBasis basis = coarse_basis_of(task);
  ASSERT_TRUE(basis.abstraction && !basis.abstraction->shared[1]);
  ASSERT_EQ(status(task, basis), EvidenceStatus::Confirmed);
  ProgramBasis damaged = basis;
  damaged.minimal.push_back({Cube::all().with(0, false).with(1, false),
                             {{NodeId(basis.abstraction->classes.back()), Cube::all()}}});
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = basis;
  ASSERT_FALSE(damaged.thread_states.empty());
  damaged.thread_states.push_back(damaged.thread_states[0]);
  damaged.thread_states.back().shared = Cube::all().with(1, true);
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
}

TEST(ProgramRun, IsConfirmed) {
  EXPECT_EQ(status(unsafe_task(), run_of(unsafe_task())), EvidenceStatus::Confirmed);
}

TEST(ProgramRun, EveryStepIsNeeded) {
  const auto task = unsafe_task();
  const ProgramRun run = run_of(task);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    ProgramRun damaged = run;
    damaged.steps.erase(damaged.steps.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted) << "without step " << i;
  }
}

TEST(ProgramRun, EveryFieldOfAStepCounts) {
  const auto task = unsafe_task();
  const ProgramRun run = run_of(task);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    for (int field = 0; field < 6; ++field) {
      ProgramRun damaged = run;
      auto& step = damaged.steps[i];
      if (field == 0) step.thread += 100;
      if (field == 1) step.edge.value += 1000;
      if (field == 2) step.outcome.shared ^= 2;
      if (field == 3) step.outcome.local ^= 1;
      if (field == 4) step.outcome.child ^= 1;
      if (field == 5) step.outcome.shared ^= Cube::only(0).mask ^ 7;
      EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted) << i << " field " << field;
    }
  }
}

TEST(ProgramRun, MustStartInAnInitialState) {
  const auto task = unsafe_task();
  ProgramRun damaged = run_of(task);
  damaged.initial.shared ^= 1;
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
  damaged = run_of(task);
  damaged.initial.threads.push_back(damaged.initial.threads[0]);
  EXPECT_EQ(status(task, damaged), EvidenceStatus::Refuted);
}

TEST(ProgramEvidence, SurvivesJson) {
  for (const auto& task : {safe_task(), unsafe_task()}) {
    const answer::Verdict verdict = solved(task);
    const auto again = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                                 model::Tag<model::BooleanProgram>());
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(*again, verdict);
  }
}

}  // namespace
}  // namespace heddle::check::program_evidence_test
