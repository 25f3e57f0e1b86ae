/// Corrupts evidence of cutoffs in every place and demands that the reader rejects it, or the check
/// refutes it, or it is still true: decided by brute force, never by the checker. What stays true
/// is, for example, a list without a proof that is not about the cutoff.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "answer/json.hpp"
#include "check/cutoff/cutoff.hpp"
#include "check/cutoff/thread_weights.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "support/builders.hpp"
#include "support/mutator.hpp"
#include "support/naive_cutoff.hpp"
#include "unit/check/random_models.hpp"

namespace heddle::check::cutoff_mutation_test {
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
  model::CountingTask task;
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

answer::Cutoff find(const model::CountingTask& task) {
  base::Limits limits;
  limits.steps = 1'000'000;
  base::RunContext context(limits);
  return std::get<answer::Cutoff>(engine::cutoff::find_cutoff(task, {}, context));
}

/// The cutoff and the list are right; each thread count is enough, and no more than the cutoff;
/// those with a proof are the least.
bool is_still_true(const model::CountingTask& task, const answer::Cutoff& cutoff) {
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
    const model::AnyKind kind = model::kind_of(model::AnyTask(sample.task));
    const model::CountingQuestion question{sample.task.question.initial, {}};
    const auto stored = answer::write_evidence({kind, "cutoff", question, found});
    test::Mutator(json::parse(stored), [&](const json& document) {
      const auto read = answer::read_evidence(document.dump());
      const auto* cutoff = read ? std::get_if<answer::Cutoff>(&read->verdict) : nullptr;
      if (!cutoff || read->kind != kind) {
        ++rejected;
        return;
      }
      const auto& asked = std::get<model::CountingQuestion>(read->question);
      const model::CountingTask task{sample.task.model, {asked.initial, {}}};
      base::RunContext context;
      const auto result = check_cutoff(task, *cutoff, context);
      if (result.status == EvidenceStatus::Refuted) {
        ++refuted;
        return;
      }
      ASSERT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
      EXPECT_TRUE(is_still_true(task, *cutoff)) << document;
      ++still_true;
    }).run();
    EXPECT_GT(rejected, 100);
    EXPECT_GT(refuted, 50);
  }
}

/// Models that differ from the given one in one step: it is missing, leads elsewhere, is of another
/// kind, or is there in addition.
std::vector<model::ThreadSystem> neighbours(const model::ThreadSystem& system) {
  std::vector<model::ThreadSystem> out;
  const auto add = [&](std::size_t index, const model::ThreadTransition& instead) {
    out.push_back(system);
    out.back().transitions[index] = instead;
  };
  for (std::size_t i = 0; i < system.transitions.size(); ++i) {
    out.push_back(system);
    out.back().transitions.erase(out.back().transitions.begin() + static_cast<std::ptrdiff_t>(i));
    model::ThreadTransition t = system.transitions[i];
    t.target.local = model::LocalState((t.target.local.value + 1) % system.local_count);
    add(i, t);
    t = system.transitions[i];
    t.target.shared = model::SharedState((t.target.shared.value + 1) % system.shared_count);
    add(i, t);
    t = system.transitions[i];
    t.passive.clear();
    t.kind = t.kind == model::StepKind::Spawn ? model::StepKind::Move : model::StepKind::Spawn;
    add(i, t);
    out.push_back(system);
    t.source = system.transitions[i].target;
    t.target = system.transitions[i].source;
    out.back().transitions.push_back(t);
  }
  return out;
}

/// The table of one model is offered for the others, with their initial states.
TEST(CutoffConfusion, TheTableOfANearModelIsConfirmedOnlyWhereItIsTrue) {
  std::mt19937 random(11);
  int refuted = 0, still_true = 0;
  for (int round = 0; round < 150; ++round) {
    const model::CountingTask task = test::task(random_system(random), {any_number(0, {0})}, {});
    base::Limits limits;
    limits.steps = 100'000;
    base::RunContext search(limits);
    const auto answer = engine::cutoff::find_cutoff(task, {}, search);
    const auto* table = std::get_if<answer::Cutoff>(&answer);
    if (!table || table->threads > 5) continue;
    std::vector<model::CountingTask> others{
        test::task(task.model, {exactly(0, {0})}, {}),
        test::task(task.model, {any_number(0, {0}), any_number(0, {1})}, {})};
    for (model::ThreadSystem& other : neighbours(std::get<model::ThreadSystem>(task.model)))
      others.push_back({std::move(other), task.question});
    for (const model::CountingTask& other : others) {
      base::RunContext context;
      const auto result = check_cutoff(other, *table, context);
      if (result.status == EvidenceStatus::Refuted) {
        ++refuted;
        continue;
      }
      ASSERT_EQ(result.status, EvidenceStatus::Confirmed) << result.why;
      EXPECT_TRUE(is_still_true(other, *table)) << "round " << round;
      ++still_true;
    }
  }
  EXPECT_GT(refuted, 500);
  EXPECT_GT(still_true, 50);
}

