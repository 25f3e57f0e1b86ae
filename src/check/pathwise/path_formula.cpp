#include "check/pathwise/path_formula.hpp"

#include "check/pathwise/counter_value.hpp"

namespace heddle::check {

namespace {

using base::Integer;
using term::Sort;
using term::Term;
using Arc = SharedGraph::Arc;
using Component = SharedGraph::Component;

/// A way from a node to a target: under which condition it is chosen, and what it asks for.
struct Way {
  Term chosen = term::constant(true);
  Values demand;
  Integer least_total = 0;  ///< it asks for at least so many threads in all
};

class Builder {
 public:
  Builder(const model::ThreadSystem& system, const model::CountingQuestion& question,
          const SharedGraph& graph, const Slices& slices, base::RunContext& context)
      : system_(system),
        question_(question),
        graph_(graph),
        slices_(slices),
        context_(context),
        ways_(graph.node_count()) {}

  std::expected<PathFormula, base::StopReason> run() {
    for (const Component& component : graph_.components()) {
      if (component.kind == SharedGraph::Kind::Trivial)
        ways_[component.nodes.front()] = beyond(component.nodes.front());
      if (component.kind == SharedGraph::Kind::SimpleLoop) add_loop(component);
      if (stopped_) return std::unexpected(*stopped_);
    }
    add_initial();
    return std::move(formula_);
  }

 private:
  Term fresh(const char* kind, Sort sort) {
    return term::variable(kind + std::to_string(names_++), sort);
  }
  void claim(Term fact) { formula_.assertions.push_back(std::move(fact)); }

  /// A number that is at least `least`, and that at least what else is claimed of it.
  Value number(const char* kind, const Integer& least) {
    const Term variable = fresh(kind, Sort::Integer);
    claim(term::at_least(variable, term::constant(least)));
    return {variable, 0, least};
  }

  /// max(value + shift, floor)
  Value updated(const Value& value, const Update& update) {
    Value shifted{value.variable, value.offset + update.shift, value.least + update.shift};
    if (shifted.least >= update.floor) return shifted;
    if (!value.variable) return Value::constant(update.floor);
    const Value result = number("n", update.floor);
    claim(term::at_least(result.term(), shifted.term()));
    return result;
  }

  /// The way that begins with this transition.
  Way before(const Arc& arc, Way way) {
    const model::ThreadTransition& t = system_.transitions[arc.transition];
    const bool is_spawn = t.kind == model::StepKind::Spawn;
    if (is_spawn && way.least_total > 0) --way.least_total;
    if (!is_spawn && !way.demand.contains(t.target.local.value)) ++way.least_total;
    way.demand = before(t, std::move(way.demand));
    return way;
  }

  /// What is asked for before a transition if `demand` is asked for after it.
  Values before(const model::ThreadTransition& t, Values demand) {
    for (const auto& [local, update] : updates_of(t)) {
      const Value value = updated(demand[local], update);
      if (!value.variable && value.offset == 0)
        demand.erase(local);
      else
        demand[local] = value;
    }
    return demand;
  }

  /// One way instead of several; nothing if there is none.
  std::optional<Way> merge(std::vector<Way> ways) {
    if (ways.empty()) return std::nullopt;
    if (ways.size() == 1) return std::move(ways.front());
    formula_.choices += ways.size();
    Way merged{fresh("p", Sort::Boolean), {}};
    std::vector<Term> one_of{term::negation(merged.chosen)};
    for (Way& way : ways) {
      const Term chosen = fresh("c", Sort::Boolean);
      claim(term::implication(chosen, way.chosen));
      one_of.push_back(way.chosen = chosen);
    }
    claim(term::disjunction(std::move(one_of)));
    merged.demand = merged_demand(ways);
    merged.least_total = std::ranges::min(ways, {}, &Way::least_total).least_total;
    claim(term::at_least(total(merged.demand), term::constant(merged.least_total)));
    return merged;
  }

  static Term total(const Values& demand) {
    std::vector<Term> terms;
    for (const auto& [local, value] : demand) terms.push_back(value.term());
    return term::sum(std::move(terms));
  }

  Values merged_demand(const std::vector<Way>& ways) {
    Values all;
    for (const Way& way : ways) all.insert(way.demand.begin(), way.demand.end());
    for (auto& [local, value] : all) {
      const auto of_way = [&, l = local](const Way& way) {
        const auto it = way.demand.find(l);
        return it == way.demand.end() ? Value() : it->second;
      };
      const Value first = of_way(ways.front());
      if (std::ranges::all_of(ways, [&](const Way& w) { return of_way(w).same_as(first); }))
        continue;
      Integer least = first.least;
      for (const Way& way : ways) least = std::min(least, of_way(way).least);
      value = number("d", least);
      for (const Way& way : ways)
        claim(term::implication(way.chosen, term::at_least(value.term(), of_way(way).term())));
    }
    return all;
  }

