/// Corrupts evidence of cutoffs in every place and demands that the reader rejects it, or the check
/// refutes it, or it is still true: decided by brute force, never by the checker. What stays true
/// is, for example, a thread count that is larger than need be but not above the cutoff.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/cutoff.hpp"
#include "check/thread_weights.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "support/builders.hpp"
#include "support/mutator.hpp"
#include "support/naive_cutoff.hpp"

namespace heddle::check {
namespace {

using answer::EvidenceStatus;
using nlohmann::json;
using test::any_number;
using test::exactly;
using test::move;
using test::spawn;
using test::thread_system;

struct CutoffSample {
  std::string name;
  model::Task task;
};

/// Weights are what shows that fewer tokens do not do.
model::PetriNet gathering() {
  model::PetriNet net = test::net(2);
  model::add_transition(net, "gather", {{model::Counter(0u), 4}}, {{model::Counter(1u), 2}});
  return net;
}

std::vector<CutoffSample> samples() {
  model::PetriNet net = test::net(3);
  const auto place = [](unsigned p) { return model::Counter(p); };
  model::add_transition(net, "split", {{place(0), 1}}, {{place(1), 2}});
  model::add_transition(net, "never", {{place(0), 1}, {place(1), 1}}, {{place(2), 1}});
  return {{"mutex", test::task(thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}),
                               {any_number(0, {0})}, {})},
          {"spawn", test::task(thread_system(2, 2, {spawn(0, 0, 0, 1), move(0, 1, 1, 1)}),
                               {exactly(0, {0})}, {})},
          {"broadcast",
           test::task(thread_system(2, 3, {move(0, 0, 0, 1), move(0, 1, 1, 0, {{1, 2}, {1, 0}})}),
                      {any_number(0, {0})}, {})},
          {"weights", test::task(gathering(), {any_number(0, {0}), test::marking({1, 1})}, {})},
          {"net", test::task(net, {test::marking({1, 0, 0})}, {})}};
}

answer::Cutoff find(const model::Task& task) {
  base::Limits limits;
  limits.steps = 1'000'000;
  base::RunContext context(limits);
  return std::get<answer::Cutoff>(engine::cutoff::find_cutoff(task, {}, context));
}

/// The cutoff and the list are right; each thread count is enough, and no more than the cutoff;
/// those with a proof are the least.
bool is_still_true(const model::Task& task, const answer::Cutoff& cutoff) {
  const auto first = test::naive_first_reached(task, 6);
  unsigned greatest = 0;
  for (const auto& [state, threads] : first) greatest = std::max(greatest, threads);
  if (cutoff.threads != greatest || cutoff.reachable.size() != first.size()) return false;
  for (const answer::TooFewThreads& proof : cutoff.too_few)
    for (const model::ThreadState& state : proof.states)
      if (!first.contains(state) || first.at(state) != proof.threads) return false;
  return std::ranges::all_of(cutoff.reachable, [&](const answer::ReachedState& reached) {
    const auto it = first.find(reached.state);
    return it != first.end() && it->second <= reached.threads && reached.threads <= greatest;
  });
}

TEST(CutoffMutation, NoCorruptionIsConfirmedUnlessItIsStillTrue) {
  for (const CutoffSample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const answer::Cutoff found = find(sample.task);
    ASSERT_TRUE(is_still_true(sample.task, found));
    int rejected = 0, refuted = 0, still_true = 0;
    const auto stored = answer::write_cutoff_evidence(
        {model::kind_name(sample.task.model), "cutoff", sample.task.question.initial, found});
    test::Mutator(json::parse(stored), [&](const json& document) {
      const auto read = answer::read_cutoff_evidence(document.dump());
      if (!read || read->model_kind != model::kind_name(sample.task.model)) {
        ++rejected;
        return;
      }
      const model::Task task{sample.task.model, {read->initial, {}}};
      base::RunContext context;
      const auto result = check_cutoff(task, read->cutoff, context);
      if (result.status == EvidenceStatus::Refuted) {
        ++refuted;
        return;
      }
      ASSERT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
      EXPECT_TRUE(is_still_true(task, read->cutoff)) << document;
      ++still_true;
    }).run();
    EXPECT_GT(rejected, 100);
    EXPECT_GT(refuted, 50);
  }
}

