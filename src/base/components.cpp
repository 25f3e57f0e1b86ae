#include "base/components.hpp"

#include <algorithm>
#include <utility>

namespace heddle::base {

namespace {

class ComponentSearch {
 public:
  explicit ComponentSearch(const Graph& graph)
      : graph_(graph), number_(graph.nodes, kUnseen), low_(graph.nodes) {}

  void search_from(std::uint32_t root) {
    if (number_[root] != kUnseen) return;
    enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      const auto to = graph_.successor(visit.node, visit.next++);
      if (!to)
        leave(visit.node);
      else if (number_[*to] == kUnseen)
        enter(*to);
      else if (number_[*to] != kDone)
        low_[visit.node] = std::min(low_[visit.node], number_[*to]);
    }
  }

  std::vector<std::vector<std::uint32_t>> take() { return std::move(components_); }

 private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;
  static constexpr std::uint32_t kDone = UINT32_MAX - 1;  ///< in a complete component

  struct Visit {
    std::uint32_t node;
    std::size_t next = 0;  ///< position of the next successor
  };

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = count_++;
    open_.push_back(node);
    visits_.push_back({node});
  }

  /// A component is complete when everything that it leads to is, hence the order.
  void leave(std::uint32_t node) {
    visits_.pop_back();
    if (!visits_.empty()) {
      std::uint32_t& low = low_[visits_.back().node];
      low = std::min(low, low_[node]);
    }
    if (low_[node] != number_[node]) return;
    std::vector<std::uint32_t>& component = components_.emplace_back();
    do {
      component.push_back(open_.back());
      open_.pop_back();
      number_[component.back()] = kDone;
    } while (component.back() != node);
  }

  const Graph& graph_;
  std::vector<std::uint32_t> number_;  ///< in the order of first visits
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> open_;  ///< visited, but in no complete component yet
  std::vector<Visit> visits_;
  std::vector<std::vector<std::uint32_t>> components_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> strongly_connected_components(
    const Graph& graph, const std::function<bool(std::uint32_t)>& is_root) {
  ComponentSearch search(graph);
  for (std::uint32_t node = 0; node < graph.nodes; ++node)
    if (is_root(node)) search.search_from(node);
  return search.take();
}

std::vector<std::vector<std::uint32_t>> strongly_connected_components(
    const std::vector<std::vector<std::uint32_t>>& successors) {
  const auto successor = [&](std::uint32_t node, std::size_t position) {
    const std::vector<std::uint32_t>& list = successors[node];
    return position < list.size() ? std::optional(list[position]) : std::nullopt;
  };
  return strongly_connected_components({successors.size(), successor});
}

}  // namespace heddle::base
