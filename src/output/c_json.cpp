#include "output/c_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/c/run_story.hpp"
#include "output/json_parts.hpp"

namespace heddle::output {

namespace {

namespace c = model::c;
using nlohmann::ordered_json;

/// Adds `file`, `line` and `column`; null where a step belongs to no line.
void add_position(const c::Program& program, const c::Position& position, ordered_json& object) {
  const bool is_known = position.line != 0 && position.file < program.files.size();
  object["file"] = is_known ? ordered_json(program.files[position.file]) : ordered_json(nullptr);
  object["line"] = is_known ? ordered_json(position.line) : ordered_json(nullptr);
  object["column"] = is_known ? ordered_json(position.column) : ordered_json(nullptr);
}

ordered_json change_json(const c::StoryChange& change) {
  return {{"variable", change.name},
          {"type", text_or_null(change.type)},
          {"thread", change.owner ? ordered_json(*change.owner) : ordered_json(nullptr)},
          {"before", change.before},
          {"after", change.after}};
}

ordered_json step_json(const c::Program& program, SourceLines& lines, const c::StoryStep& step) {
  ordered_json out = {{"thread", step.number}, {"name", step.thread}, {"function", step.function}};
  add_position(program, step.position, out);
  out["text"] = lines.trimmed(step.position);
  out["events"] = step.events;
  out["changes"] = ordered_json::array();
  for (const c::StoryChange& change : step.changes) out["changes"].push_back(change_json(change));
  out["locks"] = step.locks;
  out["overflowed"] = step.overflowed;
  return out;
}

ordered_json access_json(const c::Program& program, const c::StoryAccess& access) {
  ordered_json out = {{"name", access.thread}, {"access", access.is_write ? "write" : "read"}};
  add_position(program, access.position, out);
  out["locks"] = access.locks;
  return out;
}

ordered_json violation_json(const c::Program& program, const c::Story& story) {
  ordered_json out = {{"kind", to_string(story.violation.kind)},
                      {"what", text_or_null(story.violation.what)}};
  add_position(program, story.violation.position, out);
  if (!story.waits.empty()) {
    out["waits"] = ordered_json::array();
    for (const c::StoryWait& wait : story.waits) {
      ordered_json waits = {{"name", wait.thread}, {"what", wait.what}};
      add_position(program, wait.position, waits);
      out["waits"].push_back(std::move(waits));
    }
  }
  if (story.violation.kind == c::Violation::Kind::Lasso) {
    out["loop_steps"] = std::ranges::count_if(story.steps, &c::StoryStep::is_in_loop);
  }
  out["race"] = nullptr;
  if (story.race)
    out["race"] = {{"variable", story.race->variable},
                   {"type", text_or_null(story.race->type)},
                   {"first", access_json(program, story.race->first)},
                   {"second", access_json(program, story.race->second)}};
  return out;
}

}  // namespace

ordered_json c_run_json(const model::CTask& task, const c::Run& run,
                        std::span<const SourceFile> sources) {
  const c::Interpreter interpreter(task.model);
  const c::Story story = c::tell(interpreter, run);
  SourceLines lines(task.model, sources);
  ordered_json steps = ordered_json::array();
  for (const c::StoryStep& step : story.steps) steps.push_back(step_json(task.model, lines, step));
  return {{"steps", std::move(steps)}, {"violation", violation_json(task.model, story)}};
}

}  // namespace heddle::output
