/// The JSON form of context relations (docs/evidence.md): flat lists of numbers, because there may
/// be millions of nodes.

#include <array>
#include <nlohmann/json.hpp>

#include "answer/json_groups.hpp"
#include "answer/json_parts.hpp"

namespace heddle::answer {

using nlohmann::json;

json diagram_nodes_to_json(const std::vector<DiagramNode>& nodes) {
  json out = json::array();
  out.get_ref<json::array_t&>().reserve(3 * nodes.size());
  for (const DiagramNode& node : nodes)
    for (const std::uint32_t number : {node.variable, node.low, node.high}) out.push_back(number);
  return out;
}

std::vector<DiagramNode> diagram_nodes_from_json(const JsonNode& list) {
  std::vector<DiagramNode> out;
  read_groups<3>(list, [&](const std::array<std::uint32_t, 3>& group) {
    out.push_back({group[0], group[1], group[2]});
  });
  return out;
}

json to_fields(const ContextRelations& relations) {
  json variables = json::array();
  for (const DiagramVariable& v : relations.variables)
    for (const std::uint32_t number : {static_cast<std::uint32_t>(v.family), v.round, v.index})
      variables.push_back(number);
  json sets = json::array();
  for (const ContextRelation& r : relations.relations)
    for (const std::uint32_t number :
         {static_cast<std::uint32_t>(r.kind), r.thread, r.where, r.entered, r.round, r.root})
      sets.push_back(number);
  return {{"rounds", relations.rounds},
          {"analyses", relations.analyses},
          {"variables", std::move(variables)},
          {"nodes", diagram_nodes_to_json(relations.nodes)},
          {"relations", std::move(sets)}};
}

void read_fields(const JsonNode& node, ContextRelations& out) {
  node.expect_fields({"kind", "rounds", "analyses", "variables", "nodes", "relations"});
  out.rounds = node.field("rounds").number();
  read_groups<1>(node.field("analyses"), [&](const std::array<std::uint32_t, 1>& group) {
    out.analyses.push_back(group[0]);
  });
  const JsonNode variables = node.field("variables");
  read_groups<3>(variables, [&](const std::array<std::uint32_t, 3>& group) {
    if (group[0] >= kFamilies) variables.fail("there is no such family of variables");
    out.variables.push_back({static_cast<Family>(group[0] % kFamilies), group[1], group[2]});
  });
  out.nodes = diagram_nodes_from_json(node.field("nodes"));
  const JsonNode relations = node.field("relations");
  read_groups<6>(relations, [&](const std::array<std::uint32_t, 6>& group) {
    if (group[0] >= kRelationKinds) relations.fail("there is no such kind of relation");
    out.relations.push_back({static_cast<RelationKind>(group[0] % kRelationKinds), group[1],
                             group[2], group[3], group[4], group[5]});
  });
}

}  // namespace heddle::answer
