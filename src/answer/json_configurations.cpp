/// The JSON form of configuration sets and turn facts (docs/evidence.md).

#include <nlohmann/json.hpp>

#include "answer/json_groups.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

namespace {

/// The calls and the node.
json stack_to_json(const CallStack& stack) {
  json out = json::array();
  for (const auto call : stack.calls) out.push_back(call.value);
  out.push_back(stack.node.value);
  return out;
}

CallStack stack_from_json(const JsonNode& list) {
  CallStack out;
  if (list.size() == 0) list.fail("a place should have a node");
  for (std::size_t i = 0; i + 1 < list.size(); ++i) out.calls.emplace_back(list.item(i).number());
  if (!list.failed()) out.node = model::boolean::NodeId(list.item(list.size() - 1).number());
  return out;
}

json places_to_json(const PlaceDiagrams& diagrams) {
  json out = json::array();
  for (const auto& thread : diagrams.places) {
    json stacks = json::array();
    for (const CallStack& stack : thread) stacks.push_back(stack_to_json(stack));
    out.push_back(std::move(stacks));
  }
  return out;
}

json diagrams_to_json(const PlaceDiagrams& diagrams) {
  json variables = json::array();
  for (const ConfigurationVariable& v : diagrams.variables)
    for (const std::uint32_t number : {static_cast<std::uint32_t>(v.kind), v.thread, v.index})
      variables.push_back(number);
  return {{"rounds", diagrams.rounds},
          {"places", places_to_json(diagrams)},
          {"variables", std::move(variables)},
          {"nodes", diagram_nodes_to_json(diagrams.nodes)}};
}

void read_diagrams(const JsonNode& node, PlaceDiagrams& out) {
  node.expect_fields({"kind", "rounds", "places", "variables", "nodes", "sets"});
  out.rounds = node.field("rounds").number();
  const JsonNode places = node.field("places");
  for (std::size_t j = 0; j < places.size(); ++j) {
    auto& thread = out.places.emplace_back();
    const JsonNode stacks = places.item(j);
    for (std::size_t i = 0; i < stacks.size(); ++i)
      thread.push_back(stack_from_json(stacks.item(i)));
  }
  const JsonNode variables = node.field("variables");
  read_groups<3>(variables, [&](const std::array<std::uint32_t, 3>& group) {
    if (group[0] >= kConfigurationVariableKinds)
      variables.fail("there is no such kind of variable");
    out.variables.push_back(
        {static_cast<ConfigurationVariable::Kind>(group[0] % kConfigurationVariableKinds), group[1],
         group[2]});
  });
  out.nodes = diagram_nodes_from_json(node.field("nodes"));
}

}  // namespace

json to_fields(const ConfigurationSets& sets) {
  json out = diagrams_to_json(sets);
  json& list = out["sets"] = json::array();
  for (const ConfigurationSet& set : sets.sets)
    for (const std::uint32_t number : {set.round, set.thread, set.place, set.root})
      list.push_back(number);
  return out;
}

void read_fields(const JsonNode& node, ConfigurationSets& out) {
  read_diagrams(node, out);
  read_groups<4>(node.field("sets"), [&](const std::array<std::uint32_t, 4>& group) {
    out.sets.push_back({group[0], group[1], group[2], group[3]});
  });
}

json to_fields(const TurnFacts& facts) {
  json out = diagrams_to_json(facts);
  json& list = out["sets"] = json::array();
  for (const TurnFactSet& set : facts.sets)
    for (const std::uint32_t number : {set.thread, set.place, set.root}) list.push_back(number);
  return out;
}

void read_fields(const JsonNode& node, TurnFacts& out) {
  read_diagrams(node, out);
  read_groups<3>(node.field("sets"), [&](const std::array<std::uint32_t, 3>& group) {
    out.sets.push_back({group[0], group[1], group[2]});
  });
}

}  // namespace heddle::answer
