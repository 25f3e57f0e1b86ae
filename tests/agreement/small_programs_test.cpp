/// All small Boolean programs: whatever computes steps must say about failures what the one step
/// function of model/boolean_program/semantics.hpp says, explored naively.

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <optional>

#include "base/diagnostic.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/error_label.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/pass_over.hpp"
#include "model/boolean_program/semantics.hpp"
#include "support/sample.hpp"
#include "support/small_programs.hpp"

namespace heddle::test {
namespace {

using model::BooleanProgram;
using model::boolean::Flow;
using model::boolean::SearchResult;
using model::boolean::Semantics;

BooleanProgram small_program(const std::string& text) {
  auto file = frontend::find_format("bp")->parse({"small.bp", text});
  if (!file) throw std::invalid_argument(base::render(file.error()) + text);
  return std::get<BooleanProgram>(std::move(file->model));
}

/// Failing or not, where that is known.
std::optional<bool> decided(bool fails, bool exact) {
  return fails || exact ? std::optional(fails) : std::nullopt;
}

std::optional<bool> decided(const SearchResult& result) {
  return decided(result.fails, result.exact);
}

std::optional<bool> decided(const model::boolean::RunResult& result) {
  return decided(result.failure.has_value(), result.exact);
}

struct SmallScore {
  std::size_t programs = 0, failing = 0, safe = 0, graphs = 0, decided = 0;
};

void expect_same(const std::optional<bool>& meaning, const std::optional<bool>& other,
                 const std::string& what, const std::string& text, SmallScore& score) {
  ++score.graphs;
  if (!meaning || !other) return;
  ++score.decided;
  EXPECT_EQ(*other, *meaning) << what << " (1: can fail)\n" << text;
}

/// The flow graphs of a program, with calls unfolded and kept, for one thread and for two.
void compare_graphs(const std::string& text, SmallScore& score) {
  const BooleanProgram program = small_program(text);
  const Semantics semantics(program);
  const auto step_by_step = model::boolean::unfold_step_by_step(program);
  const auto unfolded = model::boolean::unfold(program);
  const auto kept = model::boolean::keep_calls(program);
  ++score.programs;
  for (const std::size_t threads : {1U, 2U}) {
    const std::string many = std::to_string(threads) + " threads";
    constexpr std::size_t kStates = 400;
    const auto meaning = decided(
        search(semantics, threads, {.max_threads = 3, .max_depth = 4, .max_states = kStates}));
    if (meaning) ++(*meaning ? score.failing : score.safe);
    const model::boolean::RunLimits limits{.max_threads = 3, .max_states = kStates};
    if (step_by_step)
      expect_same(meaning, decided(explore(*step_by_step, threads, limits)),
                  "unfolded, step by step, " + many, text, score);
    if (unfolded)
      expect_same(meaning, decided(explore(*unfolded, threads, limits)), "unfolded, " + many, text,
                  score);
    if (!kept) continue;
    expect_same(meaning, decided(explore(*kept, threads, limits)), "calls kept, " + many, text,
                score);
    for (const std::size_t rounds : {1U, 2U})
      expect_same(
          decided(search_rounds(semantics, threads, rounds,
                                {.max_threads = 3, .max_depth = 4, .max_states = kStates})),
          decided(explore_rounds(*kept, threads, rounds, {.max_depth = 4, .max_states = kStates})),
          "calls kept, " + many + ", rounds: " + std::to_string(rounds), text, score);
  }
}

/// A label instead of the program's own failures, in the graphs and written as the error label.
void compare_labelled(const std::string& text, SmallScore& score) {
  BooleanProgram program = small_program(text);
  program.failure_labels = {"B"};
  const BooleanProgram marked = model::boolean::with_error_label(program);
  constexpr model::boolean::SearchLimits kLimits{
      .max_threads = 3, .max_depth = 4, .max_states = 400};
  const auto meaning = decided(search(Semantics(program), 2, kLimits));
  if (meaning) ++(*meaning ? score.failing : score.safe);
  ++score.programs;
  expect_same(meaning, decided(search(Semantics(marked), 2, kLimits)), "marked", text, score);
  const model::boolean::RunLimits limits{.max_threads = 3, .max_states = 400};
  if (const auto flow = model::boolean::unfold(program))
    expect_same(meaning, decided(explore(*flow, 2, limits)), "unfolded", text, score);
  if (const auto flow = model::boolean::keep_calls(program))
    expect_same(meaning, decided(explore(*flow, 2, limits)), "calls kept", text, score);
}

/// Of each number of statements a sample of this size, unless everything is asked for.
SmallScore compare_all(const SmallTheme& theme, std::size_t of_each_size,
                       const std::function<void(const std::string&, SmallScore&)>& compare) {
  SmallScore score;
  for (std::size_t n = 0; n <= theme.most; ++n) {
    std::size_t all = 0;
    for_each_small_program(theme, n, [&](const std::string&) { ++all; });
    Sample sample(static_cast<unsigned>(1 + all / of_each_size));
    for_each_small_program(theme, n, [&](const std::string& text) {
      if (sample.next() && !testing::Test::HasFailure()) compare(text, score);
    });
  }
  std::cout << score.programs << " programs, of the questions about them " << score.failing
            << " can fail and " << score.safe << " cannot; " << score.decided << " of "
            << score.graphs << " comparisons decided\n";
  return score;
}

class SmallPrograms : public testing::TestWithParam<SmallTheme> {};

TEST_P(SmallPrograms, FlowGraphsMeanTheSame) {
  const SmallScore score = compare_all(GetParam(), 2'000, compare_graphs);
  EXPECT_TRUE(are_enough(score.failing, 100));
  EXPECT_TRUE(are_enough(score.safe, 100));
  EXPECT_GT(score.decided, score.graphs / 2);
}

TEST_P(SmallPrograms, LabelsMeanTheSame) {
  const SmallScore score =
      compare_all(GetParam(), 500, [](const std::string& text, SmallScore& labelled) {
        if (text.contains("B:")) compare_labelled(text, labelled);
      });
  EXPECT_TRUE(are_enough(score.failing, 100));
  EXPECT_TRUE(are_enough(score.safe, 20));
}

TEST(KeptSmallPrograms, MeanTheSame) {
  SmallScore score;
  for (const std::string& text : kept_small_programs()) compare_graphs(text, score);
}

std::string name_of_theme(const testing::TestParamInfo<SmallTheme>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Themes, SmallPrograms, testing::ValuesIn(small_themes()), name_of_theme);

}  // namespace
}  // namespace heddle::test
