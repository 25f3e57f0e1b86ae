#include "output/picture/quotient_picture.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "output/picture/edge_labels.hpp"
#include "output/picture/edge_route.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/thread_frame.hpp"
#include "output/picture/thread_system_picture.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using model::ThreadState;
using model::ThreadSystem;
using model::ThreadTransition;

constexpr double kGap = 24;
constexpr double kRoomForNames = 80;   ///< at the left of a panel, for shared states
constexpr double kWidestBeside = 640;  ///< wider panels stand below each other
constexpr std::size_t kMostExpansions = 400;
constexpr std::size_t kLongestNumber = 14;

/// A thread state as a node of the quotient: by itself, or as a member of a component.
struct Membership {
  std::map<ThreadState, std::size_t> component;
  std::vector<std::vector<ThreadState>> members;
};

Membership membership(const ThreadSystem& system, const DiagramParts& parts) {
  Membership found;
  found.members.resize(parts.components.size());
  for (std::size_t c = 0; c < parts.components.size(); ++c)
    for (const std::uint32_t t : parts.components[c].transitions) {
      std::vector<ThreadState> states = ends_of(system.transitions[t]);
      states.push_back(system.transitions[t].source);
      for (const ThreadState state : states)
        if (found.component.emplace(state, c).second) found.members[c].push_back(state);
    }
  return found;
}

ThreadGrid expanded_grid(const ThreadSystem& system, const model::CountingQuestion& question,
                         const DiagramParts& parts) {
  ThreadSystem expanded{system.shared_count, system.local_count, system.transitions, {}, {}};
  for (const std::uint32_t t : parts.live)
    for (const ThreadState end : ends_of(system.transitions[t])) {
      expanded.transitions.emplace_back();
      expanded.transitions.back().source = expanded.transitions.back().target = end;
    }
  return grid_of(expanded, question);
}

std::string parts_text(const DiagramParts& parts, std::size_t transitions) {
  const auto tangles = static_cast<std::size_t>(std::ranges::count_if(
      parts.components, [](const LoopComponent& c) { return c.is_spaghetti; }));
  std::string text = counted(parts.components.size() - tangles, "simple loop") + ", " +
                     counted(tangles, "tangle") + " of loops";
  if (parts.live.size() < transitions)
    text += "; " + counted(transitions - parts.live.size(), "edge") +
            " left out of (b) and (c): never taken, or without effect";
  return text;
}

class QuotientPicture {
 public:
  QuotientPicture(const model::CountingTask& task, const DiagramParts& parts,
                  const answer::Trace* witness)
      : system_(std::get<ThreadSystem>(task.model)),
        parts_(parts),
        plain_(grid_of(system_, task.question)),
        grid_(expanded_grid(system_, task.question, parts)),
        members_(membership(system_, parts)),
        expansions_(expansion_edges(task, parts)) {
    if (witness) path_ = path_of(task, *witness);
  }

  std::string draw(const std::string& name, const std::string& warning) {
    svg_.text({16, 28}, name, "heading");
    svg_.text({16, 46}, parts_text(parts_, system_.transitions.size()), "quiet");
    if (!warning.empty()) svg_.text({16, 62}, warning, "warning");
    Point corner{0, 16};
    for (const auto panel : {&QuotientPicture::draw_diagram, &QuotientPicture::draw_expanded,
                             &QuotientPicture::draw_quotient}) {
      const ThreadFrame frame(system_, grid_, corner);
      frame.draw_headings(svg_);
      (this->*panel)(frame);
      const bool beside = frame.end().x - corner.x < kWidestBeside;
      const double gap = system_.shared_names.empty() ? kGap - kRoomForNames : kGap;
      corner =
          beside ? Point{frame.end().x + gap, corner.y} : Point{corner.x, frame.end().y + 2 * kGap};
    }
    draw_legend();
    return svg_.finish(name);
  }

 private:
  void caption(const ThreadFrame& frame, const std::string& text) {
    const Point first = frame.centres().front();
    svg_.text({std::min(first.x, frame.end().x - 60) - 60, frame.end().y + 26}, text, "strong");
  }

  bool is_taken(std::uint32_t transition) const {
    return path_ && path_->transitions.contains(transition);
  }
  bool is_taken(const ExpansionEdge& edge) const {
    return path_ && path_->expansions.contains(edge);
  }

  void draw_edge(Point from, Point to, std::span<const Point> centres, const std::string& classes,
                 const std::string& title) {
    const unsigned lane =
        lanes_[{std::lround(from.x), std::lround(from.y), std::lround(to.x), std::lround(to.y)}]++;
    const Route way = route(from, to, centres, lane);
    svg_.path(way.data, way.middle, classes, title);
  }

