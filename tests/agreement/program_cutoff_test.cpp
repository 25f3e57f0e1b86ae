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

namespace heddle::test {
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

}  // namespace
}  // namespace heddle::test
