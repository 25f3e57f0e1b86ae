/// The JSON forms of evidence about Boolean programs (docs/evidence.md). Cubes are `[mask, value]`.

#include <nlohmann/json.hpp>

#include "answer/json.hpp"
#include "answer/json_groups.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using model::boolean::Abstraction;
using model::boolean::Cube;
using model::boolean::EdgeId;
using model::boolean::NodeId;
using model::boolean::State;
using model::boolean::Step;
using model::boolean::ThreadConfiguration;
using model::boolean::Valuation;
using nlohmann::json;

json values_to_json(const Valuation& values) {
  return integer_to_json((base::Integer(values.high_word()) << 64) + values.low_word());
}

Valuation values_from_json(const JsonNode& node) {
  const base::Integer number = node.count();
  const base::Integer high = number >> 64;
  const base::Integer low = number - (high << 64);
  if (!high.fits_ulong_p()) {
    node.fail("values of at most " + std::to_string(model::boolean::kMostVariables) +
              " variables are expected");
    return {};
  }
  return Valuation::Bits{high.get_ui()} << 64 | low.get_ui();
}

namespace {

json cube_to_json(const Cube& cube) {
  return json::array({values_to_json(cube.mask), values_to_json(cube.value)});
}

Cube cube_from_json(const JsonNode& node) {
  node.expect_size(2);
  const Cube cube{values_from_json(node.item(0)), values_from_json(node.item(1))};
  if ((cube.value & ~cube.mask) != 0) node.fail("a cube's value should lie within its mask");
  return cube;
}

json step_to_json(const Step& step) {
  json object = {{"thread", step.thread},
                 {"edge", step.edge.value},
                 {"shared", values_to_json(step.outcome.shared)},
                 {"local", values_to_json(step.outcome.local)}};
  if (step.outcome.child != 0) object["child"] = values_to_json(step.outcome.child);
  if (step.woken) object["woken"] = *step.woken;
  for (const auto& [thread, values] : step.others)
    object["others"].push_back(json::array({thread, values_to_json(values)}));
  return object;
}

Step step_from_json(const JsonNode& node) {
  node.expect_fields({"thread", "edge", "shared", "local"}, {"child", "woken", "others"});
  Step step;
  step.thread = node.field("thread").number();
  step.edge = EdgeId(node.field("edge").number());
  step.outcome.shared = values_from_json(node.field("shared"));
  step.outcome.local = values_from_json(node.field("local"));
  if (node.has("child")) step.outcome.child = values_from_json(node.field("child"));
  if (node.has("woken")) step.woken = node.field("woken").number();
  if (node.has("others")) {
    const JsonNode others = node.field("others");
    for (std::size_t i = 0; i < others.size(); ++i) {
      const JsonNode pair = others.item(i);
      pair.expect_size(2);
      step.others.emplace_back(pair.item(0).number(), values_from_json(pair.item(1)));
    }
  }
  return step;
}

json element_to_json(const ProgramElement& element) {
  json threads = json::array();
  for (const ThreadCube& thread : element.threads)
    threads.push_back(json::array({thread.node.value, cube_to_json(thread.values)}));
  return {{"shared", cube_to_json(element.shared)}, {"threads", std::move(threads)}};
}

ProgramElement element_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "threads"});
  ProgramElement element{cube_from_json(node.field("shared")), {}};
  const JsonNode threads = node.field("threads");
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const JsonNode thread = threads.item(i);
    thread.expect_size(2);
    element.threads.push_back({NodeId(thread.item(0).number()), cube_from_json(thread.item(1))});
  }
  return element;
}

json fact_to_json(const ThreadFact& fact) {
  return json::array({fact.node.value, cube_to_json(fact.shared), cube_to_json(fact.local)});
}

ThreadFact fact_from_json(const JsonNode& node) {
  node.expect_size(3);
  return {NodeId(node.item(0).number()), cube_from_json(node.item(1)),
          cube_from_json(node.item(2))};
}

json abstraction_to_json(const Abstraction& abstraction) {
  return {{"shared", values_to_json(abstraction.shared)},
          {"local", values_to_json(abstraction.local)},
          {"conditions", values_to_json(abstraction.conditions)},
          {"unseen_by_moves", values_to_json(abstraction.unseen_by_moves)},
          {"classes", abstraction.classes}};
}

Abstraction abstraction_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "local", "conditions", "unseen_by_moves", "classes"});
  Abstraction out{values_from_json(node.field("shared")),
                  values_from_json(node.field("local")),
                  values_from_json(node.field("conditions")),
                  values_from_json(node.field("unseen_by_moves")),
                  {}};
  const JsonNode classes = node.field("classes");
  for (std::size_t i = 0; i < classes.size(); ++i) out.classes.push_back(classes.item(i).number());
  return out;
}

}  // namespace

json program_run_to_json(const ProgramRun& run) {
  json threads = json::array();
  for (const ThreadConfiguration& thread : run.initial.threads)
    threads.push_back(json::array({thread.node.value, values_to_json(thread.values)}));
  json steps = json::array();
  for (const Step& step : run.steps) steps.push_back(step_to_json(step));
  json object = {{"shared", values_to_json(run.initial.shared)},
                 {"threads", std::move(threads)},
                 {"steps", std::move(steps)}};
  if (run.keeps_calls) object["calls"] = "kept";
  return object;
}