  void draw_diagram(const ThreadFrame& frame) {
    for (const ThreadTransition& t : system_.transitions)
      draw_edge(frame.place(t.source), frame.place(t.target), frame.centres(), edge_class(t),
                edge_title(t));
    for (const auto& [state, node] : plain_.nodes) frame.draw_node(svg_, state, node);
    caption(frame, "(a) the diagram");
  }

  void draw_expanded(const ThreadFrame& frame) {
    for (const std::uint32_t t : parts_.live) draw_real(frame, t);
    std::size_t drawn = 0;
    for (const ExpansionEdge& edge : expansions_) {
      if (!is_taken(edge) && drawn >= kMostExpansions) continue;
      ++drawn;
      draw_edge(frame.place(edge.first), frame.place(edge.second), frame.centres(),
                is_taken(edge) ? "edge expansion chosen" : "edge expansion",
                "another thread goes on");
    }
    for (const auto& [state, node] : grid_.nodes)
      frame.draw_node(svg_, state, node, shade_of(state));
    const std::size_t missing = expansions_.size() - drawn;
    caption(frame,
            "(b) expanded: dashed where another thread goes on" +
                (missing > 0 ? ", " + std::to_string(missing) + " more not drawn" : std::string()));
  }

  void draw_real(const ThreadFrame& frame, std::uint32_t number) {
    const ThreadTransition& t = system_.transitions[number];
    for (const ThreadState end : ends_of(t)) {
      if (end == t.source && t.kind == model::StepKind::Spawn) continue;
      draw_edge(frame.place(t.source), frame.place(end), frame.centres(),
                edge_class(t) + (is_taken(number) ? " chosen" : ""), edge_title(t));
    }
  }

  std::string shade_of(ThreadState state) const {
    const auto it = members_.component.find(state);
    if (it == members_.component.end()) return {};
    return parts_.components[it->second].is_spaghetti ? " in-tangle" : " in-loop";
  }

  /// A component takes the place of one of its members, the one that is most in the middle.
  Point place_of(const ThreadFrame& frame, std::size_t component) const {
    const std::vector<ThreadState>& members = members_.members[component];
    Point middle;
    for (const ThreadState member : members) {
      middle.x += frame.place(member).x / static_cast<double>(members.size());
      middle.y += frame.place(member).y / static_cast<double>(members.size());
    }
    const auto distance = [&](ThreadState member) {
      const Point at = frame.place(member);
      return std::hypot(at.x - middle.x, at.y - middle.y);
    };
    return frame.place(*std::ranges::min_element(members, {}, distance));
  }

  void draw_quotient(const ThreadFrame& frame) {
    const auto place = [&](ThreadState state) {
      const auto it = members_.component.find(state);
      return it == members_.component.end() ? frame.place(state) : place_of(frame, it->second);
    };
    std::vector<Point> centres;
    for (const auto& [state, node] : grid_.nodes)
      if (!members_.component.contains(state)) centres.push_back(frame.place(state));
    for (std::size_t c = 0; c < parts_.components.size(); ++c)
      centres.push_back(place_of(frame, c));
    draw_quotient_edges(place, centres);
    for (const auto& [state, node] : grid_.nodes)
      if (!members_.component.contains(state)) frame.draw_node(svg_, state, node);
    for (std::size_t c = 0; c < parts_.components.size(); ++c)
      draw_component(c, place_of(frame, c));
    caption(frame, "(c) the quotient");
  }

  /// Edges with the same ends are drawn once, in bold if the path takes one of them.
  template <class Place>
  void draw_quotient_edges(const Place& place, std::span<const Point> centres) {
    struct Drawn {
      Point from, to;
      bool taken = false;
      std::string title;
    };
    std::map<std::tuple<double, double, double, double, std::string>, Drawn> edges;
    const auto add = [&](ThreadState from, ThreadState to, const std::string& classes, bool taken,
                         const std::string& title) {
      const Point a = place(from), b = place(to);
      if (a.x == b.x && a.y == b.y) return;
      Drawn& edge =
          edges.try_emplace({a.x, a.y, b.x, b.y, classes}, Drawn{a, b, false, {}}).first->second;
      edge.taken = edge.taken || taken;
      edge.title += (edge.title.empty() ? "" : "\n") + title;
    };
    for (const std::uint32_t t : parts_.live)
      for (const ThreadState end : ends_of(system_.transitions[t]))
        add(system_.transitions[t].source, end, edge_class(system_.transitions[t]), is_taken(t),
            edge_title(system_.transitions[t]));
    for (const ExpansionEdge& edge : expansions_)
      add(edge.first, edge.second, "edge expansion", is_taken(edge), "another thread goes on");
    for (const auto& [key, edge] : edges)
      draw_edge(edge.from, edge.to, centres, std::get<4>(key) + (edge.taken ? " chosen" : ""),
                edge.title);
  }

