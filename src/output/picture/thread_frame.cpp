#include "output/picture/thread_frame.hpp"

#include <algorithm>

#include "output/picture/edge_route.hpp"

namespace heddle::output::picture {

namespace {

using model::ThreadState;

constexpr double kCell = 84;
constexpr double kLeft = 150;
constexpr double kTop = 130;
constexpr std::size_t kLongestName = 17;
constexpr std::size_t kNameLines = 3;
constexpr double kNameLine = 9;

std::string name_of(const std::vector<std::string>& names, std::uint32_t number) {
  return number < names.size() ? names[number] : std::string();
}

std::string node_class(const GridNode& node) {
  const std::string role = !node.initial.empty() && !node.target.empty() ? " both"
                           : !node.initial.empty()                       ? " initial"
                           : !node.target.empty()                        ? " target"
                                                                         : "";
  return "node" + role;
}

std::string node_title(const model::ThreadSystem& system, ThreadState state, const GridNode& node) {
  const model::ThreadSystem model{1, 1, {}, system.shared_names, system.local_names};
  std::string out = "shared " + model::shared_name(model, state.shared) + ", local " +
                    model::counter_name(model, state.local);
  if (!node.initial.empty()) out += "\ninitial: " + node.initial;
  if (!node.target.empty()) out += "\ntarget: at least " + node.target;
  if (!node.together_with.empty()) out += ", together with " + node.together_with;
  return out;
}

}  // namespace

std::string state_text(ThreadState state) {
  return std::to_string(state.shared.value) + "|" + std::to_string(state.local.value);
}

ThreadFrame::ThreadFrame(const model::ThreadSystem& system, const ThreadGrid& grid, Point corner)
    : system_(system), grid_(grid), corner_(corner) {
  for (const auto& [state, node] : grid.nodes) centres_.push_back(place(state));
}

Point ThreadFrame::place(ThreadState state) const {
  const auto row = std::ranges::lower_bound(grid_.rows, state.shared) - grid_.rows.begin();
  const auto column = std::ranges::lower_bound(grid_.columns, state.local) - grid_.columns.begin();
  return {corner_.x + kLeft + kCell * static_cast<double>(column),
          corner_.y + kTop + kCell * static_cast<double>(row)};
}

Point ThreadFrame::end() const {
  const Point last = place({grid_.rows.back(), grid_.columns.back()});
  return {last.x + 30, last.y + 30};
}

void ThreadFrame::draw_headings(Svg& svg) const {
  const double top = corner_.y + kTop;
  const double left = corner_.x + kLeft;
  for (const model::LocalState local : grid_.columns) {
    const double x = place({grid_.rows.front(), local}).x;
    const std::string full = name_of(system_.local_names, local.value);
    svg.line({x, top - 36}, {x, end().y}, "rule");
    svg.text({x, top - 44}, std::to_string(local.value), "strong middle", full);
    const auto lines = wrapped(full, kLongestName, kNameLines);
    for (std::size_t i = 0; i < lines.size(); ++i)
      svg.text({x, top - 56 - kNameLine * static_cast<double>(lines.size() - 1 - i)}, lines[i],
               "tiny quiet middle", full);
  }
  for (const model::SharedState shared : grid_.rows) {
    const double y = place({shared, grid_.columns.front()}).y;
    const std::string full = name_of(system_.shared_names, shared.value);
    svg.line({left - 36, y}, {end().x, y}, "rule");
    svg.text({left - 44, y + 4}, std::to_string(shared.value), "strong end", full);
    const auto lines = wrapped(full, kLongestName, kNameLines);
    for (std::size_t i = 0; i < lines.size(); ++i)
      svg.text({left - 44, y + 17 + kNameLine * static_cast<double>(i)}, lines[i], "tiny quiet end",
               full);
  }
}

void ThreadFrame::draw_node(Svg& svg, ThreadState state, const GridNode& node,
                            const std::string& extra) const {
  const Point at = place(state);
  const std::string title = node_title(system_, state, node);
  svg.circle(at, kNodeRadius, node_class(node) + extra, title);
  const std::string label = state_text(state);
  if (label.size() <= 5) svg.text({at.x, at.y + 3}, label, "tiny middle", title);
  if (!node.initial.empty())
    svg.text({at.x - 16, at.y + 24}, "start: " + node.initial, "tiny strong", title);
  if (!node.target.empty())
    svg.text({at.x - 16, at.y + 24 + (node.initial.empty() ? 0 : 10)},
             "target" + (node.target == "1" ? "" : " ×" + node.target) +
                 (node.together_with.empty() ? "" : " with " + node.together_with),
             "tiny warning", title);
}

}  // namespace heddle::output::picture
