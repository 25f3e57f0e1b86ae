/// Sets of configurations as evidence: confirmed as they are, refuted when any part is corrupted.

#include "check/certificates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/check/place_evidence.hpp"

namespace heddle::check::program_configurations_test {
namespace {

using answer::ConfigurationSets;
using answer::EvidenceStatus;
using answer::Safe;
using answer::SafeUpTo;

/// What could lead to a failure grows with each round that is put in front.
constexpr const char* kThreads =
    "decl turn := 0, x := 0, a := 0;\n"
    "bool flip(v) begin return !v; end\n"
    "void thread1() begin assume(!turn); turn := flip(turn); assume(!turn); turn := 1;\n"
    "  assume(!turn); turn := 1; assert(!x); a := 1; end\n"
    "void thread2() begin decl l := 0; assume(turn); turn := 0; l := flip(l); assume(turn);\n"
    "  turn := flip(turn); x := x & l; assert(l); end\n";

class ConfigurationEvidence : public PlaceEvidence<ConfigurationSets> {
 protected:
  ConfigurationEvidence() : PlaceEvidence(kThreads, "context-backward") {}
};

TEST_P(ConfigurationEvidence, IsConfirmed) {
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  EXPECT_EQ(std::holds_alternative<Safe>(verdict), !GetParam().rounds);
}

TEST_P(ConfigurationEvidence, EverySetIsNeeded) {
  for (std::size_t i = 0; i < claim().sets.size(); ++i)
    EXPECT_EQ(after([&](ConfigurationSets& s) { s.sets[i].root = 0; }), EvidenceStatus::Refuted)
        << "set " << i << " at place " << claim().sets[i].place;
}

TEST_P(ConfigurationEvidence, NoThreadMayFail) {
  const auto flow = model::boolean::keep_calls(task.model);
  unsigned failed = 0;
  for (std::uint32_t thread = 0; thread < 2; ++thread)
    for (std::uint32_t place = 1; place <= claim().places[thread].size(); ++place) {
      const auto node = claim().places[thread][place - 1].node;
      if (!flow->nodes[node.index()].failed) continue;
      ++failed;
      EXPECT_EQ(after([&](ConfigurationSets& s) { s.sets.push_back({1, thread, place, 1}); }),
                EvidenceStatus::Refuted);
    }
  EXPECT_EQ(failed, 2U);
}

TEST_P(ConfigurationEvidence, ItsFormIsChecked) {
  using Change = void (*)(ConfigurationSets&);
  const Change changes[] = {
      [](ConfigurationSets& s) { s.rounds = s.rounds == 0 ? 1 : 0; },
      [](ConfigurationSets& s) {
        std::ranges::find(s.variables, answer::ConfigurationVariable::Kind::NextShared,
                          &answer::ConfigurationVariable::kind)
            ->index = 1'000;
      },
      [](ConfigurationSets& s) { s.variables[0] = s.variables[1]; },
      [](ConfigurationSets& s) { s.nodes[0].low = 1'000'000; },
      [](ConfigurationSets& s) { s.nodes[0].variable = 1'000'000; },
      [](ConfigurationSets& s) { s.sets[0].root = static_cast<std::uint32_t>(s.nodes.size()) + 2; },
      [](ConfigurationSets& s) { s.sets[0].thread = 7; },
      [](ConfigurationSets& s) { s.sets[0].round = 0; },
      [](ConfigurationSets& s) { s.places.pop_back(); },
      [](ConfigurationSets& s) { s.places[0].erase(s.places[0].begin()); },
      [](ConfigurationSets& s) { s.places[0][1] = s.places[0][0]; },
      [](ConfigurationSets& s) { s.places[0][0].node = model::boolean::NodeId(1'000U); },
      [](ConfigurationSets& s) { s.places[0][1].calls = {model::boolean::EdgeId(1'000U)}; }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    EXPECT_EQ(after(changes[i]), EvidenceStatus::Refuted) << "change " << i;
}

/// Copies, choices and a thread's own place would make the rules mean something else.
TEST_P(ConfigurationEvidence, SetsDependOnConfigurationsAlone) {
  using Kind = answer::ConfigurationVariable::Kind;
  const ConfigurationSets& sets = claim();
  for (std::uint32_t level = 0; level < sets.variables.size(); ++level) {
    const auto kind = sets.variables[level].kind;
    if (kind == Kind::Shared || kind == Kind::Local) continue;
    for (std::size_t i = 0; i < sets.sets.size(); ++i) {
      const bool own =
          sets.sets[i].place != 0 && sets.sets[i].thread == sets.variables[level].thread;
      if (kind == Kind::Place && !own) continue;
      EXPECT_EQ(after([&](ConfigurationSets& s) {
                  s.nodes.push_back({level, 1, 0});
                  s.sets[i].root = static_cast<std::uint32_t>(s.nodes.size()) + 1;
                }),
                EvidenceStatus::Refuted);
    }
  }
}

/// A set for a stack that no thread ever has: its call waits for a result of another procedure.
TEST_P(ConfigurationEvidence, ReturnsGoToTheirOwnCalls) {
  EXPECT_EQ(after([&](ConfigurationSets& s) {
              s.places[0].push_back(mismatched_stack(task));
              const auto place = static_cast<std::uint32_t>(s.places[0].size());
              for (std::uint32_t round = 1; round <= std::max(s.rounds, 1U); ++round)
                s.sets.push_back({round, 0, place, 1});
            }),
            EvidenceStatus::Refuted);
}

TEST_P(ConfigurationEvidence, ProvesNothingBeyondItsBound) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  if (!bounded) return;
  SafeUpTo more = *bounded;
  more.bound.value = 3;
  EXPECT_EQ(status(more), EvidenceStatus::Refuted);
  EXPECT_EQ(status(Safe{bounded->certificate}), EvidenceStatus::Refuted);
}

INSTANTIATE_TEST_SUITE_P(Bounds, ConfigurationEvidence,
                         testing::Values(RoundsCase{"Bounded", 2},
                                         RoundsCase{"Unbounded", std::nullopt}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace heddle::check::program_configurations_test
