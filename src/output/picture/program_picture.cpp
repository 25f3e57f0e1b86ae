#include "output/picture/program_picture.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "output/picture/net_dot.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using answer::ProgramElement;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::NodeId;
using model::boolean::values_text;

constexpr std::size_t kLongestStatement = 34;
constexpr double kElementTop = 96;
constexpr double kElementRow = 20;
constexpr double kElementShared = 56;
constexpr double kElementThreads = 300;
constexpr double kElementThread = 210;
constexpr std::size_t kSharedCube = 34;
constexpr std::size_t kThreadCube = 30;

// ------------------------------------------------------------ the program

bool leads_to_child(const FlowEdge& edge) {
  return edge.kind == EdgeKind::Spawn || edge.kind == EdgeKind::Call;
}

/// The nodes nearest to where threads start.
std::set<NodeId> nearest_nodes(const Flow& flow) {
  const auto edges = flow.edges_by_source();
  std::deque<NodeId> open(flow.starts.begin(), flow.starts.end());
  if (open.empty()) open.push_back(flow.start);
  std::set<NodeId> found;
  for (; !open.empty() && found.size() < kMostFlowNodes; open.pop_front()) {
    if (!found.insert(open.front()).second) continue;
    if (const FlowNode& node = flow.nodes[open.front().index()]; node.waits)
      open.push_back(node.woken);
    for (const auto id : edges[open.front().index()]) {
      const FlowEdge& edge = flow.edges[id.index()];
      open.push_back(edge.target);
      if (leads_to_child(edge)) open.push_back(edge.child);
    }
  }
  return found;
}

std::string dot_name(NodeId node) { return "n" + std::to_string(node.value); }

std::string look_of(const Flow& flow, NodeId id) {
  const FlowNode& node = flow.nodes[id.index()];
  if (node.failed) return ", color=\"#b3261e\", fillcolor=\"#fbdcd9\", penwidth=2";
  if (node.waits) return ", color=\"#7b2fa0\", fillcolor=\"#efe3f5\"";
  if (id == flow.start || std::ranges::find(flow.starts, id) != flow.starts.end())
    return ", color=\"#1b7a36\", fillcolor=\"#d3efd9\"";
  if (node.atomic_depth > 0) return ", color=\"#c99700\", fillcolor=\"#fdf0cf\"";
  return ", color=\"#5b6b8c\", fillcolor=\"#f4f6fa\"";
}

std::string label_of(const Flow& flow, NodeId id) {
  const FlowNode& node = flow.nodes[id.index()];
  return std::to_string(node.at.line) + (node.failed ? " fails" : node.waits ? " waits" : "");
}

std::string dot_edge(NodeId from, NodeId to, const std::string& label, const std::string& look) {
  return "  " + dot_name(from) + " -> " + dot_name(to) +
         " [label=" + dot_quoted(shortened(label, kLongestStatement)) +
         ", tooltip=" + dot_quoted(label) + look + "];\n";
}

std::string dot_edges(const Flow& flow, const FlowEdge& edge, const std::set<NodeId>& drawn) {
  if (!drawn.contains(edge.source)) return {};
  std::string out;
  if (edge.kind != EdgeKind::Return && drawn.contains(edge.target))
    out += dot_edge(edge.source, edge.target, edge.text, "");
  if (leads_to_child(edge) && drawn.contains(edge.child))
    out += dot_edge(edge.source, edge.child, edge.kind == EdgeKind::Spawn ? "starts" : "calls",
                    ", style=dashed, color=\"#1b7a36\", fontcolor=\"#1b7a36\"");
  const FlowNode& node = flow.nodes[edge.target.index()];
  if (node.waits && drawn.contains(edge.target) && drawn.contains(node.woken))
    out += dot_edge(edge.target, node.woken, "woken",
                    ", style=dashed, color=\"#7b2fa0\", fontcolor=\"#7b2fa0\"");
  return out;
}

