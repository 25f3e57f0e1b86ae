/// Corrupts stored evidence of every kind in every place and demands that nobody is fooled: the
/// reader rejects it, or the check refutes it, or it is still true. Whether it is still true is
/// decided by brute force (naive.hpp), never by the checker; it happens, for example, when a
/// trace reaches more of the target than asked for, when an element is given twice, or when an
/// invariant's bound is weaker but still strong enough.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "check/pathwise/shared_graph.hpp"
#include "check/pathwise/spaghetti_slice.hpp"
#include "support/mutator.hpp"
#include "unit/check/naive.hpp"
#include "unit/check/samples.hpp"

namespace heddle::check::mutation_test {
namespace {

using answer::EvidenceStatus;
using nlohmann::json;

constexpr unsigned kBox = 5;  // above every number in the samples' bases, plus one

/// Nothing is said about paths by brute force; but the task must be safe, and the basis one of the
/// slice.
bool is_still_true(const model::CountingTask& task, const answer::PathwiseProof& proof) {
  const auto& system = std::get<model::ThreadSystem>(task.model);
  const Slices parts = slices(SharedGraph(system, task.question), task.question);
  model::CountingTask slice = task;
  auto& kept = std::get<model::ThreadSystem>(slice.model).transitions;
  kept.clear();
  for (const std::uint32_t t : parts.spaghetti) kept.push_back(system.transitions[t]);
  slice.question.targets.clear();
  for (std::size_t i = 0; i < task.question.targets.size(); ++i)
    if (parts.ends_spaghetti[i]) slice.question.targets.push_back(task.question.targets[i]);
  return naive::is_valid_basis(task, {naive::backward_basis(task, kBox), {}}, kBox) &&
         naive::is_valid_basis(slice, proof.spaghetti, kBox);
}

bool is_still_true(const model::CountingTask& task, const answer::Verdict& verdict) {
  if (const auto* unsafe = std::get_if<answer::Unsafe>(&verdict))
    return naive::is_valid_trace(task, std::get<answer::Trace>(unsafe->trace));
  const auto& certificate = std::get<answer::Safe>(verdict).certificate;
  if (const auto* closed = std::get_if<answer::ClosedThreadStates>(&certificate))
    return naive::is_valid_basis(task, {{}, {*closed}}, kBox);
  if (const auto* proof = std::get_if<answer::PathwiseProof>(&certificate))
    return is_still_true(task, *proof);
  if (const auto* cover = std::get_if<answer::ForwardCover>(&certificate))
    return naive::is_valid_cover(task, *cover, kBox);
  return naive::is_valid_basis(task, std::get<answer::BackwardBasis>(certificate), kBox);
}

struct Tally {
  int rejected = 0;
  int refuted = 0;
  int still_true = 0;
};

void judge(const Sample& sample, const json& document, Tally& tally) {
  const auto read = answer::read_evidence(document.dump());
  if (!read) {
    EXPECT_TRUE(read.error().starts_with("at /")) << read.error();
    ++tally.rejected;
    return;
  }
  if (read->kind != model::kind_of(model::AnyTask(sample.task))) {
    ++tally.rejected;  // nobody would check it against this model
    return;
  }
  const model::CountingTask task{sample.task.model,
                                 std::get<model::CountingQuestion>(read->question)};
  base::RunContext context;
  const auto result = check(task, read->verdict, context);
  if (result.status == EvidenceStatus::Refuted) {
    EXPECT_FALSE(result.why.empty());
    ++tally.refuted;
    return;
  }
  ASSERT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  EXPECT_TRUE(is_still_true(task, read->verdict)) << sample.name << ": " << document;
  ++tally.still_true;
}

class Mutation : public testing::TestWithParam<Sample> {};

TEST_P(Mutation, TheSampleItselfIsTrueAndConfirmed) {
  const Sample& sample = GetParam();
  base::RunContext context;
  const auto result = check(sample.task, sample.verdict, context);
  EXPECT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
  EXPECT_TRUE(is_still_true(sample.task, sample.verdict));
}

TEST_P(Mutation, NoCorruptionIsConfirmedUnlessItIsStillTrue) {
  const Sample& sample = GetParam();
  const std::string stored = answer::write_evidence(
      {model::kind_of(model::AnyTask(sample.task)), "test", sample.task.question, sample.verdict});
  Tally tally;
  test::Mutator(json::parse(stored), [&](const json& document) {
    judge(sample, document, tally);
  }).run();
  RecordProperty("rejected", tally.rejected);
  RecordProperty("refuted", tally.refuted);
  RecordProperty("still_true", tally.still_true);
  EXPECT_GT(tally.rejected, 100);
  EXPECT_GT(tally.refuted, 10);
}

INSTANTIATE_TEST_SUITE_P(Samples, Mutation, testing::ValuesIn(samples()), [](const auto& sample) {
  std::string name = std::to_string(sample.index) + "_" + sample.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace
}  // namespace heddle::check::mutation_test
