#include "check/shared_graph.hpp"

#include <algorithm>

#include "check/live_transitions.hpp"

namespace heddle::check {

namespace {

using model::SharedState;

std::vector<SharedState> shared_states(const model::ThreadSystem& system,
                                       const model::Question& question,
                                       const std::vector<std::uint32_t>& live) {
  std::vector<SharedState> shared;
  for (const std::uint32_t t : live) {
    shared.push_back(system.transitions[t].source.shared);
    shared.push_back(system.transitions[t].target.shared);
  }
  for (const model::Region& region : question.initial) shared.push_back(region.shared);
  for (const model::Region& region : question.targets) shared.push_back(region.shared);
  std::ranges::sort(shared);
  const auto repeated = std::ranges::unique(shared);
  shared.erase(repeated.begin(), repeated.end());
  return shared;
}

/// Tarjan's algorithm without recursion. A component is complete when everything that it leads to
/// is, hence the order.
class ComponentSearch {
 public:
  explicit ComponentSearch(const std::vector<std::vector<std::uint32_t>>& successors)
      : successors_(successors), number_(successors.size(), kUnseen), low_(successors.size()) {}

  std::vector<std::vector<std::uint32_t>> run() {
    for (std::uint32_t node = 0; node < successors_.size(); ++node)
      if (number_[node] == kUnseen) search(node);
    return std::move(components_);
  }

 private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;
  static constexpr std::uint32_t kDone = UINT32_MAX - 1;

  struct Visit {
    std::uint32_t node;
    std::size_t next = 0;  ///< successor
  };

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = count_++;
    open_.push_back(node);
    visits_.push_back({node});
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      if (visit.next == successors_[visit.node].size()) {
        leave(visit.node);
        continue;
      }
      const std::uint32_t to = successors_[visit.node][visit.next++];
      if (number_[to] == kUnseen)
        enter(to);
      else if (number_[to] != kDone)
        low_[visit.node] = std::min(low_[visit.node], number_[to]);
    }
  }

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

  const std::vector<std::vector<std::uint32_t>>& successors_;
  std::vector<std::uint32_t> number_, low_;
  std::vector<std::uint32_t> open_;
  std::vector<Visit> visits_;
  std::vector<std::vector<std::uint32_t>> components_;
  std::uint32_t count_ = 0;
};

}  // namespace

SharedGraph::SharedGraph(const model::ThreadSystem& system, const model::Question& question) {
  const std::vector<std::uint32_t> live = live_transitions(system, question);
  shared_ = shared_states(system, question, live);
  from_.resize(shared_.size());
  for (const std::uint32_t t : live) {
    const model::ThreadTransition& transition = system.transitions[t];
    const std::uint32_t from = node_of(transition.source.shared);
    from_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({t, from, node_of(transition.target.shared), transition.has_constant_effect()});
  }
  find_components();
}

std::uint32_t SharedGraph::node_of(SharedState shared) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(shared_, shared) - shared_.begin());
}

void SharedGraph::find_components() {
  std::vector<std::vector<std::uint32_t>> successors(shared_.size());
  for (const Arc& arc : arcs_) successors[arc.from].push_back(arc.to);
  component_.resize(shared_.size());
  for (std::vector<std::uint32_t>& nodes : ComponentSearch(successors).run()) {
    for (const std::uint32_t node : nodes)
      component_[node] = static_cast<std::uint32_t>(components_.size());
    components_.push_back({Kind::Trivial, std::move(nodes), {}});
  }
  for (Component& component : components_) classify(component);
}

void SharedGraph::classify(Component& component) const {
  std::size_t inner = 0;
  bool constant = true;
  for (const std::uint32_t node : component.nodes)
    for (const std::uint32_t arc : from_[node]) {
      if (!is_inner(arcs_[arc])) continue;
      ++inner;
      constant = constant && arcs_[arc].is_constant;
    }
  if (inner == 0) return;
  component.kind = constant && inner == component.nodes.size() ? Kind::SimpleLoop : Kind::Spaghetti;
  if (component.kind == Kind::SimpleLoop) follow_loop(component);
}

/// As many inner arcs as nodes, and at least one out of each: exactly one out of each, and since
/// every node can be reached from every other, they form one cycle.
void SharedGraph::follow_loop(Component& component) const {
  std::uint32_t node = component.nodes.front();
  component.nodes.clear();
  do {
    component.nodes.push_back(node);
    for (const std::uint32_t arc : from_[node])
      if (is_inner(arcs_[arc])) component.loop.push_back(arcs_[arc]);
    node = component.loop.back().to;
  } while (node != component.nodes.front());
}

}  // namespace heddle::check
