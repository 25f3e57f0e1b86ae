#include "output/picture/thread_system_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "output/picture/density_picture.hpp"
#include "output/picture/edge_route.hpp"
#include "output/picture/edge_words.hpp"
#include "output/picture/net_dot.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/thread_grid.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using model::ThreadState;
using model::ThreadSystem;
using model::ThreadTransition;

constexpr double kCell = 84;
constexpr double kLeft = 150;
constexpr double kTop = 130;
constexpr std::size_t kLongestName = 16;

std::string name_of(const std::vector<std::string>& names, std::uint32_t number) {
  return number < names.size() ? names[number] : std::string();
}

std::string state_text(ThreadState state) {
  return std::to_string(state.shared.value) + "|" + std::to_string(state.local.value);
}

std::string node_class(const GridNode& node) {
  const std::string role = !node.initial.empty() && !node.target.empty() ? " both"
                           : !node.initial.empty()                       ? " initial"
                           : !node.target.empty()                        ? " target"
                                                                         : "";
  return "node" + role;
}

std::string node_title(const ThreadSystem& system, ThreadState state, const GridNode& node) {
  const model::Model model = ThreadSystem{1, 1, {}, system.shared_names, system.local_names};
  std::string out = "shared " + model::shared_name(model, state.shared) + ", local " +
                    model::counter_name(model, state.local);
  if (!node.initial.empty()) out += "\ninitial: " + node.initial;
  if (!node.target.empty()) out += "\ntarget: at least " + node.target;
  return out;
}

class GridPicture {
 public:
  GridPicture(const ThreadSystem& system, const ThreadGrid& grid) : system_(system), grid_(grid) {
    for (const auto& [state, node] : grid.nodes) centres_.push_back(place(state));
  }

  std::string draw(const std::string& name) {
    svg_.text({16, 28}, name, "heading");
    svg_.text({16, 46},
              counted(grid_.nodes.size(), "thread state") + ", " +
                  counted(system_.transitions.size(), "edge") +
                  "; rows: shared states, columns: local states",
              "quiet");
    draw_headings();
    draw_edges();
    for (const auto& [state, node] : grid_.nodes) draw_node(state, node);
    draw_legend();
    return svg_.finish(name);
  }

 private:
  Point place(ThreadState state) const {
    const auto row = std::ranges::lower_bound(grid_.rows, state.shared) - grid_.rows.begin();
    const auto column =
        std::ranges::lower_bound(grid_.columns, state.local) - grid_.columns.begin();
    return {kLeft + kCell * static_cast<double>(column), kTop + kCell * static_cast<double>(row)};
  }

  void draw_headings() {
    const Point last = place({grid_.rows.back(), grid_.columns.back()});
    for (const model::LocalState local : grid_.columns) {
      const double x = place({grid_.rows.front(), local}).x;
      const std::string full = name_of(system_.local_names, local.value);
      svg_.line({x, kTop - 36}, {x, last.y + 30}, "rule");
      svg_.text({x, kTop - 44}, std::to_string(local.value), "strong middle", full);
      svg_.text({x, kTop - 56}, shortened(full, kLongestName - 4), "tiny quiet middle", full);
    }
    for (const model::SharedState shared : grid_.rows) {
      const double y = place({shared, grid_.columns.front()}).y;
      const std::string full = name_of(system_.shared_names, shared.value);
      svg_.line({kLeft - 36, y}, {last.x + 30, y}, "rule");
      svg_.text({kLeft - 44, y + 4}, std::to_string(shared.value), "strong end", full);
      svg_.text({kLeft - 44, y + 17}, shortened(full, kLongestName), "tiny quiet end", full);
    }
  }

  void draw_edges() {
    std::map<std::pair<ThreadState, ThreadState>, unsigned> lanes;
    for (const ThreadTransition& t : system_.transitions) {
      const Route way =
          route(place(t.source), place(t.target), centres_, lanes[{t.source, t.target}]++);
      const std::string title = edge_title(t);
      svg_.path(way.data, way.middle, edge_class(t), title);
      if (t.passive.empty()) continue;
      svg_.circle(way.middle, 3.5, "mark", title);
      svg_.text({way.middle.x + 6, way.middle.y - 4}, passive_label(t), "tiny", title);
    }
  }

  void draw_node(ThreadState state, const GridNode& node) {
    const Point at = place(state);
    const std::string title = node_title(system_, state, node);
    svg_.circle(at, kNodeRadius, node_class(node), title);
    const std::string label = state_text(state);
    if (label.size() <= 5) svg_.text({at.x, at.y + 3}, label, "tiny middle", title);
    if (!node.initial.empty())
      svg_.text({at.x - 16, at.y + 24}, "start: " + node.initial, "tiny strong", title);
    if (!node.target.empty())
      svg_.text({at.x - 16, at.y + 24 + (node.initial.empty() ? 0 : 10)},
                "target" + (node.target == "1" ? "" : " ×" + node.target), "tiny warning", title);
  }

  void draw_legend() {
    double x = 24;
    const double y = svg_.bottom() + 34;
    const auto entry = [&](const char* classes, const char* words) {
      svg_.path(fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", x, y, x + 32, y), {x + 32, y},
                classes);
      svg_.text({x + 38, y + 4}, words, "small");
      x += 50 + 5.6 * static_cast<double>(std::string_view(words).size());
    };
    const auto uses = [&](std::string_view classes) {
      return std::ranges::any_of(
          system_.transitions, [&](const ThreadTransition& t) { return edge_class(t) == classes; });
    };
    if (uses("edge")) entry("edge", "a thread moves");
    if (uses("edge passive")) entry("edge passive", "a thread moves, others follow (a~>b)");
    if (uses("edge spawn")) entry("edge spawn", "a thread starts another one");
    if (uses("edge transfer")) entry("edge transfer", "all threads there move");
  }

  const ThreadSystem& system_;
  const ThreadGrid& grid_;
  std::vector<Point> centres_;
  Svg svg_;
};

}  // namespace

std::string thread_system_svg(const ThreadSystem& system, const model::Question& question,
                              const std::string& name) {
  const ThreadGrid grid = grid_of(system, question);
  if (grid.nodes.size() > kMostDrawnThreadStates) return density_svg(system, grid, name);
  if (!grid.nodes.empty()) return GridPicture(system, grid).draw(name);
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46}, "no edges, no initial states, no targets", "quiet");
  return svg.finish(name);
}

std::string thread_system_dot(const ThreadSystem& system, const model::Question& question,
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
