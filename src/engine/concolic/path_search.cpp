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
/// What the closed thread states exclude along the way cannot happen, so it is required to be 0,
/// which ends many paths early.
///
/// Paths share what they have in common: they are read from the target, so those with a common end
/// have it in common here as one demand; and a demand is dropped if an earlier one at the same node
/// lies below it for all values of the unknowns (SymbolicDemand::below), since whatever path goes
/// on from the later one goes on from the earlier one. Without loops that is the antichain of the
/// ordinary backward search: the number of paths does not matter, that of minimal demands does.
///
/// What makes a search long is not how many demands there are but how many *rivals*: demands at a
/// node that has another one already. A chain of any length has none. So the limit is on these.
///
/// A demand can be as long as its path. It is needed for as long as others can arrive at its node,
/// and none can once nothing waits in its component or nearer to the targets: arcs between
/// components lead one way. Then it is released, and what remains of the element is how its path
/// goes on. So a chain takes memory in proportion to its length, although each demand does.

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>

#include "base/invariant.hpp"
#include "engine/concolic/backward_steps.hpp"
#include "engine/concolic/feasibility.hpp"
#include "engine/concolic/path_element.hpp"

namespace heddle::engine::concolic {

using base::Integer;

class PathSearch::Implementation {
 public:
  Implementation(const model::CountingTask& task, const Diagram& diagram, const Quotient& quotient,
                 const coverability::ThreadStateRows& reachable, base::RunContext& context)
      : question_(task.question),
        diagram_(diagram),
        quotient_(quotient),
        reachable_(reachable),
        steps_(task, diagram),
        ranking_(diagram, task.question),
        context_(context),
        at_node_(diagram.node_count()),
        waiting_in_(diagram.components().size(), 0) {
    for (const model::Region& target : question_.targets) add_target(target);
  }

  PathSearchResult resume(std::size_t most_rivals) {
    const auto result = search(most_rivals);
    context_.statistics().set("symbolic demands", static_cast<double>(elements_.size()));
    context_.statistics().set("solver calls", static_cast<double>(feasibility_.solver_calls()));
    context_.statistics().set("inequalities", static_cast<double>(feasibility_.assertions()));
    return result;
  }

 private:
  PathSearchResult search(std::size_t most_rivals) {
    while (const auto next = take_next()) {
      const std::uint32_t id = *next;
      if (const auto stop = context_.step()) return PathSearchStopped{*stop};
      if (!is_superfluous(id)) {
        if (auto solution = met_initially(elements_[id]))
          return PathFound{stretches(id, *solution)};
        expand(id);
        if (stop_) return PathSearchStopped{*stop_};
      }
      --waiting_in_[diagram_.component_of(elements_[id].node)];
      release_demands();
      report_progress();
      if (rivals_ > most_rivals) return PathsUnfinished{};
    }
    if (undecided_) return PathsUndecided{};
    return NoPath{};
  }

  void report_progress() {
    if (elements_.size() % 64 != 0 || !context_.wants_event()) return;
    context_.emit({"paths",
                   {{"symbolic demands", static_cast<double>(elements_.size())},
                    {"waiting", static_cast<double>(waiting_)},
                    {"solver calls", static_cast<double>(feasibility_.solver_calls())}}});
  }

  void add_target(const model::Region& target) {
    const Node node = target.shared.value;
    if (!quotient_.begins_simply(node)) return;
    Element element{node, 0, false, kNone, kNone, {}, false, 0, {}, {}};
    for (const model::CounterBound& bound : target.bounds) {
      const std::uint32_t local = bound.counter.value;
      if (bound.lower == 0) continue;
      if (!reachable_.contains(node, local)) return;
      if (steps_.is_limited(local)) element.demand.raise(local, bound.lower);
    }
    arrive(std::move(element));
  }

  /// Into a node from another component, or at the target.
  void arrive(Element element) {
    const Component& component = diagram_.component(element.node);
    if (component.shape == Shape::SimpleLoop) {
      element.left = static_cast<std::uint32_t>(component.nodes.size()) - 1;
      element.repeated = true;
      element.so_far.path_class = std::max(element.so_far.path_class, class_of(component));
      element.loops.push_back(diagram_.component_of(element.node));
      element.demand.repeat(steps_.round(element.node), element.loops.back());
    }
    add(std::move(element));
  }

  void add(Element element) {
    const auto possible = [&](std::uint32_t local) {
      return reachable_.contains(element.node, local);
    };
    if (!element.demand.require(possible)) return;
    auto& here = at_node_[element.node];
    for (const std::uint32_t id : here)
      if (subsumes(elements_[id], element)) return;
    if (!ceilings_hold(element)) return;
    const auto id = static_cast<std::uint32_t>(elements_.size());
    if (!here.empty()) ++rivals_;
    here.push_back(id);
    const auto rank = ranking_.best(element.node, element.so_far);
    HEDDLE_INVARIANT(rank, "a path is followed only if it can begin initially");
    const auto component = diagram_.component_of(element.node);
    by_rank_.push({*rank, ~element.so_far.length, id});
    by_component_.push({rank->path_class, component, element.so_far.length, id});
    ++waiting_;
    ++waiting_in_[component];
    elements_.push_back(std::move(element));
  }

