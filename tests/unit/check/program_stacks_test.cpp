/// Sets of stacks of a program as evidence: confirmed as they are, refuted when any part that
/// matters is corrupted.

#include "check/certificates.hpp"
#include "frontend/boolean_program/format.hpp"

#include <gtest/gtest.h>

#include <set>

#include "answer/json.hpp"
#include "support/mutator.hpp"
#include "support/sample.hpp"
#include "unit/check/place_evidence.hpp"

namespace heddle::check::program_stacks_test {
namespace {

using answer::EvidenceStatus;
using answer::ProgramStacks;
using answer::Safe;
using answer::SafeUpTo;

/// Deeper and deeper, and back by the same number of returns, if the other thread lets it. Calls
/// that are alike are told apart by `v`, so that what is seen is enough to prove it; or not.
std::string climbing(bool told_apart, const std::string& assertion) {
  return "decl odd := 0, go := 0;\n"
         "bool climb(v) begin decl w := 0; assume(go); odd, go := !odd, 0;\n"
         "  if * then w := climb(" +
         std::string(told_apart ? "!" : "") +
         "v); fi; odd := !odd; return v; end\n"
         "void thread1() begin decl r := 0; r := climb(1); assert(" +
         assertion +
         "); end\n"
         "void thread2() begin go := !go; thread2(); end\n";
}

/// The claim about an unbounded number of rounds is about what is seen.
std::string climbing_for(const RoundsCase& which, const std::string& assertion) {
  return climbing(!which.rounds, assertion);
}

/// Of products that lie in others the engine keeps some; here, none is left.
class StackEvidence : public PlaceEvidence<ProgramStacks> {
 protected:
  StackEvidence()
      : PlaceEvidence(climbing_for(GetParam(), "r & !odd").c_str(), "stacks"), least(claim()) {
    for (std::size_t i = least.sets.products.size(); i-- > 0;) {
      ProgramStacks fewer = least;
      fewer.sets.products.erase(fewer.sets.products.begin() + static_cast<std::ptrdiff_t>(i));
      if (status(claimed(fewer)) == EvidenceStatus::Confirmed) least = fewer;
    }
    for (std::size_t thread = 0; thread < 2; ++thread) find_used(thread);
  }

  answer::Verdict claimed(const ProgramStacks& stacks) const {
    if (std::holds_alternative<Safe>(verdict)) return Safe{stacks};
    return SafeUpTo{std::get<SafeUpTo>(verdict).bound, stacks};
  }

  template <class Change>
  EvidenceStatus after_change(const Change& change) const {
    ProgramStacks changed = least;
    change(changed);
    return status(claimed(changed));
  }

  ProgramStacks least;
  std::set<std::uint32_t> used_states[2];  ///< of the automata
  std::set<std::uint32_t> used_frames;

