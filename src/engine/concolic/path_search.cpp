#include "engine/concolic/path_search.hpp"

/// Backward along simple paths from the targets, with symbolic demands.
///
/// A path leads through trivial components and simple loops. Where it meets a loop, it enters at
/// one node and leaves at another; in between lie κ ≥ 0 full rounds and the way from entry to exit.
/// Read backward: from the exit, κ rounds that end where they begin, then fewer arcs than the loop
/// has, then out by an arc from elsewhere. So whatever arrives at a node of a loop from outside is
/// repeated κ times first, with κ left open; `left` says how many further arcs of the loop may be
/// taken before a round would be complete.
///
/// The demand at the beginning of a path is met by an initial region if no counter exceeds what
/// the region allows. By summary.hpp and affine.hpp that is a system of linear inequalities over
/// the unknowns of the path's loops, and it has a solution if and only if the path is the path
/// of a run from that region to the target.
///
/// Only counters that some initial region limits are followed: there is no more to know about the
/// others, since no counter influences another one. What the closed thread states exclude along the
/// way cannot happen, so it is required to be 0, which ends many paths early.
///
/// Paths share what they have in common: they are read from the target, so those with a common end
/// have it in common here as one demand; and a demand is dropped if an earlier one at the same node
/// lies below it for all values of the unknowns (SymbolicDemand::below), since whatever path goes
/// on from the later one goes on from the earlier one. Without loops that is the antichain of the
/// ordinary backward search: the number of paths does not matter, that of minimal demands does.

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>

#include "engine/concolic/feasibility.hpp"
#include "engine/concolic/path_element.hpp"

namespace heddle::engine::concolic {

namespace {

using base::Integer;
using model::ThreadSystem;

class PathSearch {
 public:
  PathSearch(const model::Task& task, const Diagram& diagram, const Quotient& quotient,
             const coverability::ThreadStateRows& reachable, base::RunContext& context)
      : system_(std::get<ThreadSystem>(task.model)),
        question_(task.question),
        diagram_(diagram),
        quotient_(quotient),
        reachable_(reachable),
        context_(context),
        limited_(system_.local_count, false),
        at_node_(system_.shared_count) {
    for (std::uint32_t local = 0; local < system_.local_count; ++local)
      limited_[local] = is_limited(model::LocalState(local));
  }

  PathSearchResult run() {
    const auto result = search();
    context_.statistics().set("symbolic demands", static_cast<double>(elements_.size()));
    context_.statistics().set("solver calls", static_cast<double>(feasibility_.solver_calls()));
    return result;
  }

 private:
  PathSearchResult search() {
    for (const model::Region& target : question_.targets) add_target(target);
    while (!queue_.empty()) {
      if (const auto stop = context_.step()) return PathSearchStopped{*stop};
      const std::uint32_t id = queue_.top().id;
      queue_.pop();
      if (is_superfluous(id)) continue;
      if (auto solution = met_initially(elements_[id])) return PathFound{stretches(id, *solution)};
      take_up(id);
      if (stop_) return PathSearchStopped{*stop_};
      if (elements_.size() > kMostSymbolicDemands) return PathsUndecided{};
      report_progress();
    }
    if (undecided_) return PathsUndecided{};
    return NoPath{};
  }

  void report_progress() {
    if (elements_.size() % 64 != 0 || !context_.wants_event()) return;
    context_.emit({"paths",
                   {{"symbolic demands", static_cast<double>(elements_.size())},
                    {"waiting", static_cast<double>(queue_.size())},
                    {"solver calls", static_cast<double>(feasibility_.solver_calls())}}});
  }

  bool is_limited(model::LocalState local) const {
    return std::ranges::any_of(question_.initial, [&](const model::Region& region) {
      const auto* bound = region.find(local);
      return !bound || bound->upper.has_value();
    });
  }

  void add_target(const model::Region& target) {
    const Node node = target.shared.value;
    if (!quotient_.begins_simply(node)) return;
    Element element{node, 0, false, kNone, kNone, 0, 0, 0, {}, {}};
    for (const model::CounterBound& bound : target.bounds) {
      const std::uint32_t local = bound.counter.value;
      if (bound.lower == 0) continue;
      if (!reachable_.contains(node, local)) return;
      if (limited_[local]) element.demand.raise(local, bound.lower);
    }
    arrive(std::move(element));
  }

  /// Into a node from another component, or at the target.
  void arrive(Element element) {
    const Component& component = diagram_.component(element.node);
    if (component.shape == Shape::SimpleLoop) {
      element.left = static_cast<std::uint32_t>(component.nodes.size()) - 1;
      element.repeated = true;
      element.promise = std::max(element.promise, component.expands ? 2u : 1u);
      element.loops.push_back(diagram_.component_of(element.node));
      element.demand.repeat(round_from(element.node), element.loops.back());
    }
    add(std::move(element));
  }

  /// The summary of one round of a loop, read backward from a node.
  Summary round_from(Node node) const {
    Summary round;
    for (const std::uint32_t arc : loop_backward(node)) round = then(round, summary(arc));
    return round;
  }

  std::vector<std::uint32_t> loop_backward(Node node) const {
    std::vector<std::uint32_t> arcs;
    Node at = node;
    do {
      arcs.push_back(diagram_.loop_arc_into(at));
      at = diagram_.arcs()[arcs.back()].from;
    } while (at != node);
    return arcs;
  }

