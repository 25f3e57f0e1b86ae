#include "check/pathwise/spaghetti_slice.hpp"

namespace heddle::check {

namespace {

using Arc = SharedGraph::Arc;
using Nodes = std::vector<bool>;

/// A set of nodes, closed under the arcs that `follow` admits, along their direction or against it.
class Search {
 public:
  template <class Follow>
  Search(const SharedGraph& graph, bool backward, Follow follow) : next_(graph.node_count()) {
    for (const Arc& arc : graph.arcs())
      if (follow(arc)) next_[backward ? arc.to : arc.from].push_back(backward ? arc.from : arc.to);
  }

  Nodes from(Nodes start) const {
    std::vector<std::uint32_t> open;
    for (std::uint32_t node = 0; node < start.size(); ++node)
      if (start[node]) open.push_back(node);
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      for (const std::uint32_t to : next_[node]) {
        if (start[to]) continue;
        start[to] = true;
        open.push_back(to);
      }
    }
    return start;
  }

 private:
  std::vector<std::vector<std::uint32_t>> next_;
};

Nodes nodes_of(const SharedGraph& graph, const std::vector<model::Region>& regions) {
  Nodes nodes(graph.node_count());
  for (const model::Region& region : regions) nodes[graph.node_of(region.shared)] = true;
  return nodes;
}

class Slicing {
 public:
  Slicing(const SharedGraph& graph, const model::CountingQuestion& question)
      : graph_(graph),
        question_(question),
        initial_(nodes_of(graph, question.initial)),
        final_(nodes_of(graph, question.targets)) {}

  Slices run() {
    const auto any = [](const Arc&) { return true; };
    const Search forward(graph_, false, any);
    const Search backward(graph_, true, any);
    from_initial_ = forward.from(initial_);
    to_final_ = backward.from(final_);
    // Where spaghetti has been met on the way there, and where it is met on the way on.
    const Nodes after = forward.from(spaghetti(from_initial_, &Arc::to));
    const Nodes before = backward.from(spaghetti(to_final_, &Arc::from));
    Slices result;
    for (const Arc& arc : graph_.arcs())
      if (from_initial_[arc.from] && to_final_[arc.to] &&
          (after[arc.from] || before[arc.to] || !arc.is_constant))
        result.spaghetti.push_back(arc.transition);
    for (const model::Region& target : question_.targets)
      result.ends_spaghetti.push_back(after[graph_.node_of(target.shared)]);
    result.on_other = others();
    return result;
  }

 private:
  /// The nodes of spaghetti components and those ends of arcs without constant effect that
  /// spaghetti has been met at, within `region`.
  Nodes spaghetti(const Nodes& region, std::uint32_t Arc::* end) const {
    Nodes nodes(graph_.node_count());
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
      nodes[node] = region[node] && graph_.is_spaghetti(node);
    for (const Arc& arc : graph_.arcs())
      if (!arc.is_constant && region[arc.from] && region[arc.to]) nodes[arc.*end] = true;
    return nodes;
  }

  Nodes others() const {
    const auto plain = [&](const Arc& arc) {
      return arc.is_constant && !graph_.is_spaghetti(arc.from) && !graph_.is_spaghetti(arc.to);
    };
    const auto without_spaghetti = [&](Nodes nodes) {
      for (std::uint32_t node = 0; node < nodes.size(); ++node)
        nodes[node] = nodes[node] && !graph_.is_spaghetti(node);
      return nodes;
    };
    Nodes nodes = Search(graph_, false, plain).from(without_spaghetti(initial_));
    const Nodes leading = Search(graph_, true, plain).from(without_spaghetti(final_));
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
      nodes[node] = nodes[node] && leading[node];
    return nodes;
  }

  const SharedGraph& graph_;
  const model::CountingQuestion& question_;
  Nodes initial_, final_;
  Nodes from_initial_, to_final_;
};

}  // namespace

Slices slices(const SharedGraph& graph, const model::CountingQuestion& question) {
  return Slicing(graph, question).run();
}

}  // namespace heddle::check
