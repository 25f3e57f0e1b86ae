#include "output/picture/program_picture.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "output/picture/dot.hpp"
#include "output/picture/svg.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using answer::ProgramElement;
using model::values_text;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::FlowNode;
using model::boolean::NodeId;

constexpr std::size_t kLongestStatement = 48;
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

/// What a node looks like, and what that means.
struct NodeLook {
  const char* border;
  const char* fill;
  const char* meaning;
};

constexpr NodeLook kFailed{"#b3261e", "#fbdcd9", "an assertion has failed"};
constexpr NodeLook kWaits{"#7b2fa0", "#efe3f5", "a thread waits"};
constexpr NodeLook kStart{"#1b7a36", "#d3efd9", "threads start here"};
constexpr NodeLook kAtomic{"#c99700", "#fdf0cf", "inside an atomic section"};
constexpr NodeLook kPlain{"#5b6b8c", "#f4f6fa", "a line where a thread can be between two steps"};

const NodeLook& look_of(const Flow& flow, NodeId id) {
  const FlowNode& node = flow.nodes[id.index()];
  if (node.failed) return kFailed;
  if (node.waits) return kWaits;
  if (id == flow.start || std::ranges::find(flow.starts, id) != flow.starts.end()) return kStart;
  return node.atomic_depth > 0 ? kAtomic : kPlain;
}

std::string attributes(const NodeLook& look) {
  return std::string(", color=\"") + look.border + "\", fillcolor=\"" + look.fill + "\"" +
         (&look == &kFailed ? ", penwidth=2" : "");
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

DotHead head_of(const Flow& flow, const std::set<NodeId>& drawn, const std::string& name) {
  DotHead head(name);
  if (drawn.size() < flow.nodes.size())
    head.remark("drawn: " + std::to_string(drawn.size()) + " of " +
                counted(flow.nodes.size(), "node") + ", those nearest to the start");
  for (const NodeLook* look : {&kStart, &kPlain, &kAtomic, &kWaits, &kFailed})
    if (std::ranges::any_of(drawn, [&](NodeId id) { return &look_of(flow, id) == look; }))
      head.node(look->fill, look->border, look->meaning);
  return head;
}

}  // namespace

std::string program_dot(const Flow& flow, const std::string& name) {
  const auto drawn = nearest_nodes(flow);
  std::string out = "digraph program {\n" + head_of(flow, drawn, name).text() +
                    "  node [fontname=\"DejaVu Sans\", fontsize=10, shape=box, "
                    "style=\"rounded,filled\", height=0.3];\n"
                    "  edge [fontname=\"DejaVu Sans\", fontsize=9, color=\"#44557a\"];\n";
  std::map<std::uint32_t, std::string> frames;
  for (const NodeId id : drawn)
    frames[flow.nodes[id.index()].frame] += "    " + dot_name(id) +
                                            " [label=" + dot_quoted(label_of(flow, id)) +
                                            attributes(look_of(flow, id)) + "];\n";
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
           "no reachable state is in any of " + counted(elements.size(), "set") +
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