  /// Every other time the one whose paths rank first, so that a path that carries a run is met
  /// early; else one of the component nearest to the targets, so that it has met all its rivals.
  std::optional<std::uint32_t> take_next() {
    if (waiting_ == 0) return std::nullopt;
    by_turns_ = !by_turns_;
    const std::uint32_t id = by_turns_ ? take(by_rank_) : take(by_component_);
    elements_[id].taken_up = true;
    --waiting_;
    return id;
  }

  /// What the other queue has given out is still in this one.
  template <class Queue>
  std::uint32_t take(Queue& queue) {
    while (elements_[queue.top().id].taken_up) queue.pop();
    const std::uint32_t id = queue.top().id;
    queue.pop();
    return id;
  }

  /// Has another one turned up since that serves for it? It stays, and serves for no others then.
  bool is_superfluous(std::uint32_t id) {
    auto& here = at_node_[elements_[id].node];
    const bool superfluous = std::ranges::any_of(here, [&](std::uint32_t other) {
      return other != id && subsumes(elements_[other], elements_[id]);
    });
    if (superfluous) {
      std::erase(here, id);
      release(elements_[id]);
    }
    return superfluous;
  }

  void expand(std::uint32_t id) {
    for (const std::uint32_t index : diagram_.into(elements_[id].node)) {
      if (stop_) return;
      const Arc& arc = diagram_.arcs()[index];
      const bool inner = diagram_.is_inner(arc);
      if (inner ? elements_[id].left == 0 : !quotient_.begins_simply(arc)) continue;
      const Element& old = elements_[id];
      Element next{arc.from, 0, false, index, id, {}, false, old.checked, old.loops, old.demand};
      next.so_far = {old.so_far.path_class, old.so_far.length + 1};
      next.demand.fire(steps_.arc(index));
      if (inner) {
        next.left = old.left - 1;
        add(std::move(next));
      } else {
        arrive(std::move(next));
      }
    }
  }

  /// Of the components in which nothing can arrive any more.
  void release_demands() {
    for (; released_ < waiting_in_.size() && waiting_in_[released_] == 0; ++released_)
      for (const Node node : diagram_.components()[released_].nodes) {
        for (const std::uint32_t id : at_node_[node]) release(elements_[id]);
        at_node_[node] = {};
      }
  }

  static void release(Element& element) {
    element.demand = {};
    element.loops = {};
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
          result.push_back({steps_.round_forward(element.node), rounds->second});
      }
      if (element.arc != kNone) result.push_back({{diagram_.arcs()[element.arc].transition}, 1});
    }
    return result;
  }

  struct ByRank {
    Rank rank;
    std::uint32_t to_go;  // ordered like the number of arcs that are missing
    std::uint32_t id;
    friend auto operator<=>(const ByRank&, const ByRank&) = default;
  };
  struct ByComponent {
    PathClass path_class;
    ComponentId component;
    std::uint32_t length;
    std::uint32_t id;
    friend auto operator<=>(const ByComponent&, const ByComponent&) = default;
  };
  template <class Entry>
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  const model::CountingQuestion& question_;
  const Diagram& diagram_;
  const Quotient& quotient_;
  const coverability::ThreadStateRows& reachable_;
  const BackwardSteps steps_;
  const Ranking ranking_;
  base::RunContext& context_;
  FeasibilityCheck feasibility_;
  std::deque<Element> elements_;
  std::vector<std::vector<std::uint32_t>> at_node_;
  Queue<ByRank> by_rank_;
  Queue<ByComponent> by_component_;
  std::size_t waiting_ = 0;
  std::vector<std::size_t> waiting_in_;  // by component; with the one that is being taken up
  ComponentId released_ = 0;             // nothing arrives in the components before it
  std::size_t rivals_ = 0;
  bool by_turns_ = false;
  std::optional<base::StopReason> stop_;
  bool undecided_ = false;
};

PathSearch::PathSearch(const model::CountingTask& task, const Diagram& diagram,
                       const Quotient& quotient, const coverability::ThreadStateRows& reachable,
                       base::RunContext& context)
    : implementation_(
          std::make_unique<Implementation>(task, diagram, quotient, reachable, context)) {}

PathSearch::~PathSearch() = default;

PathSearchResult PathSearch::resume(std::size_t most_rivals) {
  return implementation_->resume(most_rivals);
}

}  // namespace heddle::engine::concolic
