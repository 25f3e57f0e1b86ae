/// Confused and corrupted evidence of every kind, on models of every kind. Evidence that is right
/// for one model is offered for a near one, with one transition, statement, weight, initial value
/// or target changed, as it is and corrupted; and evidence is corrupted in one place. What the
/// checker confirms all the same has to be true: the naive searches say so, never the checker.
/// (Much of it is true: a change often does not matter.) A confirmed falsehood is shrunk, printed,
/// and belongs into kept_conflicts_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "support/claims.hpp"
#include "support/model_kinds.hpp"
#include "support/mutator.hpp"
#include "support/near_task.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"

namespace heddle::test::confusion_test {
namespace {

using Task = model::AnyTask;
using nlohmann::json;

constexpr std::uint64_t kSteps = 500;  // of an engine: what it answers soon is evidence enough

/// The confirmed falsehood, for a person to keep: on the smallest task for which it is confirmed.
std::string falsehood(const Task& task, const Claim& claim) {
  const auto judge = [&](const Task& candidate) {
    return judge_claim(candidate, claim.stored, ask_truth(candidate));
  };
  const Task smallest = shrink(task, [&](const Task& candidate) {
    return judge(candidate).outcome == Judgement::Outcome::False;
  });
  return judge(smallest).why + "\n" + task_text(smallest) + claim.document.dump();
}

/// How many models of a kind are tried: those of programs take longer.
unsigned models_of(const ModelKind& kind) { return std::min(150U, kind.cases / 2); }

std::string claim_kind(const Task& task, std::string_view claim) {
  return model::kind_name(task) + ": " + std::string(claim);
}

class Claims : public testing::TestWithParam<ModelKind> {
 protected:
  /// Says what was tried. Each kind of claim that belongs to the kind of model has to be there.
  void TearDown() override {
    std::cout << score_.summary();
    Random random(0);
    const Task task = GetParam().random(random);
    for (const std::string_view claim : GetParam().claims)
      EXPECT_TRUE(score_.tried(claim_kind(task, claim)) > 0 || kSlowdown > 1) << claim;
  }

  /// The claim as it is, and corrupted in a place or two: each has to be true of the task.
  void offer(const Task& task, const Claim& claim, const Truth& truth, Random& random) {
    constexpr unsigned kCorruptions = 2;
    judge(task, claim, truth);
    Mutator(
        claim.document["answer"],
        [&](const json& answer) {
          Claim corrupted = claim;
          corrupted.document["answer"] = answer;
          const auto stored = answer::read_evidence(corrupted.document.dump());
          if (!stored) return;
          corrupted.stored = *stored;
          judge(task, corrupted, truth);
        },
        Mutator::Changes::WellTyped)
        .run(random, kCorruptions);
  }

  void judge(const Task& task, const Claim& claim, const Truth& truth) {
    const Judgement judgement = judge_claim(task, claim.stored, truth);
    score_.add(claim.kind, judgement);
    if (judgement.outcome == Judgement::Outcome::False)
      ADD_FAILURE() << claim.kind << ", confirmed, but " << falsehood(task, claim);
  }

  ClaimScore score_;
};

/// Every kind of claim is met by the tests of some kind of model.
TEST(ClaimKinds, AllOccur) {
  std::vector<std::string> met;
  for (const ModelKind& kind : model_kinds()) {
    Random random(0);
    const Task task = kind.random(random);
    for (const std::string_view claim : kind.claims) met.push_back(claim_kind(task, claim));
  }
  for (const std::string& kind : all_claim_kinds())
    EXPECT_NE(std::ranges::find(met, kind), met.end()) << kind;
}

/// Near tasks with another answer are preferred: there, whatever is confirmed is false.
TEST_P(Claims, OfANearModelAreConfirmedOnlyIfTheyAreTrueOfThisOne) {
  constexpr unsigned kNear = 24;
  const ModelKind& kind = GetParam();
  for (unsigned i = 0; i < random_cases(models_of(kind)) && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(40'000'000 + i);
    const Task task = kind.random(random);
    const auto answer = ask_truth(task).decided(task);
    const std::vector<Claim> claims = claims_about(task, kSteps);
    for (unsigned n = 0; n < kNear && !claims.empty(); ++n) {
      const Task near = near_task(task, random);
      const Truth truth = ask_truth(near);
      if (truth.decided(near) == answer && !random.one_in(4)) continue;
      for (const Claim& claim : claims) offer(near, claim, truth, random);
    }
  }
}

TEST_P(Claims, ThatAreCorruptedAreConfirmedOnlyIfTheyAreStillTrue) {
  constexpr unsigned kCorruptions = 12;
  const ModelKind& kind = GetParam();
  for (unsigned i = 0; i < random_cases(models_of(kind)) && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(41'000'000 + i);
    const Task task = kind.random(random);
    const Truth truth = ask_truth(task);
    for (const Claim& claim : claims_about(task, kSteps)) {
      const auto judge = [&](const json& document) {
        const Judgement judgement = judge_document(task, document, truth);
        score_.add(claim.kind, judgement);
        if (judgement.outcome == Judgement::Outcome::False)
          ADD_FAILURE() << claim.kind << ", confirmed, but " << judgement.why << "\n"
                        << task_text(task) << document;
      };
      Mutator(claim.document, judge, Mutator::Changes::WellTyped).run(random, kCorruptions);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Claims,
                         testing::ValuesIn(model_kinds().begin(), model_kinds().end()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace heddle::test::confusion_test
