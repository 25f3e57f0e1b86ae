#include "output/program_states.hpp"

#include <algorithm>

namespace heddle::output {

namespace {

using model::boolean::Cube;
using model::boolean::Flow;
using model::boolean::NodeId;

/// Reads diagrams over the shared variables, followed by the local ones.
class StateReader {
 public:
  StateReader(const Flow& flow, const answer::ProgramThreadStates& states)
      : shared_(static_cast<std::uint32_t>(flow.shared_names.size())),
        variables_(shared_ + flow.local_count),
        states_(states) {
    counts_ = {0, 1};
    for (const answer::DiagramNode& node : states.nodes)
      counts_.push_back(below(node.low, node.variable) + below(node.high, node.variable));
  }

  base::Integer count(std::uint32_t root) const { return counts_[root] << level(root); }

  /// Paths to 1, at most so many; false if there are more.
  bool cubes(std::uint32_t root, std::size_t most, std::vector<std::pair<Cube, Cube>>& out,
             Cube shared = Cube::all(), Cube local = Cube::all()) const {
    if (root == 0) return true;
    if (root == 1) {
      if (out.size() == most) return false;
      out.emplace_back(shared, local);
      return true;
    }
    const answer::DiagramNode& node = states_.nodes[root - 2];
    for (const bool value : {false, true}) {
      const bool is_shared = node.variable < shared_;
      if (!cubes(value ? node.high : node.low, most, out,
                 is_shared ? shared.with(node.variable, value) : shared,
                 is_shared ? local : local.with(node.variable - shared_, value)))
        return false;
    }
    return true;
  }

 private:
  std::uint32_t level(std::uint32_t root) const {
    return root < 2 ? variables_ : states_.nodes[root - 2].variable;
  }
  /// Valuations of the variables behind `variable`.
  base::Integer below(std::uint32_t root, std::uint32_t variable) const {
    return counts_[root] << (level(root) - variable - 1);
  }

  std::uint32_t shared_, variables_;
  const answer::ProgramThreadStates& states_;
  std::vector<base::Integer> counts_;  ///< of valuations of the variables from the root's on
};

std::string cube_text(const Flow& flow, NodeId node, const std::pair<Cube, Cube>& cube) {
  const std::string shared = model::values_text(shared_values(flow, cube.first));
  const std::string local = model::values_text(local_values(flow, node, cube.second));
  if (shared.empty() && local.empty()) return "any values";
  return shared + (shared.empty() || local.empty() ? "" : " | ") + local;
}

}  // namespace

std::vector<ReachedPlace> reached_places(const Flow& flow,
                                         const answer::ProgramThreadStates& states,
                                         std::size_t most_cubes) {
  const StateReader reader(flow, states);
  std::vector<ReachedPlace> out;
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    const NodeId node(i);
    if (states.reachable[i] == 0) continue;
    ReachedPlace place{
        node, node_text(flow, node), flow.nodes[i].at.line, reader.count(states.reachable[i]), {},
        true};
    std::vector<std::pair<Cube, Cube>> cubes;
    place.is_complete = reader.cubes(states.reachable[i], most_cubes, cubes);
    for (const auto& cube : cubes) place.cubes.push_back(cube_text(flow, node, cube));
    out.push_back(std::move(place));
  }
  std::ranges::stable_sort(out, {}, &ReachedPlace::line);
  return out;
}

base::Integer state_count(const std::vector<ReachedPlace>& places) {
  base::Integer out = 0;
  for (const ReachedPlace& place : places) out += place.states;
  return out;
}

}  // namespace heddle::output
