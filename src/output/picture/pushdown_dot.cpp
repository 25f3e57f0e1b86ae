#include "output/picture/pushdown_dot.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "output/picture/dot.hpp"
#include "output/words.hpp"

namespace heddle::output::picture {

namespace {

using model::PushdownRule;
using model::PushdownSystem;
using model::SharedState;
using model::Top;

/// What one thread sees, or the shared state after a pop.
struct Sight {
  std::uint32_t thread = 0;
  SharedState shared;
  Top top;
  bool after_pop = false;
  friend auto operator<=>(const Sight&, const Sight&) = default;
};

Sight source_of(const PushdownRule& rule) { return {rule.thread, rule.from, rule.top, false}; }

Sight target_of(const PushdownRule& rule) {
  if (!rule.pushed.empty()) return {rule.thread, rule.to, rule.pushed.front(), false};
  return {rule.thread, rule.to, std::nullopt, rule.top.has_value()};
}

class PushdownDot {
 public:
  explicit PushdownDot(const model::PushdownTask& task) : task_(task) {
    for (const PushdownRule& rule : task.model.transitions) {
      all_.insert(source_of(rule));
      all_.insert(target_of(rule));
      rules_[source_of(rule)].push_back(&rule);
    }
    choose();
  }

  std::string text(const std::string& name) const {
    std::string out = "digraph pushdown {\n" + head(name).text() +
                      "  node [fontname=\"DejaVu Sans\", fontsize=10, shape=box, "
                      "style=\"rounded,filled\", fillcolor=\"#f4f6fa\", color=\"#5b6b8c\"];\n"
                      "  edge [fontname=\"DejaVu Sans\", fontsize=9, color=\"#44557a\"];\n";
    for (std::uint32_t thread = 0; thread < task_.model.threads.size(); ++thread)
      out += frame(thread);
    return out + edges() + "}\n";
  }

 private:
  /// Breadth first from the initial tops, each thread's own; then the rest in order. Threads change
  /// the shared state for each other, so that not all can be reached by one thread's rules.
  void choose() {
    std::vector<Sight> open;
    for (const model::VisibleState& initial : task_.question.initial)
      for (std::uint32_t thread = 0; thread < task_.model.threads.size(); ++thread) {
        const model::ThreadTop* top = initial.find(thread);
        open.push_back({thread, initial.shared, top ? top->top : std::nullopt, false});
      }
    open.insert(open.end(), all_.begin(), all_.end());
    for (const Sight& first : open) take_from(first);
  }

  /// All that the thread's rules reach from there, breadth first, as long as there is room.
  void take_from(const Sight& first) {
    for (std::deque<Sight> open{first}; !open.empty(); open.pop_front()) {
      if (shown_.size() >= kMostPushdownNodes) return;
      if (!all_.contains(open.front()) || !shown_.insert(open.front()).second) continue;
      if (const auto rules = rules_.find(open.front()); rules != rules_.end())
        for (const PushdownRule* rule : rules->second) open.push_back(target_of(*rule));
    }
  }

  static std::string node(const Sight& sight) {
    return "t" + std::to_string(sight.thread) + "_" + std::to_string(sight.shared.value) + "_" +
           (sight.after_pop ? "pop"
            : sight.top     ? std::to_string(sight.top->value)
                            : "empty");
  }

  std::string symbol(std::uint32_t thread, const Top& top) const {
    if (!top) return "-";
    const model::PushdownThread& owner = task_.model.threads[thread];
    const std::size_t index = top->value - owner.first.value;
    const bool named = top->value >= owner.first.value && index < owner.symbol_names.size() &&
                       !owner.symbol_names[index].empty();
    return std::to_string(top->value) + (named ? " (" + owner.symbol_names[index] + ")" : "");
  }

  std::string shared(SharedState state) const {
    const auto& names = task_.model.shared_names;
    const bool named = state.index() < names.size() && !names[state.index()].empty();
    return std::to_string(state.value) + (named ? " (" + names[state.index()] + ")" : "");
  }

