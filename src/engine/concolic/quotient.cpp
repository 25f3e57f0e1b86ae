#include "engine/concolic/quotient.hpp"

#include <algorithm>

namespace heddle::engine::concolic {

/// Components are numbered sinks first, so one pass downward follows every arc from its beginning
/// to its end, and one pass upward follows it back.

Quotient::Quotient(const Diagram& diagram, const model::CountingQuestion& question)
    : diagram_(diagram) {
  const std::size_t n = diagram.components().size();
  for (auto* flags :
       {&reached_, &begins_simply_, &past_tangle_, &reaches_, &ends_simply_, &before_tangle_})
    flags->assign(n, false);
  search_forward(question);
  search_backward(question);
  for (ComponentId c = 0; c < n; ++c)
    loops_on_simple_paths_ += is_loop(c) && begins_simply_[c] && ends_simply_[c];
}

void Quotient::search_forward(const model::CountingQuestion& question) {
  for (const model::Region& region : question.initial) {
    const ComponentId c = component(region.shared.value);
    reached_[c] = true;
    begins_simply_[c] = !is_spaghetti(c);
  }
  for (std::size_t i = reached_.size(); i-- > 0;) {
    if (!reached_[i]) continue;
    const auto c = static_cast<ComponentId>(i);
    if (is_spaghetti(c)) past_tangle_[c] = true;
    for (const Node node : diagram_.components()[c].nodes)
      for (const std::uint32_t index : diagram_.out_of(node)) {
        const Arc& arc = diagram_.arcs()[index];
        if (diagram_.is_inner(arc)) continue;
        const ComponentId to = component(arc.to);
        reached_[to] = true;
        if (past_tangle_[c] || !arc.summable) past_tangle_[to] = true;
        if (begins_simply_[c] && arc.summable && !is_spaghetti(to)) begins_simply_[to] = true;
      }
  }
}

void Quotient::search_backward(const model::CountingQuestion& question) {
  for (const model::Region& region : question.targets) {
    if (!is_reachable(region.shared.value)) continue;
    const ComponentId c = component(region.shared.value);
    reaches_[c] = true;
    ends_simply_[c] = !is_spaghetti(c);
  }
  for (ComponentId c = 0; c < reaches_.size(); ++c) {
    if (!reaches_[c]) continue;
    if (is_spaghetti(c)) before_tangle_[c] = true;
    for (const Node node : diagram_.components()[c].nodes)
      for (const std::uint32_t index : diagram_.into(node)) {
        const Arc& arc = diagram_.arcs()[index];
        if (diagram_.is_inner(arc)) continue;
        const ComponentId from = component(arc.from);
        reaches_[from] = true;
        if (before_tangle_[c] || !arc.summable) before_tangle_[from] = true;
        if (ends_simply_[c] && arc.summable && !is_spaghetti(from)) ends_simply_[from] = true;
      }
  }
}

bool Quotient::begins_simply(const Arc& arc) const {
  return arc.summable && begins_simply_[component(arc.from)];
}

bool Quotient::on_spaghetti_path(const Arc& arc) const {
  const ComponentId from = component(arc.from);
  const ComponentId to = component(arc.to);
  if (!reached_[from] || !reaches_[to]) return false;
  return !arc.summable || past_tangle_[from] || before_tangle_[to];
}

PathCounts Quotient::count_paths(const model::CountingQuestion& question) const {
  // Of the paths from each component on: those without a loop, all simple ones, all.
  const std::size_t n = reaches_.size();
  std::vector<double> loop_free(n, 0), simple(n, 0), all(n, 0);
  const auto add = [&](ComponentId from, double free, double plain, double any) {
    if (!is_spaghetti(from) && !is_loop(from)) loop_free[from] += free;
    if (!is_spaghetti(from)) simple[from] += plain;
    all[from] += any;
  };
  std::vector<bool> ends(n, false), begins(n, false);
  for (const auto& region : question.targets)
    if (is_reachable(region.shared.value)) ends[component(region.shared.value)] = true;
  for (const auto& region : question.initial) begins[component(region.shared.value)] = true;
  PathCounts result;
  for (ComponentId c = 0; c < n; ++c) {
    if (ends[c]) add(c, 1, 1, 1);
    for (const Node node : diagram_.components()[c].nodes)
      for (const std::uint32_t index : diagram_.out_of(node)) {
        const Arc& arc = diagram_.arcs()[index];
        if (diagram_.is_inner(arc)) continue;
        const ComponentId to = component(arc.to);
        add(c, arc.summable ? loop_free[to] : 0, arc.summable ? simple[to] : 0, all[to]);
      }
    if (!begins[c]) continue;
    result.loop_free += loop_free[c];
    result.simple += simple[c] - loop_free[c];
    result.spaghetti += all[c] - simple[c];
  }
  return result;
}

}  // namespace heddle::engine::concolic
