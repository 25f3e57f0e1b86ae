#pragma once

/// Which parts of the diagram lie on paths from an initial to a target shared state, and how such
/// paths divide into simple ones and spaghetti (diagram.hpp).

#include <cstdint>
#include <vector>

#include "engine/concolic/diagram.hpp"

namespace heddle::engine::concolic {

/// How many paths of a kind the quotient has; beyond 2^53 only roughly.
struct PathCounts {
  double loop_free = 0;
  double simple = 0;
  double spaghetti = 0;
};

class Quotient {
 public:
  Quotient(const Diagram& diagram, const model::CountingQuestion& question);

  /// Is there a simple path that begins initially and ends with this arc, or in this node?
  bool begins_simply(const Arc& arc) const;
  bool begins_simply(Node node) const {
    return is_reachable(node) && begins_simply_[component(node)];
  }

  /// How many loops lie on simple paths from an initial to a target shared state?
  std::size_t loops_on_simple_paths() const { return loops_on_simple_paths_; }

  /// Is the arc on some spaghetti path? Does one end here?
  bool on_spaghetti_path(const Arc& arc) const;
  bool ends_spaghetti_path(Node target) const {
    return is_reachable(target) && past_tangle_[component(target)];
  }

  PathCounts count_paths(const model::CountingQuestion& question) const;

 private:
  bool is_reachable(Node node) const { return component(node) != kNoComponent; }
  ComponentId component(Node node) const { return diagram_.component_of(node); }
  bool is_spaghetti(ComponentId c) const {
    return diagram_.components()[c].shape == Shape::Spaghetti;
  }
  bool is_loop(ComponentId c) const { return diagram_.components()[c].shape == Shape::SimpleLoop; }
  void search_forward(const model::CountingQuestion& question);
  void search_backward(const model::CountingQuestion& question);

  const Diagram& diagram_;
  // By component. "Past" speaks of paths that begin initially, "before" of paths to a target; the
  // component itself counts.
  std::vector<bool> reached_;
  std::vector<bool> begins_simply_;
  std::vector<bool> past_tangle_;
  std::vector<bool> reaches_;
  std::vector<bool> ends_simply_;
  std::vector<bool> before_tangle_;
  std::size_t loops_on_simple_paths_ = 0;
};

}  // namespace heddle::engine::concolic