// ------------------------------------------------------------ a basis

std::string cube_text(const std::string& where, const std::string& values) {
  return where + (where.empty() || values.empty() ? "" : " ") + values;
}

void draw_element(Svg& svg, const Flow& flow, const ProgramElement& element, double y) {
  const std::string shared = values_text(shared_values(flow, element.shared));
  svg.text({kElementShared, y}, shared.empty() ? "any" : shortened(shared, kSharedCube),
           shared.empty() ? "small quiet" : "small strong", shared);
  double x = kElementThreads;
  for (const answer::ThreadCube& thread : element.threads) {
    const std::string words = cube_text(
        node_text(flow, thread.node), values_text(local_values(flow, thread.node, thread.values)));
    svg.rectangle({x, y - 13}, kElementThread - 8, kElementRow - 2, "block", words);
    svg.text({x + 6, y}, shortened(words, kThreadCube), "small", words);
    x += kElementThread;
  }
}

}  // namespace

std::string program_dot(const Flow& flow, const std::string& name) {
  const auto drawn = nearest_nodes(flow);
  std::string title = name;
  if (drawn.size() < flow.nodes.size())
    title += "\ndrawn: " + std::to_string(drawn.size()) + " of " +
             counted(flow.nodes.size(), "node") + ", those nearest to the start";
  std::string out = "digraph program {\n  label=" + dot_quoted(title) +
                    ";\n  labelloc=t; fontname=\"DejaVu Sans\"; fontsize=14;\n"
                    "  node [fontname=\"DejaVu Sans\", fontsize=10, shape=box, "
                    "style=\"rounded,filled\", height=0.3];\n"
                    "  edge [fontname=\"DejaVu Sans\", fontsize=9, color=\"#44557a\"];\n";
  std::map<std::uint32_t, std::string> frames;
  for (const NodeId id : drawn)
    frames[flow.nodes[id.index()].frame] += "    " + dot_name(id) +
                                            " [label=" + dot_quoted(label_of(flow, id)) +
                                            look_of(flow, id) + "];\n";
  for (const auto& [frame, nodes] : frames)
    out += "  subgraph cluster" + std::to_string(frame) + " {\n    color=\"#c3cad8\"; label=" +
           dot_quoted(flow.procedures[flow.frames[frame].procedure]) + "; fontsize=11;\n" + nodes +
           "  }\n";
  std::set<std::string> lines;  // a waiting node is woken once, however many edges lead to it
  for (const FlowEdge& edge : flow.edges) lines.insert(dot_edges(flow, edge, drawn));
  for (const std::string& line : lines) out += line;
  return out + "}\n";
}

std::string program_basis_svg(const Flow& flow, const answer::ProgramBasis& basis,
                              const std::string& name, const std::string& warning) {
  std::vector<ProgramElement> elements = basis.minimal;
  std::ranges::stable_sort(elements, {}, [](const auto& e) { return e.threads.size(); });
  const std::size_t shown = std::min(elements.size(), kMostProgramElements);
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46},
           "no reachable state is one of " + counted(elements.size(), "kind") +
               (shown < elements.size()
                    ? "; the " + std::to_string(elements.size() - shown) + " largest are left out"
                    : ""),
           "quiet");
  if (!warning.empty()) svg.text({16, 62}, warning, "warning");
  svg.text({kElementShared, kElementTop - 14}, "shared", "strong");
  svg.text({kElementThreads, kElementTop - 14}, "threads (and perhaps more)", "strong");
  for (std::size_t i = 0; i < shown; ++i) {
    const double y = kElementTop + kElementRow * (static_cast<double>(i) + 0.5);
    svg.text({kElementShared - 12, y}, std::to_string(i + 1), "small quiet end");
    draw_element(svg, flow, elements[i], y);
  }
  return svg.finish(name);
}

}  // namespace heddle::output::picture
