/// Facts about turns as evidence: confirmed as they are, refuted when any part is corrupted.

#include "check/certificates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "unit/check/place_evidence.hpp"

namespace heddle::check::program_turns_test {
namespace {

using answer::EvidenceStatus;
using answer::Safe;
using answer::SafeUpTo;
using answer::TurnFacts;

/// Sets grow from round to round, and threads stop behind their last changes.
constexpr const char* kTurningThreads =
    "decl turn := 0, x := 0, a := 0, b := 0;\n"
    "bool flip(v) begin return !v; end\n"
    "void thread1() begin assume(!turn); x := flip(x); assert(x); turn := flip(turn);\n"
    "  a := b; a := !b; end\n"
    "void thread2() begin decl l := 0; assume(turn); l := flip(l); assert(x & l);\n"
    "  b := a; b := !a; b := a; end\n";

class TurnEvidence : public PlaceEvidence<TurnFacts> {
 protected:
  TurnEvidence() : PlaceEvidence(kTurningThreads, "context-joint") {}
};

TEST_P(TurnEvidence, IsConfirmed) {
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  EXPECT_EQ(std::holds_alternative<Safe>(verdict), !GetParam().rounds);
}

TEST_P(TurnEvidence, EverySetIsNeeded) {
  for (std::size_t i = 0; i < claim().sets.size(); ++i)
    EXPECT_EQ(after([&](TurnFacts& s) { s.sets[i].root = 0; }), EvidenceStatus::Refuted)
        << "set " << i << " at place " << claim().sets[i].place;
}

TEST_P(TurnEvidence, NoThreadMayFail) {
  const auto flow = model::boolean::keep_calls(task.model);
  unsigned failed = 0;
  for (std::uint32_t thread = 0; thread < 2; ++thread)
    for (std::uint32_t place = 1; place <= claim().places[thread].size(); ++place) {
      const auto node = claim().places[thread][place - 1].node;
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

/// The set with all valuations in which the variable is 1, or with none; appends nodes.
std::uint32_t with_ones(TurnFacts& facts, std::uint32_t root, std::uint32_t level, bool all) {
  if (root == (all ? 1 : 0)) return root;
  answer::DiagramNode node{level, root, all ? 1U : 0U};
  if (root > 1 && facts.nodes[root - 2].variable == level) node.low = facts.nodes[root - 2].low;
  if (root > 1 && facts.nodes[root - 2].variable < level) {
    node = facts.nodes[root - 2];
    node.low = with_ones(facts, node.low, level, all);
    node.high = with_ones(facts, node.high, level, all);
  }
  if (node.low == node.high) return node.low;
  facts.nodes.push_back(node);
  return static_cast<std::uint32_t>(facts.nodes.size()) + 1;
}

/// More facts do no harm where a thread has come to its end. But copies after a step, choices, a
/// thread's own place, and other threads' variables would make the rules mean something else.
TEST_P(TurnEvidence, FactsDependOnTheThreadsViewAlone) {
  using Kind = answer::ConfigurationVariable::Kind;
  const auto flow = model::boolean::keep_calls(task.model);
  const auto edges = flow->edges_by_source();
  unsigned allowed = 0, refused = 0;
  for (std::size_t i = 0; i < claim().sets.size(); ++i) {
    const auto [thread, place, root] = claim().sets[i];
    if (!edges[claim().places[thread][place - 1].node.index()].empty()) continue;
    for (std::uint32_t level = 0; level < claim().variables.size(); ++level) {
      const auto [kind, owner, index] = claim().variables[level];
      const bool shared = kind == Kind::Shared || kind == Kind::BeginShared;
      const bool own = kind == Kind::Local || kind == Kind::BeginLocal || kind == Kind::BeginPlace;
      const bool is_view = shared || (own && owner == thread);
      ++(is_view ? allowed : refused);
      EXPECT_EQ(
          after([&, at = root](TurnFacts& s) { s.sets[i].root = with_ones(s, at, level, true); }),
          is_view ? EvidenceStatus::Confirmed : EvidenceStatus::Refuted)
          << "variable " << level;
    }
  }
  EXPECT_GT(allowed, 10U);
  EXPECT_GT(refused, 10U);
}

/// Numbers of places have 32 binary digits; any further ones are 0.
TEST_P(TurnEvidence, MoreDigitsThanANumberHasAreZero) {
  using Kind = answer::ConfigurationVariable::Kind;
  EXPECT_EQ(after([](TurnFacts& s) {
              const auto is_digit = [](const auto& v) {
                return v.kind == Kind::Place && v.thread == 0;
              };
              const auto digits = std::ranges::count_if(s.variables, is_digit);
              for (auto i = static_cast<std::uint32_t>(digits); i <= 32; ++i)
                for (const Kind kind : {Kind::Place, Kind::BeginPlace})
                  s.variables.push_back({kind, 0, i});
              const auto last = static_cast<std::uint32_t>(s.variables.size() - 1);
              for (auto& set : s.sets)
                if (set.thread == 0) set.root = with_ones(s, set.root, last, false);
            }),
            EvidenceStatus::Confirmed);
}

/// Facts about a stack that no thread ever has: its call waits for a result of another procedure.
TEST_P(TurnEvidence, ReturnsGoToTheirOwnCalls) {
  EXPECT_EQ(after([&](TurnFacts& s) {
              s.places[0].push_back(mismatched_stack(task));
              s.sets.push_back({0, static_cast<std::uint32_t>(s.places[0].size()), 1});
            }),
            EvidenceStatus::Refuted);
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

/// The first thread gets stuck between two changes. What the second one does then depends on it.
class StuckThread : public PlaceEvidence<TurnFacts> {
 protected:
  StuckThread()
      : PlaceEvidence(
            "decl x := 0, y := 0;\n"
            "void thread1() begin decl l := 0; x := 1; assume(l); x := 0; end\n"
            "void thread2() begin assume(x); y := 1; assert(x); end\n",
            "context-joint") {}
};

TEST_P(StuckThread, IsSeenByOthers) {
  using Kind = answer::ConfigurationVariable::Kind;
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  const auto x =
      std::ranges::find(claim().variables, answer::ConfigurationVariable{Kind::Shared, 0, 0});
  const auto level = static_cast<std::uint32_t>(x - claim().variables.begin());
  unsigned changed = 0;
  EXPECT_EQ(after([&](TurnFacts& s) {
              for (auto& set : s.sets) {
                if (set.thread == 0) continue;
                const std::uint32_t before =
                    std::exchange(set.root, with_ones(s, set.root, level, false));
                changed += set.root == 0 && before != 0 ? 1 : 0;
              }
            }),
            EvidenceStatus::Refuted);
  EXPECT_GE(changed, 2U);
}

/// The second thread sets y when the first one is in front of its assertion. If the number of that
/// place has a digit more than sets between turns have, they take the thread for one that waits in
/// front of its assumption, and the assertion that can fail is not looked at.
class ConfusedPlaces : public PlaceEvidence<TurnFacts> {
 protected:
  static constexpr const char* kHarmless =
      "decl y := 0;\n"
      "void thread1() begin assume(!y); assert(!y | y); end\n"
      "void thread2() begin y := 1; end\n";
  static constexpr const char* kFails =
      "decl y := 0;\n"
      "void thread1() begin assume(!y); assert(!y); end\n"
      "void thread2() begin y := 1; end\n";
  ConfusedPlaces() : PlaceEvidence(kHarmless, "context-joint") {}
};

TEST_P(ConfusedPlaces, AreRefuted) {
  using Kind = answer::ConfigurationVariable::Kind;
  const auto flow = model::boolean::keep_calls(task.model);
  std::uint32_t call = 0;
  while (flow->edges[call].kind != model::boolean::EdgeKind::Call) ++call;
  TurnFacts facts = claim();
  const auto high =
      std::ranges::find(facts.variables, answer::ConfigurationVariable{Kind::BeginPlace, 0, 1});
  ASSERT_NE(high, facts.variables.end());
  const auto level = static_cast<std::uint32_t>(high - facts.variables.begin());
  for (std::uint32_t i = 0; i < 3; ++i)  // stacks that no thread ever has
    facts.places[0].insert(facts.places[0].begin() + 1,
                           {std::vector(i + 30, model::boolean::EdgeId(call)), {}});
  for (auto& set : facts.sets) {
    if (set.thread != 0) continue;
    set.root = with_ones(facts, set.root, level, false);
    if (set.place > 1) set.place += 3;
  }
  const model::ProgramTask failing = task_of(kFails);
  base::RunContext context;
  EXPECT_EQ(check(failing, Safe{facts}, context).status, EvidenceStatus::Refuted);
}

INSTANTIATE_TEST_SUITE_P(Bounds, ConfusedPlaces, testing::Values(RoundsCase{"Bounded", 3}),
                         [](const auto& which) { return std::string(which.param.name); });

INSTANTIATE_TEST_SUITE_P(Bounds, StuckThread, testing::Values(RoundsCase{"Bounded", 2}),
                         [](const auto& which) { return std::string(which.param.name); });

INSTANTIATE_TEST_SUITE_P(Bounds, TurnEvidence,
                         testing::Values(RoundsCase{"Bounded", 2},
                                         RoundsCase{"Unbounded", std::nullopt}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace heddle::check::program_turns_test