ProgramRun program_run_from_json(const JsonNode& node) {
  node.expect_fields({"shared", "threads", "steps"}, {"calls"});
  ProgramRun run;
  run.keeps_calls = node.has("calls") && node.field("calls").one_of({"unfolded", "kept"}) == 1;
  run.initial.shared = values_from_json(node.field("shared"));
  const JsonNode threads = node.field("threads");
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const JsonNode thread = threads.item(i);
    thread.expect_size(2);
    run.initial.threads.push_back(
        {NodeId(thread.item(0).number()), values_from_json(thread.item(1))});
  }
  const JsonNode steps = node.field("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) run.steps.push_back(step_from_json(steps.item(i)));
  return run;
}

json to_fields(const ProgramBasis& basis) {
  json minimal = json::array();
  for (const ProgramElement& element : basis.minimal) minimal.push_back(element_to_json(element));
  json facts = json::array();
  for (const ThreadFact& fact : basis.thread_states) facts.push_back(fact_to_json(fact));
  json object = {{"minimal", std::move(minimal)}, {"thread_states", std::move(facts)}};
  if (basis.abstraction) object["abstraction"] = abstraction_to_json(*basis.abstraction);
  return object;
}

void read_fields(const JsonNode& node, ProgramBasis& basis) {
  node.expect_fields({"kind", "minimal", "thread_states"}, {"abstraction"});
  const JsonNode minimal = node.field("minimal");
  for (std::size_t i = 0; i < minimal.size(); ++i)
    basis.minimal.push_back(element_from_json(minimal.item(i)));
  const JsonNode facts = node.field("thread_states");
  for (std::size_t i = 0; i < facts.size(); ++i)
    basis.thread_states.push_back(fact_from_json(facts.item(i)));
  if (node.has("abstraction")) basis.abstraction = abstraction_from_json(node.field("abstraction"));
}

json program_states_to_json(const ProgramThreadStates& states) {
  json helpers = json::array(), unreachable = json::array(), too_few = json::array();
  for (const std::vector<EdgeId>& edges : states.helpers) {
    json own = json::array();
    for (const EdgeId edge : edges) own.push_back(edge.value);
    helpers.push_back(std::move(own));
  }
  for (const ProgramBasis& basis : states.unreachable)
    unreachable.push_back(certificate_to_json(basis));
  for (const ProgramTooFew& proof : states.too_few)
    too_few.push_back({{"in_main", proof.in_main},
                       {"started", proof.started},
                       {"basis", certificate_to_json(proof.basis)}});
  json object = {{"nodes", diagram_nodes_to_json(states.nodes)},
                 {"reachable", states.reachable},
                 {"helpers", std::move(helpers)},
                 {"unreachable", std::move(unreachable)},
                 {"too_few", std::move(too_few)}};
  if (states.last)
    object["last"] = json::array({states.last->node.value, cube_to_json(states.last->shared),
                                  cube_to_json(states.last->local)});
  return object;
}

namespace {

ProgramBasis program_basis_from_json(const JsonNode& node) {
  ProgramBasis basis;
  node.field("kind").one_of({ProgramBasis::kName});
  read_fields(node, basis);
  return basis;
}

}  // namespace

ProgramThreadStates program_states_from_json(const JsonNode& node) {
  node.expect_fields({"nodes", "reachable", "helpers", "unreachable", "too_few"}, {"last"});
  ProgramThreadStates out;
  out.nodes = diagram_nodes_from_json(node.field("nodes"));
  const JsonNode reachable = node.field("reachable");
  for (std::size_t i = 0; i < reachable.size(); ++i)
    out.reachable.push_back(reachable.item(i).number());
  const JsonNode helpers = node.field("helpers");
  for (std::size_t i = 0; i < helpers.size(); ++i) {
    const JsonNode edges = helpers.item(i);
    out.helpers.emplace_back();
    for (std::size_t k = 0; k < edges.size(); ++k)
      out.helpers.back().emplace_back(edges.item(k).number());
  }
  const JsonNode unreachable = node.field("unreachable");
  for (std::size_t i = 0; i < unreachable.size(); ++i)
    out.unreachable.push_back(program_basis_from_json(unreachable.item(i)));
  const JsonNode too_few = node.field("too_few");
  for (std::size_t i = 0; i < too_few.size(); ++i) {
    const JsonNode proof = too_few.item(i);
    proof.expect_fields({"in_main", "started", "basis"});
    out.too_few.push_back({proof.field("in_main").number(), proof.field("started").number(),
                           program_basis_from_json(proof.field("basis"))});
  }
  if (node.has("last")) {
    const JsonNode last = node.field("last");
    last.expect_size(3);
    out.last = {NodeId(last.item(0).number()), cube_from_json(last.item(1)),
                cube_from_json(last.item(2))};
  }
  return out;
}

}  // namespace heddle::answer