  /// What firing an arc backward does to the counters that matter.
  Summary summary(std::uint32_t arc) const {
    Summary result = summary_of(system_.transitions[diagram_.arcs()[arc].transition]);
    std::erase_if(result, [&](const auto& entry) { return !limited_[entry.first]; });
    return result;
  }

  void add(Element element) {
    const auto possible = [&](std::uint32_t local) {
      return reachable_.contains(element.node, local);
    };
    if (!element.demand.require(possible)) return;
    auto& here = at_node_[element.node];
    for (const std::uint32_t id : here)
      if (serves_for(elements_[id], element)) return;
    if (!ceilings_hold(element)) return;
    const auto id = static_cast<std::uint32_t>(elements_.size());
    here.push_back(id);
    queue_.push({element.promise, diagram_.component_of(element.node), element.length, id});
    elements_.push_back(std::move(element));
  }

  /// Has another one turned up since that serves for it? It stays, and serves for no others then.
  bool is_superfluous(std::uint32_t id) {
    auto& here = at_node_[elements_[id].node];
    const bool superfluous = std::ranges::any_of(here, [&](std::uint32_t other) {
      return other != id && serves_for(elements_[other], elements_[id]);
    });
    if (superfluous) std::erase(here, id);
    return superfluous;
  }

  void take_up(std::uint32_t id) {
    for (const std::uint32_t index : diagram_.into(elements_[id].node)) {
      if (stop_) return;
      const Arc& arc = diagram_.arcs()[index];
      const bool inner = diagram_.is_inner(arc);
      if (inner ? elements_[id].left == 0 : !quotient_.begins_simply(arc)) continue;
      const Element& old = elements_[id];
      Element next{arc.from,       0,           false,     index,     id, old.promise,
                   old.length + 1, old.checked, old.loops, old.demand};
      next.demand.fire(summary(index));
      if (inner) {
        next.left = old.left - 1;
        add(std::move(next));
      } else {
        arrive(std::move(next));
      }
    }
  }

  // ------------------------------------------------------------ inequalities

  static std::vector<Inequality> ceilings(const SymbolicDemand& demand) {
    std::vector<Inequality> result;
    for (const Affine& form : demand.ceiling().forms()) result.push_back({form, 0});
    return result;
  }

  /// Whether a path can be given up before its end. Asks the solver only when there are twice as
  /// many ceilings as last time: in all, that costs no more than asking once, at the end.
  bool ceilings_hold(Element& element) {
    const std::size_t count = element.demand.ceiling().forms().size();
    if (count <= 2 * element.checked) return true;
    element.checked = count;
    return !std::holds_alternative<Infeasible>(solve(ceilings(element.demand)));
  }

  Feasibility solve(const std::vector<Inequality>& system) {
    Feasibility result = feasibility_.solve(system, context_);
    if (std::holds_alternative<Undecided>(result)) {
      stop_ = context_.stopped();
      undecided_ = true;
    }
    return result;
  }

  /// A choice of the unknowns for which some initial region meets the demand.
  std::optional<Solution> met_initially(const Element& element) {
    for (const model::Region& region : question_.initial) {
      if (region.shared.value != element.node) continue;
      auto result = solve(within(region, element.demand));
      if (auto* solution = std::get_if<Solution>(&result)) return std::move(*solution);
    }
    return std::nullopt;
  }

  std::vector<Inequality> within(const model::Region& region, const SymbolicDemand& demand) const {
    std::vector<Inequality> system = ceilings(demand);
    for (const auto& [counter, count] : demand.counts()) {
      const auto* bound = region.find(model::Counter(counter));
      if (bound && !bound->upper) continue;
      for (const Affine& form : count.forms())
        system.push_back({form, bound ? *bound->upper : Integer(0)});
    }
    return system;
  }

  // ------------------------------------------------------------ the run found

  std::vector<Stretch> stretches(std::uint32_t id, const Solution& solution) const {
    std::vector<Stretch> result;
    for (; id != kNone; id = elements_[id].parent) {
      const Element& element = elements_[id];
      if (element.repeated) {
        const auto rounds = solution.find(rounds_of(diagram_.component_of(element.node)));
        if (rounds != solution.end() && rounds->second > 0)
          result.push_back({round_forward(element.node), rounds->second});
      }
      if (element.arc != kNone) result.push_back({{diagram_.arcs()[element.arc].transition}, 1});
    }
    return result;
  }

  std::vector<std::uint32_t> round_forward(Node node) const {
    std::vector<std::uint32_t> transitions;
    for (const std::uint32_t arc : loop_backward(node))
      transitions.push_back(diagram_.arcs()[arc].transition);
    std::ranges::reverse(transitions);
    return transitions;
  }

  struct Entry {
    std::uint32_t promise;
    ComponentId component;
    std::uint32_t length;
    std::uint32_t id;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  const ThreadSystem& system_;
  const model::Question& question_;
  const Diagram& diagram_;
  const Quotient& quotient_;
  const coverability::ThreadStateRows& reachable_;
  base::RunContext& context_;
  FeasibilityCheck feasibility_;
  std::vector<bool> limited_;  // by local state: does some initial region limit it?
  std::deque<Element> elements_;
  std::vector<std::vector<std::uint32_t>> at_node_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::optional<base::StopReason> stop_;
  bool undecided_ = false;
};

}  // namespace

PathSearchResult search_simple_paths(const model::Task& task, const Diagram& diagram,
                                     const Quotient& quotient,
                                     const coverability::ThreadStateRows& reachable,
                                     base::RunContext& context) {
  return PathSearch(task, diagram, quotient, reachable, context).run();
}

}  // namespace heddle::engine::concolic
