#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

json flow_to_json(const model::PassiveFlow& flow) {
  return json::array({flow.from.value, flow.to.value, integer_to_json(flow.count)});
}

model::PassiveFlow flow_from_json(const JsonNode& node) {
  node.expect_size(3);
  return {model::LocalState(node.item(0).number()), model::LocalState(node.item(1).number()),
          node.item(2).count()};
}

NamedMove move_from_json(const JsonNode& node) {
  node.expect_size(2);
  return {ThreadId(node.item(0).number()), model::LocalState(node.item(1).number())};
}

}  // namespace

json step_to_json(const TraceStep& step) {
  json object = {{"transition", step.transition.value}};
  if (step.thread) object["thread"] = step.thread->value;
  for (const model::PassiveFlow& flow : step.flows) object["flows"].push_back(flow_to_json(flow));
  for (const NamedMove& move : step.chosen)
    object["chosen"].push_back(json::array({move.thread.value, move.to.value}));
  return object;
}

namespace {

TraceStep step_from_json(const JsonNode& node) {
  node.expect_fields({"transition"}, {"thread", "flows", "chosen"});
  TraceStep step;
  step.transition = model::TransitionId(node.field("transition").number());
  if (node.has("thread")) step.thread = ThreadId(node.field("thread").number());
  if (node.has("flows")) {
    const JsonNode flows = node.field("flows");
    for (std::size_t i = 0; i < flows.size(); ++i)
      step.flows.push_back(flow_from_json(flows.item(i)));
  }
  if (node.has("chosen")) {
    const JsonNode moves = node.field("chosen");
    for (std::size_t i = 0; i < moves.size(); ++i)
      step.chosen.push_back(move_from_json(moves.item(i)));
  }
  return step;
}

/// A block of one step that is run once is written as the step alone.
json block_to_json(const TraceBlock& block) {
  if (block.repetitions == 1 && block.body.size() == 1) return step_to_json(block.body.front());
  json body = json::array();
  for (const TraceStep& step : block.body) body.push_back(step_to_json(step));
  return {{"repeat", integer_to_json(block.repetitions)}, {"body", std::move(body)}};
}

TraceBlock block_from_json(const JsonNode& node) {
  if (!node.has("repeat")) return {1, {step_from_json(node)}};
  node.expect_fields({"repeat", "body"});
  const JsonNode repeat = node.field("repeat");
  TraceBlock block{repeat.count(), {}};
  if (block.repetitions == 0) repeat.fail("a block should be run at least once");
  const JsonNode body = node.field("body");
  for (std::size_t i = 0; i < body.size(); ++i) block.body.push_back(step_from_json(body.item(i)));
  return block;
}

}  // namespace

json run_to_json(const Trace& trace) {
  json steps = json::array();
  for (const TraceBlock& block : trace.blocks) steps.push_back(block_to_json(block));
  return {{"initial", configuration_to_json(trace.initial)}, {"steps", std::move(steps)}};
}

json run_to_json(const ProgramRun& run) { return {{"run", program_run_to_json(run)}}; }

json run_to_json(const PushdownRun& run) {
  json steps = json::array();
  for (const PushdownStep& step : run.steps)
    steps.push_back(step_to_json({step.rule, {}, step.thread, {}}));
  return {{"initial", visible_state_to_json(run.initial)}, {"steps", std::move(steps)}};
}

namespace {

Trace trace_from_json(const JsonNode& node) {
  node.expect_fields({"initial", "steps"});
  Trace trace{configuration_from_json(node.field("initial")), {}};
  const JsonNode steps = node.field("steps");
  for (std::size_t i = 0; i < steps.size(); ++i)
    trace.blocks.push_back(block_from_json(steps.item(i)));
  return trace;
}

AnyRun read_run(const JsonNode& node, model::Tag<model::ThreadSystem>) {
  return trace_from_json(node);
}

AnyRun read_run(const JsonNode& node, model::Tag<model::PetriNet>) { return trace_from_json(node); }

AnyRun read_run(const JsonNode& node, model::Tag<model::BooleanProgram>) {
  node.expect_fields({"run"});
  return program_run_from_json(node.field("run"));
}

AnyRun read_run(const JsonNode& node, model::Tag<model::PushdownSystem>) {
  node.expect_fields({"initial", "steps"});
  PushdownRun run{visible_state_from_json(node.field("initial")), {}};
  const JsonNode steps = node.field("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const JsonNode item = steps.item(i);
    item.expect_fields({"transition"}, {"thread"});
    PushdownStep step{model::TransitionId(item.field("transition").number())};
    if (item.has("thread")) step.thread = ThreadId(item.field("thread").number());
    run.steps.push_back(step);
  }
  return run;
}

AnyRun read_run(const JsonNode& node, model::Tag<model::CProgram>) { return c_run_from_json(node); }

}  // namespace

AnyRun run_from_json(const JsonNode& node, const model::AnyKind& kind) {
  return std::visit([&](const auto& tag) -> AnyRun { return read_run(node, tag); }, kind);
}

}  // namespace heddle::answer