/// One place from which 4 or 2 tokens lead to the other. Claims that it takes `threads`, by the
/// weight `packed` of a token there where the others weigh 1 and the pool weighs `pool`.
answer::Cutoff weighty_claim(unsigned threads, unsigned packed, unsigned pool) {
  const model::ThreadState raw{model::SharedState(0u), model::LocalState(0u)};
  const model::ThreadState made{model::SharedState(0u), model::LocalState(1u)};
  answer::Cutoff claim;
  claim.threads = threads;
  claim.reachable = {{raw, 1, 1}, {made, threads, 2}};
  claim.witnesses = {
      {std::nullopt, {model::SharedState(0u), {}}, {}, std::nullopt},
      {0u, {}, {{raw.local, 1}}, std::nullopt},
      {0u, {}, {{raw.local, threads}}, answer::TraceStep{model::TransitionId(1u), {}, {}, {}}}};
  const answer::ThreadWeighting weighting{{}, {{raw.local, 1}, {made.local, packed}}, pool};
  claim.too_few = {{threads, {made}, {{{made.shared, {{made.local, 1}}}, 0}}, {weighting}}};
  return claim;
}

TEST(CutoffCheck, WeightsProveWhatIsTrueOnly) {
  model::PetriNet net = test::net(2);
  model::add_transition(net, "four", {{model::Counter(0u), 4}}, {{model::Counter(1u), 1}});
  model::add_transition(net, "two", {{model::Counter(0u), 2}}, {{model::Counter(1u), 1}});
  const auto task = test::task(net, {any_number(0, {0})}, {});
  const auto check = [&](const answer::Cutoff& claim) {
    base::RunContext context;
    return check_cutoff(task, claim, context).status;
  };
  EXPECT_EQ(check(weighty_claim(2, 2, 0)), EvidenceStatus::Confirmed);
  EXPECT_EQ(check(weighty_claim(3, 2, 0)), EvidenceStatus::Refuted) << "two are heavy enough";
  EXPECT_EQ(check(weighty_claim(3, 3, 0)), EvidenceStatus::Refuted) << "a step adds weight";
  EXPECT_EQ(check(weighty_claim(3, 2, 1)), EvidenceStatus::Refuted) << "so does the pool";
  answer::Cutoff unknown_place = weighty_claim(2, 2, 0);
  unknown_place.too_few[0].weightings[0].counters.set(model::Counter(2u), 1);
  EXPECT_EQ(check(unknown_place), EvidenceStatus::Refuted);
}

/// Steps of threads, with which a weighting that gives local state 1 twice the weight of 0 is at
/// odds.
TEST(CutoffCheck, WeightsLookAtEveryKindOfStep) {
  const auto weigh = [](model::ThreadTransition t, unsigned shared, unsigned pool) {
    const answer::ThreadWeighting weighting{{{model::SharedState(1u), shared}},
                                            {{model::Counter(0u), 1}, {model::Counter(1u), 2}},
                                            pool};
    return !why_no_weighting(thread_system(2, 3, {std::move(t)}), weighting);
  };
  EXPECT_FALSE(weigh(move(0, 0, 0, 1), 0, 0));
  EXPECT_TRUE(weigh(move(1, 0, 0, 1), 1, 0)) << "the shared state makes up for it";
  EXPECT_TRUE(weigh(move(0, 1, 0, 0), 0, 0));
  EXPECT_FALSE(weigh(move(0, 1, 1, 0), 2, 0));
  EXPECT_FALSE(weigh(move(0, 1, 0, 0, {{0, 1}}), 0, 0));
  EXPECT_TRUE(weigh(move(0, 1, 0, 0, {{1, 0}, {0, 2}}), 0, 0));
  EXPECT_FALSE(weigh(spawn(0, 0, 0, 1), 0, 1));
  EXPECT_TRUE(weigh(spawn(0, 0, 0, 1), 0, 2));
  EXPECT_FALSE(weigh(test::transfer(0, 0, 0, 1), 0, 0));
  EXPECT_FALSE(weigh(test::transfer(0, 1, 1, 0), 1, 0)) << "nobody need be in 1";
  EXPECT_TRUE(weigh(test::transfer(1, 1, 0, 0), 1, 0));
}

TEST(CutoffMutation, DocumentsAreReadAsTheyWereWritten) {
  for (const CutoffSample& sample : samples()) {
    const answer::Cutoff found = find(sample.task);
    const auto read = answer::read_cutoff_evidence(
        answer::write_cutoff_evidence({"thread system", "cutoff", {}, found}));
    ASSERT_TRUE(read.has_value()) << read.error();
    EXPECT_EQ(read->cutoff, found);
  }
}

}  // namespace
}  // namespace heddle::check
