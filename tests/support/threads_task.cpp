#include "support/threads_task.hpp"

#include <gtest/gtest.h>

#include "base/diagnostic.hpp"
#include "check/check.hpp"
#include "engine/engine.hpp"
#include "frontend/boolean_program/format.hpp"
#include "model/boolean_program/interpreter.hpp"

namespace heddle::test {

namespace {

model::ProgramTask failing_task(const std::string& text, model::ThreadsInMain initial) {
  auto file = frontend::boolean_program::parse({"test.bp", text});
  if (!file) throw std::invalid_argument(base::render(file.error()) + text);
  model::ProgramTask task{std::move(file->model), {}};
  task.question.initial = {std::move(initial)};
  task.question.targets = {{}};
  return task;
}

}  // namespace

model::ProgramTask threads_task(const std::string& text, std::optional<std::uint32_t> rounds) {
  model::ProgramTask task = failing_task(text, {1, base::Integer(1)});
  task.question.contexts = rounds;
  return task;
}

model::ProgramTask any_threads_task(const std::string& text) {
  return failing_task(text, {0, std::nullopt});
}

answer::Verdict verdict_of(std::string_view engine, const model::ProgramTask& task,
                           std::optional<std::uint64_t> steps) {
  base::Limits limits;
  limits.steps = steps;
  base::RunContext context(limits);
  return engine::find_engine(engine)->run(task, {}, context);
}

std::optional<std::size_t> failing_rounds(std::string_view engine, const model::ProgramTask& task,
                                          const answer::Verdict& verdict, const std::string& text) {
  base::RunContext unlimited;
  const auto checked = check::check(task, verdict, unlimited);
  EXPECT_EQ(checked.status, answer::EvidenceStatus::Confirmed)
      << engine << ": " << verdict_name(verdict) << ": " << checked.why << "\n"
      << text;
  const auto* unsafe = std::get_if<answer::Unsafe>(&verdict);
  return unsafe ? std::optional(model::boolean::round_count(
                      std::get<answer::ProgramRun>(unsafe->trace).steps))
                : std::nullopt;
}

std::optional<std::size_t> failing_rounds(std::string_view engine, const model::ProgramTask& task,
                                          const std::string& text) {
  return failing_rounds(engine, task, verdict_of(engine, task), text);
}

std::optional<bool> oracle_agrees(const model::ProgramTask& task, bool fails) {
  const auto flow = model::boolean::keep_calls(task.model);
  const auto oracle = explore_rounds(flow.value(), 1, *task.question.contexts,
                                     {.max_depth = 5, .max_states = 3'000});
  if (oracle.failure) return fails;
  if (oracle.exact) return !fails;
  return std::nullopt;
}

}  // namespace heddle::test
