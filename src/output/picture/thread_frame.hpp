#pragma once

/// The plane of thread states: a row per shared state, a column per local state.

#include <string>
#include <vector>

#include "model/task.hpp"
#include "output/picture/svg.hpp"
#include "output/picture/thread_grid.hpp"

namespace heddle::output::picture {

/// `2|7`: the numbers of its shared and its local state.
std::string state_text(model::ThreadState state);

/// Where the thread states of a grid lie, and how they and the headings are drawn. Refers to the
/// system and the grid, which must have a node.
class ThreadFrame {
 public:
  ThreadFrame(const model::ThreadSystem& system, const ThreadGrid& grid, Point corner);

  Point place(model::ThreadState state) const;
  const std::vector<Point>& centres() const { return centres_; }  ///< of all nodes
  Point end() const;                                              ///< the lower right corner

  void draw_headings(Svg& svg) const;
  /// `extra` are classes beside those that say whether the node is initial or a target.
  void draw_node(Svg& svg, model::ThreadState state, const GridNode& node,
                 const std::string& extra = {}) const;

 private:
  const model::ThreadSystem& system_;
  const ThreadGrid& grid_;
  Point corner_;
  std::vector<Point> centres_;
};

}  // namespace heddle::output::picture
