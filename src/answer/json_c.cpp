/// Runs of C programs and evidence about them, as JSON. Words that a run chooses are 64-bit, so
/// they are exact integers: decimal strings above 2^53.

#include <nlohmann/json.hpp>
#include <span>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;
namespace c = model::c;

namespace {

json words_to_json(const std::vector<std::uint64_t>& words) {
  json list = json::array();
  for (const std::uint64_t word : words)
    list.push_back(integer_to_json(base::Integer(std::to_string(word))));
  return list;
}

std::uint64_t word_from_json(const JsonNode& node) {
  const base::Integer value = node.count();
  if (value > base::Integer("18446744073709551615")) {
    node.fail("a word has at most 64 bits");
    return 0;
  }
  return std::stoull(base::to_string(value));
}

json step_to_json(const c::RunStep& step) {
  json object = {{"thread", step.thread.value}, {"instructions", step.instructions}};
  if (!step.choices.empty()) object["choices"] = words_to_json(step.choices);
  return object;
}

c::RunStep c_step_from_json(const JsonNode& node) {
  node.expect_fields({"thread", "instructions"}, {"choices"});
  c::RunStep step;
  step.thread = c::ThreadId(node.field("thread").number());
  step.instructions = node.field("instructions").number();
  if (!node.has("choices")) return step;
  const JsonNode choices = node.field("choices");
  for (std::size_t i = 0; i < choices.size(); ++i)
    step.choices.push_back(word_from_json(choices.item(i)));
  return step;
}

/// By kind.
constexpr std::string_view kViolationNames[] = {
    "failure",        "invalid_access", "invalid_free",     "double_free", "lost_memory",
    "unfreed_memory", "overflow",       "division_by_zero", "deadlock",    "data_race",
    "blocked",        "lasso",          "unsupported"};

static_assert(std::size(kViolationNames) ==
              static_cast<std::size_t>(c::Violation::Kind::Unsupported) + 1);

json violation_to_json(const c::Violation& violation) {
  return {{"kind", kViolationNames[static_cast<std::size_t>(violation.kind)]},
          {"what", violation.what},
          {"thread", violation.thread.value},
          {"file", violation.position.file},
          {"line", violation.position.line},
          {"column", violation.position.column}};
}

c::Violation violation_from_json(const JsonNode& node) {
  node.expect_fields({"kind", "what", "thread", "file", "line", "column"});
  c::Violation violation;
  violation.kind =
      static_cast<c::Violation::Kind>(node.field("kind").one_of(std::span(kViolationNames)));
  violation.what = node.field("what").name();
  violation.thread = c::ThreadId(node.field("thread").number());
  violation.position = {node.field("file").number(), node.field("line").number(),
                        node.field("column").number()};
  return violation;
}

}  // namespace

json run_to_json(const c::Run& run) {
  json steps = json::array();
  for (const c::RunStep& step : run.steps) steps.push_back(step_to_json(step));
  json object = {{"steps", std::move(steps)}, {"violation", violation_to_json(run.violation)}};
  if (run.loop_steps != 0) object["loop_steps"] = run.loop_steps;
  return object;
}

c::Run c_run_from_json(const JsonNode& node) {
  node.expect_fields({"steps", "violation"}, {"loop_steps"});
  c::Run run;
  const JsonNode steps = node.field("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const JsonNode item = steps.item(i);
    run.steps.push_back(c_step_from_json(item));
  }
  run.violation = violation_from_json(node.field("violation"));
  if (node.has("loop_steps")) run.loop_steps = node.field("loop_steps").number();
  return run;
}

json to_fields(const Exploration& exploration) { return {{"states", exploration.states}}; }

void read_fields(const JsonNode& node, Exploration& exploration) {
  node.expect_fields({"kind", "states"});
  exploration.states = word_from_json(node.field("states"));
}

}  // namespace heddle::answer
