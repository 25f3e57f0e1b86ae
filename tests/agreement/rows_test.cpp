/// What an engine's row says against what the engine does, on models of every kind: its evidence,
/// its options, what it proves and refutes, whether it always answers and whether it counts
/// contexts. Both ways: a row says neither more nor less.

#include <gtest/gtest.h>

#include <set>

#include "support/agreement.hpp"
#include "support/conformance_models.hpp"
#include "support/model_kinds.hpp"
#include "support/sample.hpp"
#include "support/shrink.hpp"
#include "support/threads_task.hpp"

namespace heddle::test::rows_test {
namespace {

using answer::Verdict;
using engine::EngineRow;
using engine::OptionRow;
using Task = model::AnyTask;

constexpr std::uint64_t kSteps = 500;
constexpr unsigned kCases = 30;

/// Models of every kind, long ones among them.
const std::vector<Task>& tasks() {
  static const std::vector<Task> all = [] {
    std::vector<Task> out;
    for (const ConformanceModel& model : conformance_models()) out.push_back(model.task);
    for (const ModelKind& kind : model_kinds())
      for (unsigned i = 0; i < kCases; ++i) {
        Random random(50'000'000 + i);
        out.push_back(kind.random(random));
      }
    // A thread fails in its second turn, and has one.
    model::ProgramTask twice = threads_task(
        "decl x := 0, y := 0;\n"
        "void main() begin\n"
        "  if (*) then x := 1; assume(y); assert(0); else assume(x); y := 1; fi;\n"
        "end\n",
        1);
    twice.question.initial[0] = {2, base::Integer(2)};
    out.push_back(twice);
    return out;
  }();
  return all;
}

/// All that can be seen of a run.
struct Behaviour {
  Verdict verdict;
  std::vector<std::pair<std::string, double>> figures;
  std::uint64_t steps;
  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

Behaviour run(const EngineRow& engine, const engine::Options& options, const Task& task) {
  base::Limits limits;
  limits.steps = kSteps;
  base::RunContext context(limits);
  Verdict verdict = engine.run(task, options, context);
  return {std::move(verdict), context.statistics().entries(), context.steps()};
}

/// The values that the option has, in the order of the table.
std::vector<engine::Options> settings_of(const OptionRow& option) {
  std::vector<engine::Options> out;
  const std::string_view values = option.values;
  for (std::size_t begin = 0; begin <= values.size();) {
    const std::size_t end = std::min(values.find('|', begin), values.size());
    out.emplace_back();
    EXPECT_TRUE(option.set(out.back(), values.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

class Rows : public testing::TestWithParam<EngineRow> {
 protected:
  /// Every task that the engine takes, with the run that it makes of it.
  template <class Visit>
  void for_each_run(Visit visit) const {
    const EngineRow& row = GetParam();
    for (const Contestant& contestant : contestants({&row, 1}))
      for (const Task& task : tasks())
        if (row.accepts(task).yes()) visit(task, run(row, contestant.options, task).verdict);
  }
};

TEST_P(Rows, SayWhichVerdictsAndWhichEvidenceThereAre) {
  const EngineRow& row = GetParam();
  std::set<std::string_view> evidence, verdicts;
  bool gives_up = false;
  bool bounds_contexts = false;  // a bound on threads may be the program's own
  for_each_run([&](const Task& task, const Verdict& verdict) {
    if (model::contexts_of(task) && !row.counts_contexts) return;
    verdicts.insert(verdict_name(verdict));
    if (answer::is_definite(verdict)) evidence.insert(answer::evidence_kind(verdict));
    const auto* bounded = std::get_if<answer::SafeUpTo>(&verdict);
    bounds_contexts |= bounded && bounded->bound.what == answer::BoundKind::Contexts;
    const auto* unknown = std::get_if<answer::Unknown>(&verdict);
    gives_up |= unknown && unknown->reason != answer::UnknownReason::StepLimit;
  });
  EXPECT_EQ(evidence, std::set(row.evidence.begin(), row.evidence.end()));
  EXPECT_EQ(verdicts.contains("safe"), row.proves);
  EXPECT_EQ(verdicts.contains("unsafe"), row.refutes);
  EXPECT_TRUE(!bounds_contexts || row.counts_contexts);
  EXPECT_EQ(verdicts.contains("safe_up_to") || gives_up, !row.complete);
}

/// Some run depends on each option that is listed. (One that is not listed cannot matter: it is in
/// no struct that the engine gets.)
TEST_P(Rows, SayWhichOptionsMatter) {
  const EngineRow& row = GetParam();
  for (const OptionRow& option : row.options) {
    const std::vector<engine::Options> settings = settings_of(option);
    const bool matters = std::ranges::any_of(tasks(), [&](const Task& task) {
      if (!row.accepts(task).yes()) return false;
      const Behaviour first = run(row, settings.front(), task);
      return std::any_of(settings.begin() + 1, settings.end(), [&](const engine::Options& other) {
        return run(row, other, task) != first;
      });
    });
    EXPECT_TRUE(matters) << option.name;
  }
}

/// Users set an option once for all engines: it must mean the same everywhere.
TEST_P(Rows, OptionsOfOneNameAreAlike) {
  for (const OptionRow& option : GetParam().options) {
    const auto row = std::ranges::find(engine::option_table(), option.name, &OptionRow::name);
    ASSERT_NE(row, engine::option_table().end()) << option.name;
    EXPECT_EQ(row->values, option.values);
    EXPECT_EQ(row->standard, option.standard);
    EXPECT_TRUE(row->help.starts_with(option.help)) << row->help;
  }
}

/// Asked about a number of contexts, an engine that counts them gives traces within it. One that
/// does not goes beyond it somewhere, or its models have no contexts.
TEST_P(Rows, SayWhoCountsContexts) {
  const EngineRow& row = GetParam();
  unsigned within = 0, beyond = 0;
  for_each_run([&](const Task& task, const Verdict& verdict) {
    const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
    if (!unsafe || !model::contexts_of(task)) return;
    ++(naive_replay(task, unsafe->trace).empty() ? within : beyond);
  });
  if (row.counts_contexts) {
    EXPECT_GT(within, 0U);
    EXPECT_EQ(beyond, 0U);
  } else {
    EXPECT_TRUE(beyond > 0 || within == 0) << within << " traces within the bound";
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Rows,
                         testing::ValuesIn(engine::registry().begin(), engine::registry().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace heddle::test::rows_test