  bool is_initial(const Sight& sight) const {
    return !sight.after_pop &&
           std::ranges::any_of(task_.question.initial, [&](const model::VisibleState& initial) {
             const model::ThreadTop* top = initial.find(sight.thread);
             return initial.shared == sight.shared && (top ? top->top : std::nullopt) == sight.top;
           });
  }

  /// Is it this thread's part of a target that says something about its stack?
  bool is_part_of_target(const Sight& sight) const {
    return !sight.after_pop &&
           std::ranges::any_of(task_.question.targets, [&](const model::VisibleState& target) {
             const model::ThreadTop* top = target.find(sight.thread);
             return target.shared == sight.shared && top && top->top == sight.top;
           });
  }

  std::string look(const Sight& sight) const {
    if (is_part_of_target(sight)) return ", fillcolor=\"#fbdcd9\", color=\"#b3261e\", penwidth=2";
    if (is_initial(sight)) return ", fillcolor=\"#d3efd9\", color=\"#1b7a36\"";
    return sight.after_pop ? ", style=\"rounded,dashed\"" : "";
  }

  std::string frame(std::uint32_t thread) const {
    std::string out = "  subgraph cluster_" + std::to_string(thread) +
                      " {\n    color=\"#c3cad8\"; fontsize=11; label=" +
                      dot_quoted("thread " + std::to_string(thread)) + ";\n";
    for (const Sight& sight : shown_) {
      if (sight.thread != thread) continue;
      const std::string label =
          shared(sight.shared) + " | " + (sight.after_pop ? "…" : symbol(thread, sight.top));
      out += "    " + node(sight) + " [label=" + dot_quoted(label) + look(sight) + "];\n";
    }
    return out + "  }\n";
  }

  std::string edges() const {
    std::string out;
    for (const PushdownRule& rule : task_.model.transitions) {
      const Sight from = source_of(rule), to = target_of(rule);
      if (!shown_.contains(from) || !shown_.contains(to)) continue;
      const bool pushes = rule.pushed.size() > (rule.top ? 1u : 0u);
      const bool pops = rule.pushed.empty() && rule.top;
      out += "  " + node(from) + " -> " + node(to) + " [tooltip=" +
             dot_quoted("line " + std::to_string(rule.line) + ": " + model::to_string(rule));
      if (pushes)
        out +=
            ", color=\"#1b7a36\", label=" +
            dot_quoted(rule.pushed.size() > 1 ? "call, over " + symbol(rule.thread, rule.pushed[1])
                                              : "push");
      if (pops) out += ", style=dashed, label=\"return\"";
      out += "];\n";
    }
    return out;
  }

  DotHead head(const std::string& name) const {
    DotHead head(name);
    if (shown_.size() < all_.size())
      head.remark("the " + std::to_string(shown_.size()) + " of " + std::to_string(all_.size()) +
                  " thread states nearest to the start");
    std::vector<std::string> targets;
    for (const model::VisibleState& target : task_.question.targets)
      targets.push_back(target_to_string(task_.model, target));
    head.targets(targets);
    head.node("#f4f6fa", "#5b6b8c", "s | a: shared state and top of the stack");
    const auto shows = [&](auto holds) { return std::ranges::any_of(shown_, holds); };
    if (shows([&](const Sight& sight) { return is_initial(sight); }))
      head.node("#d3efd9", "#1b7a36", "initial");
    if (shows([&](const Sight& sight) { return is_part_of_target(sight); }))
      head.node("#fbdcd9", "#b3261e", "one thread's part of a target");
    if (shows([](const Sight& sight) { return sight.after_pop; })) {
      head.edge("⬚", "#5b6b8c", "s | …: after a return, whatever comes up");
      head.edge("┄┄►", "#44557a", "return: a symbol is popped");
    }
    head.edge("──►", "#1b7a36", "call: a symbol is pushed");
    return head;
  }

  const model::PushdownTask& task_;
  std::set<Sight> all_;
  std::map<Sight, std::vector<const PushdownRule*>> rules_;
  std::set<Sight> shown_;
};

}  // namespace

std::string pushdown_dot(const model::PushdownTask& task, const std::string& name) {
  return PushdownDot(task).text(name);
}

}  // namespace heddle::output::picture
