/// Programs with as many variables as there may be: every engine's verdict, its evidence written to
/// JSON and read again, and the check of what was read.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "frontend/frontend.hpp"
#include "transform/translation.hpp"

namespace heddle::test::wide_programs_test {
namespace {

using answer::Verdict;
using Task = model::ProgramTask;

std::string list(const std::string& name, unsigned first, unsigned end, const std::string& value) {
  std::string out;
  for (unsigned i = first; i < end; ++i)
    out += (out.empty() ? "" : ", ") + name + std::to_string(i) + value;
  return out;
}

/// The first shared variable is copied over the edge of a word to the last one and from there to
/// the last local one. Is it lost on the way? So the assertion says, if it is `broken`.
std::string relay(unsigned shared, unsigned local, bool broken) {
  const std::string last = "v" + std::to_string(shared - 1);
  const std::string deep = "x" + std::to_string(local - 1);
  return "decl v0 := 1, " + list("v", 1, shared, " := 0") + ";\nvoid main() begin\n  decl " +
         list("x", 0, local, " := 0") + ";\n  v63 := v0; v64 := v63;\n  " + last + " := v64;\n  " +
         deep + " := " + last + ";\n  assert(" + (broken ? "!" : "") + deep +
         ");\n  assert(v63 & v64 & " + last + ");\nend\n";
}

Task wide_task(const std::string& text) {
  auto file = frontend::boolean_program::parse({"relay.bp", text});
  EXPECT_TRUE(file) << text;
  Task task{std::move(file->model), {}};
  task.question.initial = {{1, base::Integer(1)}};
  task.question.targets = {{}};
  return task;
}

/// The verdict after a journey through text.
std::string confirmed(const Task& task, const Verdict& verdict) {
  const auto read = answer::verdict_from_json(answer::verdict_to_json(verdict),
                                              model::Tag<model::BooleanProgram>());
  EXPECT_TRUE(read) << read.error();
  base::RunContext unlimited;
  const auto checked = check::check(task, *read, unlimited);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed) << checked.why;
  return std::string(answer::verdict_name(*read));
}

struct Width {
  unsigned shared, local;
};

class WidePrograms : public testing::TestWithParam<Width> {};

TEST_P(WidePrograms, AllEnginesGiveEvidenceThatSurvivesBeingWritten) {
  for (const bool broken : {false, true}) {
    const Task task = wide_task(relay(GetParam().shared, GetParam().local, broken));
    const std::string expected = broken ? "unsafe" : "safe";
    for (const auto* engine : {"sequential", "context-lazy", "context-joint", "onthefly"}) {
      SCOPED_TRACE(engine);
      base::RunContext context;
      EXPECT_EQ(confirmed(task, engine::find_engine(engine)->run(task, {}, context)), expected);
    }
    const auto threads = transform::translate(task, model::Tag<model::ThreadSystem>());
    ASSERT_TRUE(threads);
    base::RunContext context;
    const Verdict verdict = engine::find_engine("backward")->run(threads->translated, {}, context);
    EXPECT_EQ(confirmed(task, threads->back(verdict)), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, WidePrograms,
                         testing::Values(Width{65, 2}, Width{100, 65}, Width{128, 128}));

TEST(WidePrograms, OneVariableMoreIsRefusedByName) {
  const auto why = [](unsigned shared, unsigned local, std::string_view engine) {
    const Task task = wide_task(relay(shared, local, false));
    return engine::find_engine(engine)->accepts(task).refusal.value_or("");
  };
  for (const auto* engine : {"sequential", "context-lazy", "context-joint", "onthefly"}) {
    EXPECT_EQ(why(128, 128, engine), "");
    EXPECT_EQ(why(129, 128, engine), "it has more than 128 shared variables");
    EXPECT_EQ(why(128, 129, engine),
              "it has more than 128 local variables, those of callers included");
  }
}

}  // namespace
}  // namespace heddle::test::wide_programs_test
