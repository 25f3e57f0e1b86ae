#include "driver/what_to_change.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/integer.hpp"
#include "model/boolean_program/listed_threads.hpp"

namespace heddle::driver {

namespace {

using engine::EngineRow;
using model::AnyTask;

constexpr std::size_t kEnginesNamed = 3;
constexpr std::uint32_t kFewContexts = 2;

bool accepts(const EngineRow& engine, const AnyTask& task) {
  if (model::contexts_of(task) && !engine.counts_contexts) return false;
  return engine.accepts(task).yes();
}

/// `backward, concolic, cover and 2 others accept it`; nothing if none does.
std::optional<std::string> who_accepts(std::span<const EngineRow> engines, const AnyTask& task) {
  std::vector<std::string> names;
  for (const EngineRow& engine : engines)
    if (accepts(engine, task)) names.emplace_back(engine.name);
  if (names.empty()) return std::nullopt;
  std::string out;
  const std::size_t named = std::min(names.size(), kEnginesNamed);
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i + 1 == names.size();
    out += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
  }
  if (names.size() > named) out += " and " + base::counted(names.size() - named, "other");
  return out + (names.size() == 1 ? " accepts it then" : " accept it then");
}

/// A change of the options, and the task with it.
struct Change {
  std::string words;
  AnyTask task;
};

AnyTask with_contexts(AnyTask any, std::optional<std::uint32_t> contexts) {
  std::visit([&](auto& task) { task.question.contexts = contexts; }, any);
  return any;
}

std::vector<Change> changes(const AnyTask& any) {
  std::vector<Change> out;
  if (model::contexts_of(any)) out.push_back({"leave out --contexts", with_contexts(any, {})});
  if (const auto* task = std::get_if<model::ProgramTask>(&any)) {
    model::ProgramTask one = *task;
    one.question.initial = {{1, base::Integer(1)}};
    if (one.question.initial != task->question.initial)
      out.push_back({model::boolean::lists_threads(task->model) ? "leave out --threads"
                                                                : "give --threads a number",
                     one});
  }
  if (!model::contexts_of(any))
    out.push_back({"give a bound with --contexts", with_contexts(any, kFewContexts)});
  return out;
}

/// What the first engine says that is written for this kind of model, or else the first one.
std::string refusal(const AnyTask& task, std::span<const EngineRow> engines) {
  if (engines.empty()) return "no engine is left";
  const auto is_for_kind = [&](const EngineRow& engine) {
    return std::ranges::find(engine.kinds, model::kind_of(task)) != engine.kinds.end();
  };
  const auto found = std::ranges::find_if(engines, is_for_kind);
  const EngineRow& engine = found == engines.end() ? engines.front() : *found;
  return std::string(engine.name) + " does not accept it: " +
         engine.accepts(task).refusal.value_or("--contexts is not supported");
}

}  // namespace

std::string what_to_change(const AnyTask& task, std::span<const EngineRow> engines,
                           std::span<const EngineRow> all) {
  if (engines.size() < all.size())
    if (const auto who = who_accepts(all, task)) return "leave out --engine: " + *who;
  for (const Change& change : changes(task))
    if (const auto who = who_accepts(engines, change.task)) return change.words + ": " + *who;
  return refusal(task, engines);
}

}  // namespace heddle::driver