  /// Whether a member is initial, or a target, is said beside the disc.
  void draw_roles(std::size_t component, Point at) {
    const auto any = [&](std::string GridNode::* role) {
      return std::ranges::any_of(members_.members[component], [&](ThreadState member) {
        const auto it = grid_.nodes.find(member);
        return it != grid_.nodes.end() && !(it->second.*role).empty();
      });
    };
    if (any(&GridNode::initial)) svg_.text({at.x - 16, at.y + 24}, "start", "tiny strong");
    if (any(&GridNode::target)) svg_.text({at.x - 16, at.y + 34}, "target", "tiny warning");
  }

  void draw_component(std::size_t number, Point at) {
    const LoopComponent& component = parts_.components[number];
    draw_roles(number, at);
    const std::string kind = component.is_spaghetti ? "tangle of " : "simple loop of ";
    const std::string title = kind + counted(component.transitions.size(), "edge");
    svg_.circle(at, kNodeRadius, component.is_spaghetti ? "tangle" : "loop", title);
    if (component.is_spaghetti || !path_) {
      svg_.text({at.x + 17, at.y - 11}, title, "tiny strong", title);
      return;
    }
    const std::string rounds = base::to_string(path_->rounds_of(component));
    svg_.text({at.x + 17, at.y - 11}, "κ = " + shortened(rounds, kLongestNumber), "strong",
              title + "\nwhole rounds: " + rounds);
  }

  void draw_legend() {
    Legend legend(svg_);
    legend.edge("edge", "a thread moves");
    legend.edge("edge expansion", "another thread goes on");
    legend.disc("loop", "simple loop");
    legend.disc("tangle", "tangle of loops (spaghetti)");
    if (path_) {
      legend.edge("edge chosen", "the path of the trace");
      legend.remark("κ: how often it goes round the loop");
    }
  }

  const ThreadSystem& system_;
  const DiagramParts& parts_;
  ThreadGrid plain_;  ///< of (a)
  ThreadGrid grid_;   ///< of (b) and (c): also where a thread stays that starts another
  Membership members_;
  std::set<ExpansionEdge> expansions_;
  std::optional<PathTaken> path_;
  std::map<std::tuple<long, long, long, long>, unsigned> lanes_;
  Svg svg_;
};

/// The components in words, the largest first.
std::string summary_svg(const ThreadSystem& system, const DiagramParts& parts, std::size_t states,
                        const std::string& name, const std::string& warning) {
  constexpr std::size_t kListed = 30;
  Svg svg;
  svg.text({16, 28}, name, "heading");
  svg.text({16, 46},
           counted(states, "thread state") + ", too many to draw; " +
               parts_text(parts, system.transitions.size()),
           "quiet");
  if (!warning.empty()) svg.text({16, 62}, warning, "warning");
  std::vector<LoopComponent> sorted = parts.components;
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const LoopComponent& c) { return c.transitions.size(); });
  double y = 90;
  for (std::size_t i = 0; i < sorted.size() && i < kListed; ++i, y += 18) {
    svg.circle({30, y - 4}, 6, sorted[i].is_spaghetti ? "tangle" : "loop");
    svg.text({46, y},
             (sorted[i].is_spaghetti ? "a tangle of " : "a simple loop of ") +
                 counted(sorted[i].transitions.size(), "edge"),
             "small");
  }
  if (sorted.size() > kListed)
    svg.text({46, y}, "and " + std::to_string(sorted.size() - kListed) + " more", "small");
  return svg.finish(name);
}

}  // namespace

std::string quotient_svg(const model::CountingTask& task, const DiagramParts& parts,
                         const answer::Trace* witness, const std::string& name,
                         const std::string& warning) {
  const auto& system = std::get<ThreadSystem>(task.model);
  const std::size_t states = grid_of(system, task.question).nodes.size();
  if (states == 0 || states > kMostDrawnThreadStates)
    return summary_svg(system, parts, states, name, warning);
  return QuotientPicture(task, parts, witness).draw(name, warning);
}

}  // namespace heddle::output::picture
