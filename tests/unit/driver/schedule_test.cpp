#include "driver/schedule.hpp"

#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <set>

#include "driver/task_class.hpp"
#include "driver/verify.hpp"
#include "unit/driver/fixtures.hpp"

namespace heddle::driver {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (const auto word : std::views::split(text, ' ')) out.emplace_back(std::string_view(word));
  return out;
}

TEST(Schedule, RowsNameEnginesOfTheRegistryOnceEach) {
  for (const ScheduleRow& row : schedule_table()) {
    std::set<std::string> seen;
    for (const std::string& engine : words_of(row.engines)) {
      EXPECT_NE(engine::find_engine(engine), nullptr) << row.task_class << ": " << engine;
      EXPECT_TRUE(seen.insert(engine).second) << row.task_class << ": " << engine;
    }
  }
}

TEST(Schedule, EveryClassHasOneRow) {
  std::set<std::string_view> seen;
  for (const ScheduleRow& row : schedule_table()) EXPECT_TRUE(seen.insert(row.task_class).second);
}

TEST(Schedule, AClassWithoutARowHasThatOfItsKind) {
  const ScheduleRow* row = find_schedule("Petri net, on Sundays");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->task_class, "Petri net");
  EXPECT_EQ(find_schedule("abacus, small"), nullptr);
}

TEST(Schedule, EnginesThatARowDoesNotNameComeLast) {
  std::vector<engine::EngineRow> engines(4);
  for (std::size_t i = 0; i < engines.size(); ++i)
    engines[i].name = std::array{"other", "second", "another", "first"}[i];
  const ScheduleRow row{"x", "first second third"};
  std::vector<std::string_view> names;
  for (const engine::EngineRow* engine : in_order(engines, &row)) names.push_back(engine->name);
  EXPECT_THAT(names, ElementsAre("first", "second", "other", "another"));
  EXPECT_EQ(in_order(engines, nullptr).front()->name, "other");
}

/// The engines of the registry, but none of them searches.
std::vector<engine::EngineRow> idle_engines() {
  std::vector<engine::EngineRow> rows(engine::registry().begin(), engine::registry().end());
  for (engine::EngineRow& row : rows)
    row.run = [](const model::AnyTask&, const engine::Options&,
                 base::RunContext&) -> answer::Verdict { return answer::Unknown{}; };
  return rows;
}

/// All that `verify` takes among our examples.
std::vector<std::string> example_files() {
  std::vector<std::string> out;
  const char* source = std::getenv("HEDDLE_SOURCE_DIR");
  if (source == nullptr) return out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(source) / "examples"))
    if (entry.is_regular_file()) out.push_back(entry.path().string());
  return out;
}

TEST(Schedule, EveryEngineIsNamedForEveryKindOfTaskThatItAccepts) {
  const std::vector<std::string> files = example_files();
  if (files.empty()) GTEST_SKIP() << "HEDDLE_SOURCE_DIR is not set: run this with ctest";
  const std::vector<engine::EngineRow> engines = idle_engines();
  const RealDisk disk;
  std::set<std::string> accepting;
  for (const std::string& file : files)
    for (const bool with_contexts : {false, true}) {
      VerifyRequest request;
      request.file = file;
      request.jobs = 2;
      if (with_contexts) request.question.contexts = 2;
      const auto answered = verify(disk, request, engines);
      if (!answered) continue;  // a property file, a README, a model without a question
      const answer::Report& report = answered->report;
      const ScheduleRow* row = find_schedule(report.task_class);
      ASSERT_NE(row, nullptr) << report.task_class;
      for (const answer::EngineRun& run : report.runs) {
        if (run.outcome == "not accepted") continue;
        EXPECT_THAT(words_of(row->engines), testing::Contains(run.engine))
            << file << ", " << report.task_class;
        accepting.insert(run.engine);
      }
    }
  EXPECT_EQ(accepting.size(), engines.size()) << "the examples should need every engine";
}

// ---- classes ----

TEST(TaskClass, OfThreadSystems) {
  auto task = std::get<model::ThreadTask>(one_step_task());
  EXPECT_EQ(task_class(task), "thread system, any number of threads, moves only, small");
  task.question.initial[0].bounds[0].upper = 1;
  EXPECT_EQ(task_class(task), "thread system, fixed threads, moves only, small");
  model::ThreadSystem& system = task.model;
  system.transitions.resize(100, system.transitions[0]);
  system.transitions[7].kind = model::StepKind::Transfer;
  system.transitions[8].kind = model::StepKind::Spawn;
  EXPECT_EQ(task_class(task), "thread system, any number of threads, broadcasts, medium");
}

TEST(TaskClass, OfNets) {
  model::PetriNet net;
  net.places = {"p", "q"};
  add_transition(net, "t", {{model::PlaceId(0u), 1}}, {{model::PlaceId(1u), 1}});
  model::NetTask task{net, {{{{}, {{model::PlaceId(0u), 1, 1}}}}, {}}};
  EXPECT_EQ(task_class(task), "Petri net, fixed start, plain, small");
  task.model.transitions[0].updates[0].sources.clear();
  task.question.contexts = 3;
  EXPECT_EQ(task_class(task), "Petri net, fixed start, resets or transfers, small, contexts");
}

/// Calls as given, in main.
model::ProgramTask program_that_calls(const std::string& callee, const std::string& label = {}) {
  model::boolean::Statement call;
  call.kind = model::boolean::StatementKind::Call;
  call.callee = callee;
  if (!label.empty()) call.labels = {label};
  model::boolean::Statement loop;
  loop.kind = model::boolean::StatementKind::While;
  loop.blocks = {{call}};
  model::boolean::Procedure main;
  main.name = "main";
  main.body = {loop};
  model::boolean::Procedure other;
  other.name = "other";
  return {model::BooleanProgram{{}, {main, other}}, {{{1, base::Integer(1)}}, {}}};
}

TEST(TaskClass, OfPrograms) {
  EXPECT_EQ(task_class(program_that_calls("other")),
            "Boolean program, one thread, without recursion, small");
  model::ProgramTask task = program_that_calls("main");
  EXPECT_EQ(task_class(task), "Boolean program, one thread, recursive, small");
  task.question.initial[0] = {2, base::Integer(2)};
  EXPECT_THAT(task_class(task), StartsWith("Boolean program, several threads, recursive"));
  task.question.initial[0].most.reset();
  EXPECT_THAT(task_class(task), StartsWith("Boolean program, any number of threads"));
  EXPECT_THAT(task_class(program_that_calls("other", "ASYNC_1")),
              StartsWith("Boolean program, any number of threads"));
}

TEST(TaskClass, OfPushdownSystems) {
  model::PushdownSystem system;
  system.threads.resize(2);
  const model::VisibleState somewhere;
  EXPECT_EQ(task_class(model::PushdownTask{system, {{somewhere}, {somewhere}}}),
            "pushdown system, several threads, with target, small");
  system.threads.resize(1);
  EXPECT_EQ(task_class(model::PushdownTask{system, {{somewhere}, {}}}),
            "pushdown system, one thread, without target, small");
}

}  // namespace
}  // namespace heddle::driver
