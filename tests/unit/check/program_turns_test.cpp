/// Facts about turns as evidence: confirmed as they are, refuted when any part is corrupted.

#include "check/program_turns.hpp"

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/frontend.hpp"

namespace heddle::check {
namespace {

using answer::EvidenceStatus;
using answer::Safe;
using answer::SafeUpTo;
using answer::TurnFacts;
using answer::Verdict;

/// Sets grow from round to round, and threads stop behind their last changes.
constexpr const char* kTurningThreads =
    "decl turn := 0, x := 0, a := 0, b := 0;\n"
    "bool flip(v) begin return !v; end\n"
    "void thread1() begin assume(!turn); x := flip(x); assert(x); turn := flip(turn);\n"
    "  a := b; a := !b; end\n"
    "void thread2() begin decl l := 0; assume(turn); l := flip(l); assert(x & l);\n"
    "  b := a; b := !a; b := a; end\n";

model::Task turning_task(std::optional<std::uint32_t> rounds) {
  model::Task task{frontend::find_format("bp")->parse({"test.bp", kTurningThreads})->model, {}};
  task.question.initial = *frontend::parse_initial(task.model, {"test", "1"});
  task.question.targets = {{}};
  task.question.contexts = rounds;
  return task;
}

const TurnFacts& facts_of(const Verdict& verdict) {
  const auto* safe = std::get_if<Safe>(&verdict);
  return std::get<TurnFacts>(safe ? safe->certificate : std::get<SafeUpTo>(verdict).certificate);
}

struct TurnCase {
  const char* name;
  std::optional<std::uint32_t> rounds;
};

class TurnEvidence : public testing::TestWithParam<TurnCase> {
 protected:
  static Verdict verdict_for(const model::Task& asked) {
    base::RunContext context;
    return engine::find_engine("context-joint")->run(asked, {}, context);
  }
  EvidenceStatus status(const Verdict& claim) const {
    base::RunContext context;
    return check(task, claim, context).status;
  }
  template <class Change>
  EvidenceStatus after(const Change& change) const {
    TurnFacts changed = facts_of(verdict);
    change(changed);
    if (std::holds_alternative<Safe>(verdict)) return status(Safe{changed});
    return status(SafeUpTo{std::get<SafeUpTo>(verdict).bound, changed});
  }

  const model::Task task = turning_task(GetParam().rounds);
  const Verdict verdict = verdict_for(task);
};

TEST_P(TurnEvidence, IsConfirmed) {
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  EXPECT_EQ(std::holds_alternative<Safe>(verdict), !GetParam().rounds);
}

TEST_P(TurnEvidence, EverySetIsNeeded) {
  for (std::size_t i = 0; i < facts_of(verdict).sets.size(); ++i)
    EXPECT_EQ(after([&](TurnFacts& s) { s.sets[i].root = 0; }), EvidenceStatus::Refuted)
        << "set " << i << " at place " << facts_of(verdict).sets[i].place;
}

TEST_P(TurnEvidence, NoThreadMayFail) {
  const auto flow = model::boolean::keep_calls(std::get<model::BooleanProgram>(task.model));
  unsigned failed = 0;
  for (std::uint32_t thread = 0; thread < 2; ++thread)
    for (std::uint32_t place = 1; place <= facts_of(verdict).places[thread].size(); ++place) {
      const auto node = facts_of(verdict).places[thread][place - 1].node;
      if (!flow->nodes[node.index()].failed) continue;
      ++failed;
      EXPECT_EQ(after([&](TurnFacts& s) { s.sets.push_back({thread, place, 1}); }),
                EvidenceStatus::Refuted);
    }
  EXPECT_EQ(failed, 2U);
}

TEST_P(TurnEvidence, ItsFormIsChecked) {
  using Change = void (*)(TurnFacts&);
  const Change changes[] = {
      [](TurnFacts& s) { s.rounds = s.rounds == 0 ? 1 : 0; },
      [](TurnFacts& s) { s.variables.pop_back(); },
      [](TurnFacts& s) { s.variables[0] = s.variables[1]; },
      [](TurnFacts& s) { s.nodes[0].low = 1'000'000; },
      [](TurnFacts& s) { s.nodes[0].variable = 1'000'000; },
      [](TurnFacts& s) { s.sets[0].root = static_cast<std::uint32_t>(s.nodes.size()) + 2; },
      [](TurnFacts& s) { s.sets[0].thread = 7; },
      [](TurnFacts& s) { s.sets[0].place = 0; },
      [](TurnFacts& s) { s.places.pop_back(); },
      [](TurnFacts& s) { s.places[0].erase(s.places[0].begin()); },
      [](TurnFacts& s) { s.places[0][1] = s.places[0][0]; },
      [](TurnFacts& s) { s.places[0][0].node = model::boolean::NodeId(1'000U); },
      [](TurnFacts& s) { s.places[0][1].calls = {model::boolean::EdgeId(1'000U)}; }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    EXPECT_EQ(after(changes[i]), EvidenceStatus::Refuted) << "change " << i;
}

/// Copies after a step, choices, a thread's own place, and other threads would make the rules mean
/// something else.
TEST_P(TurnEvidence, FactsDependOnTheThreadsViewAlone) {
  using Kind = answer::ConfigurationVariable::Kind;
  const TurnFacts& facts = facts_of(verdict);
  for (std::uint32_t level = 0; level < facts.variables.size(); ++level) {
    const auto [kind, thread, index] = facts.variables[level];
    if (kind == Kind::Shared || kind == Kind::BeginShared) continue;
    const bool is_view =
        kind == Kind::Local || kind == Kind::BeginLocal || kind == Kind::BeginPlace;
    for (std::size_t i = 0; i < facts.sets.size(); ++i) {
      if (is_view && facts.sets[i].thread == thread) continue;
      EXPECT_EQ(after([&](TurnFacts& s) {
                  s.nodes.push_back({level, 1, 0});
                  s.sets[i].root = static_cast<std::uint32_t>(s.nodes.size()) + 1;
                }),
                EvidenceStatus::Refuted);
    }
  }
}

/// A single fact more, at the start, has to be followed up.
TEST_P(TurnEvidence, FactsAreClosedUnderSteps) {
  for (const std::uint32_t thread : {0U, 1U})
    EXPECT_EQ(after([&](TurnFacts& s) {
                for (auto& set : s.sets)
                  if (set.thread == thread && set.place == 1) set.root = 1;
              }),
              EvidenceStatus::Refuted);
}

TEST_P(TurnEvidence, ProvesNothingBeyondItsBound) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  if (!bounded) return;
  SafeUpTo more = *bounded;
  more.bound.value = 3;
  EXPECT_EQ(status(more), EvidenceStatus::Refuted);
  EXPECT_EQ(status(Safe{bounded->certificate}), EvidenceStatus::Refuted);
}

INSTANTIATE_TEST_SUITE_P(Bounds, TurnEvidence,
                         testing::Values(TurnCase{"Bounded", 2},
                                         TurnCase{"Unbounded", std::nullopt}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace heddle::check