 private:
  void find_used(std::size_t thread) {
    std::vector<std::uint32_t> work;
    for (const auto& product : least.sets.products) work.push_back(product.stacks[thread]);
    while (!work.empty()) {
      const std::uint32_t state = work.back();
      work.pop_back();
      if (!used_states[thread].insert(state).second) continue;
      for (const auto& [symbol, target] : least.sets.automata[thread].states[state].edges) {
        used_frames.insert(symbol.value);
        work.push_back(target);
      }
    }
  }
};

TEST_P(StackEvidence, IsConfirmed) {
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  EXPECT_EQ(status(claimed(least)), EvidenceStatus::Confirmed);
  EXPECT_EQ(std::holds_alternative<Safe>(verdict), !GetParam().rounds);
  EXPECT_GT(least.sets.products.size(), 4U);
}

TEST_P(StackEvidence, ProductsComeInTime) {
  for (std::size_t i = 0; i < least.sets.products.size(); ++i)
    EXPECT_EQ(after_change([&](ProgramStacks& s) { s.sets.products[i].turn += 1; }),
              EvidenceStatus::Refuted)
        << "product " << i;
}

/// Each value and frame is another one, or one that is there already.
TEST_P(StackEvidence, ValuesAndFramesMatter) {
  using model::boolean::bit;
  for (std::size_t i = 0; i < least.shared.size(); ++i)
    for (const std::uint32_t variable : {0U, 1U, 70U})
      EXPECT_EQ(after_change([&](ProgramStacks& s) { s.shared[i] ^= bit(variable); }),
                EvidenceStatus::Refuted)
          << "value " << i << " variable " << variable;
  const auto flow = model::boolean::keep_calls(task.model);
  for (const std::uint32_t i : used_frames) {
    for (const std::uint32_t variable : {0U, 1U, 70U})
      EXPECT_EQ(after_change([&](ProgramStacks& s) { s.frames[i].values ^= bit(variable); }),
                EvidenceStatus::Refuted)
          << "frame " << i << " variable " << variable;
    for (std::uint32_t node = 0; node <= flow->nodes.size(); ++node) {
      const model::boolean::NodeId other(node);
      if (other == least.frames[i].node) continue;
      EXPECT_EQ(after_change([&](ProgramStacks& s) { s.frames[i].node = other; }),
                EvidenceStatus::Refuted)
          << "frame " << i << " at node " << node;
    }
  }
}

/// Of products with turns, one may hold a part that another one holds as well.
TEST_P(StackEvidence, EdgesOfTheAutomataAreNeeded) {
  unsigned edges = 0, needed = 0;
  for (std::size_t thread = 0; thread < 2; ++thread)
    for (const std::uint32_t i : used_states[thread])
      for (std::size_t e = 0; e < least.sets.automata[thread].states[i].edges.size(); ++e) {
        ++edges;
        needed += after_change([&](ProgramStacks& s) {
                    auto& changed = s.sets.automata[thread].states[i].edges;
                    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(e));
                  }) == EvidenceStatus::Refuted;
      }
  EXPECT_GT(edges, 20U);
  EXPECT_GE(needed, GetParam().rounds ? edges - 4 : edges);
}

TEST_P(StackEvidence, ItsFormIsChecked) {
  using Change = void (*)(ProgramStacks&);
  const Change changes[] = {
      [](ProgramStacks& s) { s.shared.push_back(s.shared[0]); },
      [](ProgramStacks& s) { s.frames.push_back(s.frames[0]); },
      [](ProgramStacks& s) { s.shared.push_back(model::boolean::bit(70)); },
      [](ProgramStacks& s) { s.frames.push_back({s.frames[0].node, model::boolean::bit(70)}); },
      [](ProgramStacks& s) { s.frames.push_back({model::boolean::NodeId(1'000U), 0}); },
      [](ProgramStacks& s) { s.shared.pop_back(); },
      [](ProgramStacks& s) { s.frames.pop_back(); },
      [](ProgramStacks& s) { s.sets.automata.pop_back(); },
      [](ProgramStacks& s) { s.sets.automata[0].states[0].edges[0].second = 1'000; },
      [](ProgramStacks& s) { s.sets.products[0].stacks[1] = 1'000; },
      [](ProgramStacks& s) { s.sets.products[0].shared = model::SharedState(1'000U); },
      [](ProgramStacks& s) { s.sets.products[0].stacks.pop_back(); }};
  for (std::size_t i = 0; i < std::size(changes); ++i)
    EXPECT_EQ(after_change(changes[i]), EvidenceStatus::Refuted) << "change " << i;
}

/// More than is reachable is no evidence if a thread has failed in it, though no step leads out.
TEST_P(StackEvidence, NoThreadMayFail) {
  const auto flow = model::boolean::keep_calls(task.model);
  unsigned nodes = 0;
  for (std::uint32_t node = 0; node < flow->nodes.size(); ++node) {
    if (!flow->edges_by_source()[node].empty()) continue;  // neither failed nor at an end
    ++nodes;
    EXPECT_EQ(after_change([&](ProgramStacks& s) {
                s.frames.push_back({model::boolean::NodeId(node), 3});
                auto& states = s.sets.automata[0].states;
                const auto end = static_cast<std::uint32_t>(states.size());
                states.push_back({true, {}});
                states.push_back({false, {{model::StackSymbol(s.frames.size() - 1), end}}});
                const auto products = s.sets.products;
                for (answer::StackProduct product : products) {
                  product.stacks[0] = end + 1;
                  s.sets.products.push_back(product);
                }
              }),
              flow->nodes[node].failed ? EvidenceStatus::Refuted : EvidenceStatus::Confirmed)
        << "node " << node;
  }
  EXPECT_EQ(nodes, 3U);
}

/// Whatever is made of the evidence, it does not prove the program safe that is not, with the same
/// graph but another assertion.
TEST_P(StackEvidence, NoCorruptionProvesWhatIsFalse) {
  model::ProgramTask unsafe = task;
  unsafe.model =
      frontend::boolean_program::parse({"test.bp", climbing_for(GetParam(), "r & odd")})->model;
  unsigned tried = 0;
  test::Sample sample(1);
  test::Mutator(answer::verdict_to_json(verdict), [&](const nlohmann::json& document) {
    const auto read = answer::verdict_from_json(document, model::Tag<model::BooleanProgram>());
    if (!read || !answer::is_definite(*read)) return;
    ++tried;
    if (!sample.next()) return;
    base::RunContext context;
    EXPECT_NE(check(unsafe, *read, context).status, EvidenceStatus::Confirmed) << document;
  }).run();
  EXPECT_GT(tried, 500U);
}

TEST_P(StackEvidence, ProvesNothingBeyondItsBound) {
  const auto* bounded = std::get_if<SafeUpTo>(&verdict);
  if (!bounded) return;
  SafeUpTo more = *bounded;
  more.bound.value = 3;
  EXPECT_EQ(status(more), EvidenceStatus::Refuted);
  EXPECT_EQ(status(Safe{bounded->certificate}), EvidenceStatus::Refuted);
}

TEST_P(StackEvidence, AStepLimitLeavesItUnchecked) {
  base::Limits limits;
  limits.steps = 3;
  base::RunContext context(limits);
  EXPECT_EQ(check(task, verdict, context).status, EvidenceStatus::NotChecked);
}

/// Nothing ever changes x, so what begins with 1 is a claim of its own.
TEST(StackEvidenceOfStarts, HasEveryInitialValuation) {
  model::ProgramTask task{frontend::boolean_program::parse(
                              {"test.bp",
                               "decl x; void f() begin f(); assert(x); end\n"
                               "void thread1() begin f(); end void thread2() begin f(); end"})
                              ->model,
                          {}};
  task.question.initial = std::vector{model::ThreadsInMain{1, base::Integer(1)}};
  task.question.targets = {{}};
  const auto status = [&](const answer::Verdict& verdict) {
    base::RunContext context;
    return check(task, verdict, context).status;
  };
  base::RunContext context;
  const answer::Verdict verdict = engine::find_engine("stacks")->run(task, {}, context);
  EXPECT_EQ(status(verdict), EvidenceStatus::Confirmed);
  auto claim = std::get<ProgramStacks>(std::get<Safe>(verdict).certificate);
  ASSERT_EQ(claim.shared.size(), 2U);
  for (const std::uint32_t value : {0U, 1U}) {
    ProgramStacks half = claim;
    std::erase_if(half.sets.products, [&](const answer::StackProduct& product) {
      return product.shared.value == value;
    });
    EXPECT_EQ(status(Safe{half}), EvidenceStatus::Refuted) << "without " << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, StackEvidence,
                         testing::Values(RoundsCase{"Bounded", 2},
                                         RoundsCase{"Unbounded", std::nullopt}),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace heddle::check::program_stacks_test
