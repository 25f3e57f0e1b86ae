/// Cutoffs of Boolean programs against brute force with the interpreter, and against the cutoffs of
/// their thread systems.

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "engine/cutoff/cutoff.hpp"
#include "engine/onthefly/cutoff.hpp"
#include "frontend/boolean_program/format.hpp"
#include "output/program_states.hpp"
#include "support/naive_cutoff.hpp"
#include "support/random.hpp"
#include "support/random_programs.hpp"
#include "support/sanitized.hpp"
#include "transform/program_to_threads.hpp"

namespace heddle::test::program_cutoff_test {
namespace {

std::string text_of(const model::ProgramTask& task) {
  return frontend::boolean_program::print({task.model, {}, {}, {}});
}

std::optional<answer::Cutoff> confirmed_cutoff(const model::ProgramTask& task) {
  base::Limits limits;
  limits.steps = 30'000;
  base::RunContext context(limits), checking;
  const answer::Verdict verdict = engine::onthefly::cutoff_row().run(task, {}, context);
  const auto* cutoff = std::get_if<answer::Cutoff>(&verdict);
  if (!cutoff) return std::nullopt;
  const auto checked = check::check(task, verdict, checking);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << text_of(task);
  return *cutoff;
}

model::ProgramTask random_task(Random& random, const ProgramFlavour& flavour) {
  model::ProgramTask task{random_program(random, flavour), {}};
  const bool any = random.below(2) == 0;
  task.question.initial = {{1, any ? std::nullopt : std::optional(base::Integer(1))}};
  return task;
}

TEST(ProgramCutoffs, AreThoseOfBruteForce) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= (kAddressSanitizer ? 20 : 60); ++seed) {
    Random random(seed);
    const model::ProgramTask task =
        random_task(random, {.signals = seed % 3 == 0, .passive = seed % 2 == 0});
    if (!engine::onthefly::cutoff_row().accepts(task).yes()) continue;
    const auto cutoff = confirmed_cutoff(task);
    if (!cutoff) continue;
    ++found;
    EXPECT_EQ(naive_objection(task, *cutoff, 3), "") << "seed " << seed << "\n" << text_of(task);
  }
  EXPECT_GT(found, kAddressSanitizer ? 10u : 30u);
}

/// Spawns and signals of a thread system take several transitions, with shared states of their own
/// in between; so only programs without them have the same thread states.
TEST(ProgramCutoffs, AreThoseOfThreadSystems) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= (kAddressSanitizer ? 40 : 100); ++seed) {
    Random random(seed);
    const model::ProgramTask task = random_task(random, {.passive = seed % 2 == 0});
    const auto flow = model::boolean::unfold(task.model);
    if (!flow || starts_threads(*flow)) continue;
    const auto cutoff = confirmed_cutoff(task);
    const auto translation = transform::program_to_threads(task);
    if (!cutoff || !translation) continue;
    base::Limits limits;
    limits.steps = 20'000;
    base::RunContext context(limits);
    const auto other = engine::cutoff::find_cutoff(translation->translated, {}, context);
    const auto* threads = std::get_if<answer::Cutoff>(&other);
    if (!threads) continue;
    ++compared;
    EXPECT_EQ(cutoff->threads, threads->threads) << "seed " << seed << "\n" << text_of(task);
    EXPECT_EQ(output::state_count(output::reached_places(*flow, *cutoff->program, 0)),
              base::Integer(threads->reachable.size()))
        << "seed " << seed << "\n"
        << text_of(task);
  }
  EXPECT_GT(compared, kAddressSanitizer ? 2u : 5u);
}

// ---- what a lock keeps apart ----

/// Threads work on `first` and `second` with a lock. `taking` is how they take it.
model::ProgramTask locked_work(const std::string& taking) {
  const std::string text = R"(
decl lock := 0, first := 0, second := 0;
void main() begin
  decl own := 0;
  again:
    )" + taking + R"(
    own := *;
    first := own;
    second := !first;
    own := second;
    first := 0;
    second := 0;
    lock := 0;
    goto again;
end
)";
  const auto read = frontend::boolean_program::parse({"locked.bp", text});
  if (!read) throw std::logic_error("the program of the test should be one");
  model::ProgramTask task{read->model, {}};
  task.question.initial = {{1, std::nullopt}};
  return task;
}

constexpr const char* kTogether = "atomic { assume(!lock); lock := 1; }";
constexpr const char* kOneByOne = "assume(!lock); lock := 1;";

answer::EvidenceStatus status_of(const model::ProgramTask& task, const answer::Cutoff& cutoff) {
  base::RunContext context;
  return check::check(task, cutoff, context).status;
}

