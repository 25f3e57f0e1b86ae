/// All small Boolean programs: whatever computes steps must say about failures what the one step
/// function of model/boolean_program/semantics.hpp says, explored naively.

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <optional>

#include "base/diagnostic.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/error_label.hpp"
#include "model/boolean_program/interpreter.hpp"
#include "model/boolean_program/semantics.hpp"
#include "model/boolean_program/silent_nodes.hpp"
#include "support/sample.hpp"
#include "support/small_programs.hpp"

namespace heddle::test::small_programs_test {
namespace {

using model::BooleanProgram;
using model::boolean::Flow;
using model::boolean::SearchResult;
using model::boolean::Semantics;

BooleanProgram small_program(const std::string& text) {
  auto file = frontend::boolean_program::parse({"small.bp", text});
  if (!file) throw std::invalid_argument(base::render(file.error()) + text);
  return std::move(file->model);
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

void collect_statements(const std::vector<model::boolean::Statement>& block,
                        std::vector<const model::boolean::Statement*>& out) {
  for (const auto& statement : block) {
    out.push_back(&statement);
    for (const auto& inner : statement.blocks) collect_statements(inner, out);
  }
}

/// A flow graph of a program in which only failures through one statement count. Every failure that
/// counts must be there. Of a return or wait, and while another thread is at a label, there may be
/// more of them (model/boolean_program/through.cpp), but none in a program that cannot fail.
void compare_through(const std::optional<bool>& meaning, const std::optional<bool>& all,
                     const std::optional<bool>& graph, bool may_have_more, const std::string& what,
                     SmallScore& score) {
  ++score.graphs;
  if (!graph || !meaning || !all) return;
  ++score.decided;
  if (may_have_more && *graph && !*meaning)
    EXPECT_TRUE(*all) << what;
  else
    EXPECT_EQ(*graph, *meaning) << what;
}

/// Failures through each of the statements.
void compare_visits(const std::string& text, bool has_labels, SmallScore& score) {
  using model::boolean::StatementKind;
  BooleanProgram program = small_program(text);
  if (has_labels) program.failure_labels = {"B"};
  std::vector<const model::boolean::Statement*> statements;
  for (const auto& procedure : program.procedures) collect_statements(procedure.body, statements);
  constexpr model::boolean::SearchLimits kLimits{
      .max_threads = 3, .max_depth = 4, .max_states = 400};
  const model::boolean::RunLimits limits{.max_threads = 3, .max_states = 400};
  const auto all = decided(search(Semantics(program), 2, kLimits));
  for (const model::boolean::Statement* s : statements) {
    program.through = {place_of(s->at)};
    const Semantics semantics(program);
    const auto meaning = decided(search(semantics, 2, kLimits));
    if (meaning) ++(*meaning ? score.failing : score.safe);
    ++score.programs;
    const bool more = has_labels || text.contains(model::boolean::kErrorLabel) ||
                      s->kind == StatementKind::Return || s->kind == StatementKind::Wait;
    const std::string what = "through line " + std::to_string(s->at.line) + ", column " +
                             std::to_string(s->at.column) + " of\n" + text;
    if (const auto flow = model::boolean::unfold(program))
      compare_through(meaning, all, decided(explore(*flow, 2, limits)), more, "unfolded " + what,
                      score);
    const auto kept = model::boolean::keep_calls(program);
    if (!kept) continue;
    compare_through(meaning, all, decided(explore(*kept, 2, limits)), more, "kept " + what, score);
    compare_through(decided(search_rounds(semantics, 2, 2, kLimits)), all,
                    decided(explore_rounds(*kept, 2, 2, {.max_depth = 4, .max_states = 400})), more,
                    "two rounds " + what, score);
  }
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

TEST_P(SmallPrograms, VisitsMeanTheSame) {
  const SmallScore score = compare_all(
      GetParam(), 200,
      [](const std::string& text, SmallScore& visits) { compare_visits(text, false, visits); });
  EXPECT_TRUE(are_enough(score.failing, 100));
  EXPECT_TRUE(are_enough(score.safe, 100));
  EXPECT_GT(score.decided, score.graphs / 2);
}

TEST_P(SmallPrograms, VisitsBeforeLabelsMeanTheSame) {
  const SmallScore score =
      compare_all(GetParam(), 200, [](const std::string& text, SmallScore& visits) {
        if (text.contains("B:")) compare_visits(text, true, visits);
      });
  EXPECT_GE(score.decided, score.graphs / 2);
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
}  // namespace heddle::test::small_programs_test