/// What was tried by hand to have a falsehood confirmed.
class ForgedCutoff : public testing::Test {
 protected:
  /// (0,0) and (1,1) take one thread, (1,0) takes two; (0,1) is not reachable.
  const model::CountingTask task_ = test::task(
      thread_system(2, 2, {move(0, 0, 1, 1), move(1, 1, 0, 0)}), {any_number(0, {0})}, {});
  answer::Cutoff table_ = find(task_);

  void SetUp() override { ASSERT_EQ(table_.threads, 2U); }

  EvidenceStatus status() const {
    base::RunContext context;
    return check_cutoff(task_, table_, context).status;
  }
};

TEST_F(ForgedCutoff, OfNothing) {
  table_ = {};
  EXPECT_EQ(status(), EvidenceStatus::Refuted);
  model::CountingTask nowhere = task_;
  nowhere.question.initial.clear();
  base::RunContext context;
  EXPECT_EQ(check_cutoff(nowhere, table_, context).status, EvidenceStatus::Confirmed)
      << "without initial states nothing is reachable; it is the driver that puts the question";
}

TEST_F(ForgedCutoff, WithNumbersAboveThoseOfTheWitnesses) {
  for (answer::ReachedState& state : table_.reachable) state.threads = 2;
  table_.too_few.erase(table_.too_few.begin(), std::prev(table_.too_few.end()));
  EXPECT_EQ(status(), EvidenceStatus::Refuted);
}

TEST_F(ForgedCutoff, WithIdleThreadsInItsWitnesses) {
  table_.threads = 3;
  for (answer::ReachedState& state : table_.reachable) {
    table_.witnesses.push_back(
        {state.witness, {}, {{model::Counter(0u), 3 - state.threads}}, std::nullopt});
    state.witness = static_cast<std::uint32_t>(table_.witnesses.size() - 1);
    state.threads = 3;
  }
  table_.too_few.clear();
  EXPECT_EQ(status(), EvidenceStatus::Refuted) << "not shown that two are not enough";
  answer::TooFewThreads proof{3, {}, {}, {}};
  for (const answer::ReachedState& state : table_.reachable) proof.states.push_back(state.state);
  table_.too_few = {proof};
  EXPECT_EQ(status(), EvidenceStatus::Refuted) << "nor by an empty set of demands";
}

TEST_F(ForgedCutoff, WithoutACandidate) {
  ASSERT_FALSE(table_.candidates.empty());
  table_.candidates.clear();
  EXPECT_EQ(status(), EvidenceStatus::Refuted);
}

TEST_F(ForgedCutoff, WithoutAReachableState) {
  for (std::size_t i = 0; i < table_.reachable.size(); ++i) {
    answer::Cutoff less = table_;
    less.reachable.erase(less.reachable.begin() + static_cast<std::ptrdiff_t>(i));
    for (answer::TooFewThreads& proof : less.too_few)
      std::erase(proof.states, table_.reachable[i].state);
    std::erase_if(less.too_few, [](const auto& proof) { return proof.states.empty(); });
    less.threads = 0;
    for (const auto& state : less.reachable) less.threads = std::max(less.threads, state.threads);
    base::RunContext context;
    EXPECT_EQ(check_cutoff(task_, less, context).status, EvidenceStatus::Refuted) << i;
  }
}

TEST_F(ForgedCutoff, WithAWitnessThatIsItsOwnParent) {
  table_.witnesses[1].parent = 1;
  EXPECT_EQ(status(), EvidenceStatus::Refuted);
  table_.witnesses[1].parent = UINT32_MAX;
  EXPECT_EQ(status(), EvidenceStatus::Refuted);
}

TEST_F(ForgedCutoff, ByWeightsBeyondMachineWords) {
  base::Integer huge = 1;
  for (int i = 0; i < 200; ++i) huge *= 2;
  answer::TooFewThreads& proof = table_.too_few.back();
  for (const base::Integer& weight : {huge, base::Integer(huge - 1), base::Integer(huge + 1)}) {
    proof.weightings = {{{{model::SharedState(1u), weight}}, {{model::Counter(1u), weight}}, 0}};
    EXPECT_EQ(status(), EvidenceStatus::Refuted);
    proof.weightings = {{{{model::SharedState(1u), weight}}, {{model::Counter(0u), huge}}, huge}};
    EXPECT_EQ(status(), weight == huge ? EvidenceStatus::Confirmed : EvidenceStatus::Refuted);
  }
}

TEST_F(ForgedCutoff, ByADemandOfAllThreads) {
  answer::TooFewThreads& proof = table_.too_few.back();
  for (const std::uint32_t pool : {1U, 2U, UINT32_MAX}) {
    proof.minimal = {{{model::SharedState(1u), {{model::Counter(0u), 1}}}, pool}};
    EXPECT_EQ(status(), EvidenceStatus::Refuted) << pool;
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
    const auto read = answer::read_evidence(answer::write_evidence(
        {model::Tag<model::ThreadSystem>(), "cutoff", model::CountingQuestion(), found}));
    ASSERT_TRUE(read.has_value()) << read.error();
    EXPECT_EQ(std::get<answer::Cutoff>(read->verdict), found);
  }
}

}  // namespace
}  // namespace heddle::check::cutoff_mutation_test