TEST(ProgramCutoffs, OfLockedWorkTakeFewSteps) {
  const model::ProgramTask task = locked_work(kTogether);
  base::Limits limits;
  limits.steps = 3'000;  // without lemmas about pairs: more than 4000
  base::RunContext context(limits);
  const answer::Verdict verdict = engine::onthefly::cutoff_row().run(task, {}, context);
  const auto* cutoff = std::get_if<answer::Cutoff>(&verdict);
  ASSERT_NE(cutoff, nullptr) << std::get<answer::Unknown>(verdict).detail;
  EXPECT_EQ(status_of(task, *cutoff), answer::EvidenceStatus::Confirmed);
  EXPECT_EQ(naive_objection(task, *cutoff, 3), "");
}

bool is_pair(const answer::ProgramElement& element) { return element.threads.size() == 2; }

TEST(ProgramCutoffs, PairsAreExcludedByProofsOnly) {
  const model::ProgramTask task = locked_work(kTogether);
  const auto cutoff = confirmed_cutoff(task);
  ASSERT_TRUE(cutoff);
  std::size_t pairs = 0;
  answer::Cutoff forged = *cutoff;
  for (answer::ProgramBasis& basis : forged.program->unreachable)
    pairs += std::erase_if(basis.minimal, is_pair);
  ASSERT_GT(pairs, 0u) << "the lemma should be about two threads";
  EXPECT_NE(status_of(task, forged), answer::EvidenceStatus::Confirmed) << "without pairs";
  EXPECT_NE(status_of(locked_work(kOneByOne), *cutoff), answer::EvidenceStatus::Confirmed)
      << "of a program whose lock is not one";
}

/// Two threads can be anywhere together if the lock is taken in two steps.
TEST(ProgramCutoffs, PairsThatMeetAreNotExcluded) {
  const model::ProgramTask task = locked_work(kOneByOne);
  const auto cutoff = confirmed_cutoff(task);
  ASSERT_TRUE(cutoff);
  EXPECT_EQ(naive_objection(task, *cutoff, 3), "");
  const auto flow = model::boolean::unfold(task.model);
  ASSERT_TRUE(flow);
  answer::ProgramBasis everything{{}, {}, model::boolean::Abstraction{}};
  everything.abstraction->classes.assign(flow->nodes.size(), 0);
  const answer::ThreadCube anywhere{model::boolean::NodeId(0u), {}};
  everything.minimal.push_back({{}, {anywhere, anywhere}});
  answer::Cutoff forged = *cutoff;
  forged.program->unreachable = {everything};
  EXPECT_NE(status_of(task, forged), answer::EvidenceStatus::Confirmed)
      << "no two threads are ever there";
}

/// That fewer threads are not enough may be shown by exploring them, on a graph of one's choice.
TEST(ProgramCutoffs, FewerThreadsAreExploredOnTheGraphOfTheEvidence) {
  const model::ProgramTask task = locked_work(kTogether);
  const auto cutoff = confirmed_cutoff(task);
  ASSERT_TRUE(cutoff && cutoff->program->last);
  const auto flow = model::boolean::unfold(task.model);
  model::boolean::Abstraction whole;
  whole.shared = whole.local = ~model::boolean::Valuation();
  for (std::uint32_t i = 0; i <= flow->nodes.size(); ++i) whole.classes.push_back(i);
  const auto explored = [&](const model::boolean::Abstraction& graph) {
    answer::Cutoff out = *cutoff;
    for (answer::ProgramTooFew& proof : out.program->too_few) proof.basis = {{}, {}, graph};
    return out;
  };
  EXPECT_EQ(status_of(task, explored(whole)), answer::EvidenceStatus::Confirmed);
  model::boolean::Abstraction blind = whole;
  blind.shared = blind.local = {};
  EXPECT_NE(status_of(task, explored(blind)), answer::EvidenceStatus::Confirmed)
      << "if nothing is seen, fewer threads may be anywhere";
  answer::Cutoff easy = explored(whole);
  easy.program->last = {flow->start, {}, {}};
  EXPECT_NE(status_of(task, easy), answer::EvidenceStatus::Confirmed) << "one thread is there";
}

TEST(ProgramCutoffs, ThreadStatesAreReachedByEdgesOfTheHelpers) {
  const model::ProgramTask task = locked_work(kTogether);
  const auto cutoff = confirmed_cutoff(task);
  ASSERT_TRUE(cutoff && cutoff->threads > 1);
  ASSERT_EQ(cutoff->program->helpers.size(), cutoff->threads - 1);
  answer::Cutoff idle = *cutoff;
  for (auto& edges : idle.program->helpers) edges.clear();
  EXPECT_NE(status_of(task, idle), answer::EvidenceStatus::Confirmed) << "nobody helps";
  answer::Cutoff more = *cutoff;
  more.program->helpers.push_back(more.program->helpers.front());
  EXPECT_NE(status_of(task, more), answer::EvidenceStatus::Confirmed) << "one helper too many";
  answer::Cutoff nowhere = *cutoff;
  nowhere.program->helpers.front().emplace_back(1'000'000u);
  EXPECT_NE(status_of(task, nowhere), answer::EvidenceStatus::Confirmed) << "no such edge";
}

}  // namespace
}  // namespace heddle::test::program_cutoff_test