  /// The ways out of a node's component, and the targets in the node itself.
  std::optional<Way> beyond(std::uint32_t node) {
    if (!slices_.on_other[node]) return std::nullopt;
    std::vector<Way> ways;
    for (const model::Region& target : question_.targets)
      if (target.shared == graph_.shared_of(node)) ways.push_back(at_target(target));
    for (const std::uint32_t index : graph_.arcs_from(node)) {
      const Arc& arc = graph_.arcs()[index];
      if (!arc.is_constant || graph_.is_inner(arc) || !ways_[arc.to]) continue;
      if (!stopped_) stopped_ = context_.step();
      if (stopped_) return std::nullopt;
      ways.push_back(before(arc, *ways_[arc.to]));
    }
    return merge(std::move(ways));
  }

  static Way at_target(const model::Region& target) {
    Way way;
    const model::Configuration least = model::least_element(target);
    for (const auto& [local, count] : least.counts.entries())
      way.demand[local.value] = Value::constant(count);
    way.least_total = least.counts.total();
    return way;
  }

  /// For each exit: whole rounds, then back along the loop, which gives a way from each node.
  void add_loop(const Component& component) {
    ++formula_.loops;
    const std::size_t length = component.nodes.size();
    std::vector<std::vector<Way>> from(length);
    for (std::size_t exit = 0; exit < length; ++exit) {
      auto way = beyond(component.nodes[exit]);
      if (stopped_) return;
      if (!way) continue;
      if (starts_threads(component)) way->least_total = 0;
      way->demand = before_rounds(component, exit, std::move(way->demand));
      from[exit].push_back(*way);
      for (std::size_t back = 1; back < length; ++back) {
        const std::size_t node = (exit + length - back) % length;
        stopped_ = context_.step();
        if (stopped_) return;
        way = before(component.loop[node], std::move(*way));
        from[node].push_back(*way);
      }
    }
    for (std::size_t node = 0; node < length; ++node)
      ways_[component.nodes[node]] = merge(std::move(from[node]));
  }

  bool starts_threads(const Component& loop) const {
    return std::ranges::any_of(loop.loop, [&](const Arc& arc) {
      return system_.transitions[arc.transition].kind == model::StepKind::Spawn;
    });
  }

  /// Before some number of whole rounds that end in the exit.
  Values before_rounds(const Component& component, std::size_t exit, Values demand) {
    Updates round;
    const std::size_t length = component.loop.size();
    for (std::size_t back = 1; back <= length; ++back) {
      const Arc& arc = component.loop[(exit + length - back) % length];
      for (const auto& [local, update] : updates_of(system_.transitions[arc.transition]))
        round[local] = round[local].then(update);
    }
    const Value rounds = number("k", 0);
    const Term some = term::at_least(rounds.term(), term::constant(Integer(1)));
    for (const auto& [local, update] : round)
      demand[local] = repeated(demand[local], update, rounds, some);
    return demand;
  }

  Value repeated(const Value& value, const Update& round, const Value& rounds, const Term& some) {
    const bool keeps_floor = value.least >= round.floor && round.shift >= 0;
    if (keeps_floor && round.shift == 0) return value;
    const Integer& shift = round.shift;
    const Integer growth = std::max<Integer>(shift, 0);
    const Value result = number("n", shift >= 0 ? value.least : Integer(0));
    claim(term::at_least(result.term(),
                         term::sum({value.term(), term::product(shift, rounds.term())})));
    if (!keeps_floor)
      claim(term::implication(
          some, term::at_least(result.term(), term::sum({term::constant(round.floor - growth),
                                                         term::product(growth, rounds.term())}))));
    return result;
  }

  /// The way from some initial region asks for no more than the region has.
  void add_initial() {
    std::vector<Term> starts;
    for (const model::Region& region : question_.initial) {
      const auto& way = ways_[graph_.node_of(region.shared)];
      if (!way) continue;
      formula_.has_path = true;
      std::vector<Term> facts{way->chosen};
      for (const auto& [local, value] : way->demand) {
        const model::CounterBound* bound = region.find(model::LocalState(local));
        if (bound && !bound->upper) continue;
        facts.push_back(
            term::at_most(value.term(), term::constant(bound ? *bound->upper : Integer(0))));
      }
      starts.push_back(term::conjunction(std::move(facts)));
    }
    const Term start = term::disjunction(std::move(starts));
    formula_.is_open = start.op() != term::Operator::Boolean || start.boolean();
    claim(start);
  }

  const model::ThreadSystem& system_;
  const model::CountingQuestion& question_;
  const SharedGraph& graph_;
  const Slices& slices_;
  base::RunContext& context_;
  std::vector<std::optional<Way>> ways_;  ///< by node
  PathFormula formula_;
  std::optional<base::StopReason> stopped_;
  std::size_t names_ = 0;
};

}  // namespace

std::expected<PathFormula, base::StopReason> path_formula(const model::ThreadSystem& system,
                                                          const model::CountingQuestion& question,
                                                          const SharedGraph& graph,
                                                          const Slices& slices,
                                                          base::RunContext& context) {
  return Builder(system, question, graph, slices, context).run();
}

}  // namespace heddle::check
