/// Translations as engines: translate to the other kind of model, solve there, translate the answer
/// back. The harness compares the answers with the oracle and has the checker look at them.

#include "transform/translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "engine/backward/backward.hpp"
#include "support/agreement.hpp"
#include "support/model_kinds.hpp"
#include "support/random_models.hpp"
#include "support/sample.hpp"
#include "support/tiny_models.hpp"

namespace heddle::test::translation_test {
namespace {

/// Programs become thread systems, these become nets, and nets become thread systems.
model::AnyKind other_kind(const model::AnyTask& task) {
  const bool threads = std::holds_alternative<model::ThreadTask>(task);
  return threads ? model::AnyKind(model::Tag<model::PetriNet>())
                 : model::AnyKind(model::Tag<model::ThreadSystem>());
}

engine::Acceptance accepts(const model::AnyTask& task) {
  const auto translation = transform::translate(task, other_kind(task));
  if (!translation) return {translation.error()};
  return engine::find_engine("backward")->accepts(translation->translated);
}

/// With the options as the driver sets them for translated models.
answer::Verdict run(const model::AnyTask& task, engine::Options options,
                    base::RunContext& context) {
  options.of<engine::backward::BackwardOptions>().learn_invariants = false;
  const auto translation = transform::translate(task, other_kind(task));
  return translation->back(
      engine::find_engine("backward")->run(translation->translated, options, context));
}

/// To the other kind and back to the first, so that each translation undoes the other's work.
answer::Verdict run_twice(const model::AnyTask& task, const engine::Options& options,
                          base::RunContext& context) {
  const auto there = transform::translate(task, other_kind(task));
  return there->back(run(there->translated, options, context));
}

engine::Acceptance accepts_twice(const model::AnyTask& task) {
  const auto there = transform::translate(task, other_kind(task));
  if (!there) return {there.error()};
  return accepts(there->translated);
}

std::array<engine::EngineRow, 2> translating_engines() {
  engine::EngineRow once = *engine::find_engine("backward");
  once.name = "translated once";
  once.accepts = accepts;
  once.run = [](const model::AnyTask& task, const engine::Options& options,
                base::RunContext& context) { return run(task, options, context); };
  engine::EngineRow twice = once;
  twice.name = "translated twice";
  twice.accepts = accepts_twice;
  twice.run = run_twice;
  return {once, twice};
}

TruthLimits small_limits() {
  return {.counting = {.max_unbounded = 2, .max_total = 6, .max_configurations = 300}};
}

void expect_agreement(const Agreement& agreement) {
  std::cout << agreement.summary() << "\n";
  for (const std::string& conflict : agreement.conflicts()) ADD_FAILURE() << conflict;
  EXPECT_EQ(agreement.count(Outcome::Conflict), 0u);
  EXPECT_GT(agreement.count(Outcome::Agree), 10 * agreement.count(Outcome::Unknown));
}

template <class Generate>
Agreement play(unsigned cases, std::uint64_t first_seed, Generate generate) {
  const auto engines = translating_engines();
  Agreement agreement(engines, small_limits());
  for (unsigned i = 0; i < random_cases(cases); ++i) {
    Random random(first_seed + i);
    agreement.compare(generate(random));
  }
  return agreement;
}

TEST(Translations, AgreeOnRandomThreadSystems) {
  const Agreement agreement = play(300, 11'000'000, random_thread_task);
  expect_agreement(agreement);
}

TEST(Translations, AgreeOnRandomOrdinaryNets) {
  const NetFlavour flavour{.ordinary = true};
  const auto generate = [&](Random& random) { return random_net_task(random, flavour); };
  const Agreement agreement = play(50, 12'000'000, generate);
  expect_agreement(agreement);
  EXPECT_EQ(agreement.count(Outcome::Skipped), 0u);
}

TEST(Translations, AgreeOnRandomNetsWithResetsAndTransfers) {
  const auto generate = [](Random& random) { return random_net_task(random, {}); };
  expect_agreement(play(300, 13'000'000, generate));
}

TEST(Translations, AgreeOnRandomNetsWithFewTokens) {
  const NetFlavour flavour{.conserving = true};
  const auto generate = [&](Random& random) { return random_net_task(random, flavour); };
  expect_agreement(play(300, 14'000'000, generate));
}

TEST(Translations, AgreeOnRandomPrograms) {
  const auto kind = std::ranges::find(model_kinds(), "ProgramsThatCreateThreads", &ModelKind::name);
  const Agreement agreement = play(250, 15'000'000, kind->random);
  expect_agreement(agreement);
  EXPECT_GT(agreement.observed().at("translated once").verdicts.at("safe"), random_cases(20));
  EXPECT_GT(agreement.observed().at("translated once").verdicts.at("unsafe"), random_cases(20));
}

TEST(Translations, AgreeOnTinyModels) {
  const auto engines = translating_engines();
  Agreement agreement(engines, small_limits());
  Sample sample(500);
  const auto visit = [&](const TinyCase& tiny) {
    for (const auto& targets : tiny.targets)
      if (sample.next())
        agreement.compare(model::CountingTask{tiny.model, {tiny.initial, targets}});
  };
  for_each_tiny_thread_system(visit);
  for_each_tiny_net(visit);
  expect_agreement(agreement);
}

}  // namespace
}  // namespace heddle::test::translation_test
