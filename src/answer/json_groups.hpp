#pragma once

/// Flat lists of numbers in JSON, for evidence that may have millions of them.

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "answer/context_evidence.hpp"
#include "answer/json_node.hpp"

namespace heddle::answer {

/// Reads a flat list of groups of numbers.
template <std::size_t Size, class Take>
void read_groups(const JsonNode& list, const Take& take) {
  if (list.size() % Size != 0) list.fail("the list should consist of groups of equal size");
  for (std::size_t i = 0; i + Size <= list.size() && !list.failed(); i += Size) {
    std::array<std::uint32_t, Size> group{};
    for (std::size_t j = 0; j < Size; ++j) group[j] = list.item(i + j).number();
    take(group);
  }
}

/// `variable, low, high` of each node.
nlohmann::json diagram_nodes_to_json(const std::vector<DiagramNode>& nodes);
std::vector<DiagramNode> diagram_nodes_from_json(const JsonNode& list);

}  // namespace heddle::answer
