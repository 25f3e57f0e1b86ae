/// All small Boolean programs, or a sample of them: every engine that accepts one, and every
/// translation with an engine behind it, must say about failures what the one step function of
/// model/boolean_program/semantics.hpp says, explored naively; and every answer must be confirmed.

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <optional>

#include "base/diagnostic.hpp"
#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "model/boolean_program/error_label.hpp"
#include "model/boolean_program/listed_threads.hpp"
#include "model/boolean_program/semantics.hpp"
#include "support/sample.hpp"
#include "support/small_programs.hpp"
#include "transform/sequential_program.hpp"
#include "transform/translation.hpp"

namespace heddle::test::small_program_answers_test {
namespace {

using answer::Verdict;
using model::BooleanProgram;
using Task = model::ProgramTask;
using model::boolean::Semantics;

constexpr std::uint64_t kMostSteps = 4'000;
constexpr std::uint32_t kRounds = 2;
constexpr model::boolean::SearchLimits kSearchLimits{
    .max_threads = 3, .max_depth = 4, .max_states = 1'000};

Task small_task(BooleanProgram program, unsigned threads,
                const std::optional<std::uint32_t>& rounds) {
  Task task{std::move(program), {}};
  task.question.initial = {{base::Integer(threads), base::Integer(threads)}};
  task.question.targets = {{}};
  task.question.contexts = rounds;
  task.question.labels = task.model.failure_labels;
  return task;
}

/// What the answers to one question are compared with.
class Meaning {
 public:
  explicit Meaning(const Task& task, unsigned threads)
      : semantics_(task.model), threads_(threads) {}

  /// Can it fail, within so many rounds? Nothing if that is not known.
  std::optional<bool> fails(const std::optional<std::uint32_t>& rounds) {
    const auto [it, fresh] = known_.try_emplace(rounds.value_or(0));
    if (fresh) {
      const auto found = rounds ? search_rounds(semantics_, threads_, *rounds, kSearchLimits)
                                : search(semantics_, threads_, kSearchLimits);
      if (found.fails || found.exact) it->second = found.fails;
    }
    return it->second;
  }

 private:
  Semantics semantics_;
  unsigned threads_;
  std::map<std::uint32_t, std::optional<bool>> known_;
};

class AnswerContest {
 public:
  void play(const std::string& text, const std::vector<std::string>& failure_labels = {}) {
    auto file = frontend::boolean_program::parse({"small.bp", text});
    if (!file) throw std::invalid_argument(base::render(file.error()) + text);
    BooleanProgram program = std::move(file->model);
    program.failure_labels = failure_labels;
    const bool listed = model::boolean::lists_threads(program);
    for (const unsigned threads : {1U, 2U}) {
      if (listed && threads > 1) continue;
      for (const std::optional<std::uint32_t> rounds :
           {std::optional<std::uint32_t>(), std::optional(kRounds)})
        ask(small_task(program, threads, rounds), threads, text);
    }
  }

  /// How many answers each contestant gave.
  const std::map<std::string, unsigned>& answers() const { return answers_; }

 private:
  void ask(const Task& task, unsigned threads, const std::string& text) {
    Meaning meaning(task, threads);
    for (const engine::EngineRow& engine : engine::registry()) {
      const bool bounded = task.question.contexts.has_value();
      // Those that never close would play all the rounds that they have time for.
      const bool endless = engine.name == "context-lazy" || engine.name == "context-eager";
      if (bounded ? !engine.counts_contexts : endless) continue;
      if (!engine.accepts(task).yes()) continue;
      compare(task, verdict_of(engine, task), std::string(engine.name), text, meaning);
    }
    ask_via(task, model::Tag<model::PushdownSystem>(), "pushdown", text, meaning);
    if (task.question.contexts) return ask_sequential(task, text, meaning);
    ask_via(task, model::Tag<model::ThreadSystem>(), "backward", text, meaning);
    ask_via(task, model::Tag<model::PetriNet>(), "backward", text, meaning);
  }

  static Verdict verdict_of(const engine::EngineRow& engine, const model::AnyTask& task) {
    base::Limits limits;
    limits.steps = kMostSteps;
    base::RunContext context(limits);
    return engine.run(task, {}, context);
  }

  void ask_via(const Task& task, const model::AnyKind& kind, const std::string& engine,
               const std::string& text, Meaning& meaning) {
    const auto translation = transform::translate(task, kind);
    if (!translation) return;
    const engine::EngineRow& row = *engine::find_engine(engine);
    if (!row.accepts(translation->translated).yes()) return;
    const std::string name =
        std::visit(base::Overloaded{[](model::Tag<model::ThreadSystem>) { return "threads"; },
                                    [](model::Tag<model::PetriNet>) { return "net"; },
                                    [](model::Tag<model::BooleanProgram>) { return "program"; },
                                    [](model::Tag<model::CProgram>) { return "C"; },
                                    [](model::Tag<model::PushdownSystem>) { return "pushdown"; }},
                   kind);
    compare(task, translation->back(verdict_of(row, translation->translated)),
            engine + " via " + name, text, meaning);
  }

  /// The sequential program fails if and only if the original does within the rounds.
  void ask_sequential(const Task& task, const std::string& text, Meaning& meaning) {
    auto sequential = transform::sequentialise_program(task);
    if (!sequential) return;
    const Task one = small_task(std::move(*sequential), 1, std::nullopt);
    const Verdict verdict = verdict_of(*engine::find_engine("sequential"), one);
    const bool fails = std::holds_alternative<answer::Unsafe>(verdict);
    if (!fails && !std::holds_alternative<answer::Safe>(verdict)) return;
    ++answers_["sequential program"];
    const auto expected = meaning.fails(task.question.contexts);
    EXPECT_EQ(fails, expected.value_or(fails)) << "sequential program\n" << text;
  }

  void compare(const Task& task, const Verdict& verdict, const std::string& who,
               const std::string& text, Meaning& meaning) {
    if (std::holds_alternative<answer::Unknown>(verdict)) return;
    ++answers_[who];
    base::RunContext unlimited;
    const auto checked = check::check(task, verdict, unlimited);
    const std::string what = who + ": " + std::string(answer::verdict_name(verdict)) + ", " +
                             model::initial_to_string(task.model, task.question.initial[0]) +
                             (task.question.contexts ? ", 2 rounds\n" : "\n") + text;
    EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why << ": " << what;
    std::optional<std::uint32_t> rounds = task.question.contexts;
    if (const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict))
      rounds = static_cast<std::uint32_t>(bounded->bound.value.get_ui());
    const bool fails = std::holds_alternative<answer::Unsafe>(verdict);
    EXPECT_EQ(fails, meaning.fails(rounds).value_or(fails)) << what;
  }

  std::map<std::string, unsigned> answers_;
};

class SmallProgramAnswers : public testing::TestWithParam<SmallTheme> {};

/// Visits about so many programs of each size.
void for_each_sampled(const SmallTheme& theme, std::size_t of_each_size,
                      const std::function<void(const std::string&)>& visit) {
  for (std::size_t n = 0; n <= theme.most; ++n) {
    std::size_t all = 0;
    for_each_small_program(theme, n, [&](const std::string&) { ++all; });
    Sample sample(static_cast<unsigned>(1 + all / of_each_size));
    for_each_small_program(theme, n, [&](const std::string& text) {
      if (sample.next() && !testing::Test::HasFailure()) visit(text);
    });
  }
}

TEST_P(SmallProgramAnswers, AreRight) {
  AnswerContest contest;
  for_each_sampled(GetParam(), 60, [&](const std::string& text) { contest.play(text); });
  for (const auto& [who, answers] : contest.answers()) std::cout << who << ": " << answers << "\n";
}

/// A label instead of the program's own failures.
TEST_P(SmallProgramAnswers, AboutLabelsAreRight) {
  AnswerContest contest;
  for_each_sampled(GetParam(), 20, [&](const std::string& text) {
    if (text.contains("B:")) contest.play(text, {"B"});
  });
}

/// Asked for by its name, the error label is the same as without, where no assertion counts.
TEST(KeptSmallPrograms, AnswersAreRight) {
  AnswerContest contest;
  for (const std::string& text : kept_small_programs()) {
    contest.play(text);
    if (text.contains("SLIC_ERROR")) contest.play(text, {"SLIC_ERROR"});
  }
  for (const char* who : {"onthefly", "sequential", "context-lazy", "context-eager",
                          "context-joint", "context-backward", "sequential program",
                          "backward via threads", "backward via net", "pushdown via pushdown"})
    EXPECT_GT(contest.answers().contains(who) ? contest.answers().at(who) : 0, 3U) << who;
}

std::string name_of_answers(const testing::TestParamInfo<SmallTheme>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Themes, SmallProgramAnswers, testing::ValuesIn(small_themes()),
                         name_of_answers);

}  // namespace
}  // namespace heddle::test::small_program_answers_test
