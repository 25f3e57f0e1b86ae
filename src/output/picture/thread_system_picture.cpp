#include "output/picture/thread_system_picture.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "output/picture/density_picture.hpp"
#include "output/picture/dot.hpp"
#include "output/picture/edge_labels.hpp"
#include "output/picture/edge_route.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/thread_frame.hpp"
#include "output/picture/thread_grid.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using model::ThreadState;
using model::ThreadSystem;
using model::ThreadTransition;

class GridPicture {
 public:
  GridPicture(const ThreadSystem& system, const ThreadGrid& grid)
      : system_(system), grid_(grid), frame_(system, grid, {0, 0}) {}

  std::string draw(const std::string& name) {
    svg_.text({16, 28}, name, "heading");
    svg_.text({16, 46},
              counted(grid_.nodes.size(), "thread state") + ", " +
                  counted(system_.transitions.size(), "edge") +
                  "; rows: shared states, columns: local states",
              "quiet");
    frame_.draw_headings(svg_);
    draw_edges();
    for (const auto& [state, node] : grid_.nodes) frame_.draw_node(svg_, state, node);
    draw_legend();
    return svg_.finish(name);
  }

 private:
  void draw_edges() {
    std::map<std::pair<ThreadState, ThreadState>, unsigned> lanes;
    for (const ThreadTransition& t : system_.transitions) {
      const Route way = route(frame_.place(t.source), frame_.place(t.target), frame_.centres(),
                              lanes[{t.source, t.target}]++);
      const std::string title = edge_title(t);
      svg_.path(way.data, way.middle, edge_class(t), title);
      if (t.passive.empty()) continue;
      svg_.circle(way.middle, 3.5, "mark", title);
      svg_.text({way.middle.x + 6, way.middle.y - 4}, passive_label(t), "tiny", title);
    }
  }

  void draw_legend() {
    Legend legend(svg_);
    const auto uses = [&](std::string_view classes) {
      return std::ranges::any_of(
          system_.transitions, [&](const ThreadTransition& t) { return edge_class(t) == classes; });
    };
    if (uses("edge")) legend.edge("edge", "a thread moves");
    if (uses("edge passive")) legend.edge("edge passive", "a thread moves, others follow (a~>b)");
    if (uses("edge spawn")) legend.edge("edge spawn", "a thread starts another one");
    if (uses("edge transfer")) legend.edge("edge transfer", "all threads there move");
  }

  const ThreadSystem& system_;
  const ThreadGrid& grid_;
  ThreadFrame frame_;
  Svg svg_;
};

}  // namespace

std::string thread_system_svg(const ThreadSystem& system, const model::CountingQuestion& question,
                              const std::string& name) {
  const ThreadGrid grid = grid_of(system, question);
  if (grid.nodes.size() > kMostDrawnThreadStates) return density_svg(system, grid, name);
  if (!grid.nodes.empty()) return GridPicture(system, grid).draw(name);
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46}, "no edges, no initial states, no targets", "quiet");
  return svg.finish(name);
}

std::string thread_system_dot(const ThreadSystem& system, const model::CountingQuestion& question,
                              const std::string& name) {
  const ThreadGrid grid = grid_of(system, question);
  std::string out =
      "digraph threads {\n  label=" + dot_quoted(name) + ";\n  node [shape=ellipse];\n";
  for (const auto& [state, node] : grid.nodes) {
    out += "  \"" + state_text(state) + "\"";
    if (!node.target.empty())
      out += " [color=red, peripheries=2]";
    else if (!node.initial.empty())
      out += " [style=filled, fillcolor=palegreen]";
    out += ";\n";
  }
  for (const ThreadTransition& t : system.transitions) {
    out += "  \"" + state_text(t.source) + "\" -> \"" + state_text(t.target) + "\"";
    if (t.kind == model::StepKind::Spawn) out += " [style=dashed, color=darkgreen]";
    if (t.kind == model::StepKind::Transfer) out += " [penwidth=2, color=darkorange]";
    if (!t.passive.empty()) out += " [color=purple, label=\"" + passive_label(t) + "\"]";
    out += ";\n";
  }
  return out + "}\n";
}

}  // namespace heddle::output::picture
