#include "engine/concolic/joint_paths.hpp"

/// A *station* is where a simple path can be: at the node of a trivial component, or in a loop that
/// it leaves at a node x, j arcs of the loop before x. A path visits each station at most once, and
/// no two of a loop with different x. With each station comes a Boolean, "the path comes here",
/// and for each counter a number of threads that suffices from here on, to the target.
///
/// From a station the path goes on in one of several *ways*: it is at a target, or takes an arc to
/// another station. Each way that is chosen implies that the path comes there, and that the numbers
/// here are at least what firing the arc backward makes of those there; where a loop is left, at
/// least what κ rounds make of that (summary.hpp). Numbers may be greater than need be, since less
/// is asked for then: whoever has enough threads for the numbers has enough for the run. So the
/// maximum in n ↦ max(n + d, b) is two inequalities. Some initial region has that many threads.
///
/// Components are taken up sinks first, so a station's ways lead to stations that exist already.

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "engine/concolic/backward_steps.hpp"
#include "solver/smt.hpp"

namespace heddle::engine::concolic {

namespace {

using base::Integer;
using term::Sort;
using term::Term;

constexpr std::size_t kMostStations = 20'000;
constexpr std::uint32_t kTarget = UINT32_MAX;

/// By counter; those that are not listed are 0.
using Numbers = std::map<std::uint32_t, Term>;

struct Way {
  Term chosen;
  std::uint32_t arc;   ///< kTarget: it ends here
  std::uint32_t next;  ///< the station to which the arc leads
};

struct Station {
  Node node;
  bool leaves_loop;  ///< κ rounds come before the way on
  Term comes_here;
  Numbers numbers;
  std::vector<Way> ways;
};

/// What a way asks for before it is known which way is taken.
struct Offer {
  Way way;
  Numbers numbers;
};

class JointPaths {
 public:
  JointPaths(const model::CountingTask& task, const Diagram& diagram, const Quotient& quotient,
             const coverability::ThreadStateRows& reachable, base::RunContext& context)
      : question_(task.question),
        diagram_(diagram),
        quotient_(quotient),
        reachable_(reachable),
        steps_(task, diagram),
        context_(context),
        solver_(solver::make_smt_solver(solver::SmtBackend::Z3)),
        at_node_(diagram.node_count()) {}

  PathSearchResult run(std::uint64_t most_effort) {
    solver_->limit_effort(most_effort);
    for (const Component& component : diagram_.components()) {
      if (const auto stop = context_.stopped()) return PathSearchStopped{*stop};
      if (stations_.size() > kMostStations) return PathsUndecided{};
      if (!quotient_.begins_simply(component.nodes.front())) continue;
      if (component.shape == Shape::Trivial) add_trivial(component.nodes.front());
      if (component.shape == Shape::SimpleLoop) add_loop(component);
    }
    add_beginnings();
    return decide();
  }

 private:
  Term fresh(const char* kind, Sort sort) {
    return term::variable(kind + std::to_string(names_++), sort);
  }

  // ------------------------------------------------------------ stations

  void add_trivial(Node node) { add_station(node, false, offers_beyond(node)); }

  void add_loop(const Component& loop) {
    for (const Node exit : loop.nodes) {
      const auto offers = offers_beyond(exit);
      if (offers.empty()) continue;
      std::uint32_t at = add_station(exit, true, offers);
      auto arcs = steps_.loop_backward(exit);
      arcs.pop_back();  // a whole round is one of κ
      for (const std::uint32_t arc : arcs)
        at = add_station(diagram_.arcs()[arc].from, false, {offer(arc, at)});
    }
  }

  /// The ways out of a node's component, and the targets at the node.
  std::vector<Offer> offers_beyond(Node node) {
    std::vector<Offer> offers;
    for (const model::Region& target : question_.targets)
      if (target.shared.value == node) offers.push_back(at_target(target));
    for (const std::uint32_t arc : diagram_.out_of(node)) {
      const Arc& step = diagram_.arcs()[arc];
      if (diagram_.is_inner(step) || !step.summable) continue;
      for (const std::uint32_t next : at_node_[step.to]) offers.push_back(offer(arc, next));
    }
    return offers;
  }

  Offer at_target(const model::Region& target) {
    Offer result{{fresh("ends", Sort::Boolean), kTarget, 0}, {}};
    for (const model::CounterBound& bound : target.bounds)
      if (bound.lower > 0 && steps_.is_limited(bound.counter.value))
        result.numbers.emplace(bound.counter.value, term::constant(bound.lower));
    return result;
  }

  Offer offer(std::uint32_t arc, std::uint32_t next) {
    Offer result{{fresh("goes", Sort::Boolean), arc, next}, stations_[next].numbers};
    solver_->add(term::implication(result.way.chosen, stations_[next].comes_here));
    for (const auto& [counter, update] : steps_.arc(arc)) update_number(result, counter, update);
    return result;
  }

  /// n ↦ max(n + shift, floor). A number that is not listed is 0.
  void update_number(Offer& offer, std::uint32_t counter, const Update& update) {
    const auto old = offer.numbers.find(counter);
    if (old == offer.numbers.end()) {
      const auto least = std::max<std::int64_t>({update.shift, update.floor, 0});
      if (least > 0) offer.numbers.emplace(counter, term::constant(Integer(least)));
      return;
    }
    const Term number = fresh("n", Sort::Integer);
    const Term shift = term::constant(Integer(update.shift));
    solver_->add(term::at_least(number, term::sum({old->second, shift})));
    solver_->add(term::at_least(number, term::constant(Integer(update.floor))));
    old->second = number;
  }

  std::uint32_t add_station(Node node, bool leaves_loop, const std::vector<Offer>& offers) {
    const auto id = static_cast<std::uint32_t>(stations_.size());
    Station station{node, leaves_loop, fresh("at", Sort::Boolean), {}, {}};
    std::vector<Term> chosen;
    for (const Offer& offer : offers) {
      chosen.push_back(offer.way.chosen);
      station.ways.push_back(offer.way);
      if (leaves_loop) continue;
      for (const auto& [counter, number] : offer.numbers)
        require(station, offer.way.chosen, counter, number);
    }
    if (leaves_loop) run_rounds(station, offers);
    solver_->add(term::implication(station.comes_here, term::disjunction(std::move(chosen))));
    at_node_[node].push_back(id);
    stations_.push_back(std::move(station));
    return id;
  }

  /// The station's number of this counter is at least `number` if the condition holds.
  void require(Station& station, const Term& condition, std::uint32_t counter, const Term& number) {
    if (!reachable_.contains(station.node, counter)) {
      const Term none = term::at_most(number, term::constant(Integer(0)));
      solver_->add(term::implication(condition, none));
      return;
    }
    auto [it, is_new] = station.numbers.try_emplace(counter, number);
    if (is_new) {
      it->second = fresh("n", Sort::Integer);
      solver_->add(term::at_least(it->second, term::constant(Integer(0))));
    }
    solver_->add(term::implication(condition, term::at_least(it->second, number)));
  }

  /// n ↦ max(n + κd, θb + (κ−θ)·max(d, 0)) for all ways on.
  void run_rounds(Station& station, const std::vector<Offer>& offers) {
    const auto [rounds, entered] = unknowns_of(diagram_.component_of(station.node));
    const Summary round = steps_.round(station.node);
    const auto update_of = [&](std::uint32_t counter) {
      const auto it = std::ranges::find(round, counter, &Summary::value_type::first);
      return it == round.end() ? Update{0, 0} : it->second;
    };
    for (const Offer& offer : offers)
      for (const auto& [counter, number] : offer.numbers)
        require(station, offer.way.chosen, counter,
                term::sum({number, term::product(update_of(counter).shift, rounds)}));
    for (const auto& [counter, update] : round) {
      const std::int64_t growth = std::max<std::int64_t>(update.shift, 0);
      require(station, station.comes_here, counter, term::product(update.shift, rounds));
      require(station, station.comes_here, counter,
              term::sum(
                  {term::product(growth, rounds), term::product(update.floor - growth, entered)}));
    }
  }

  /// κ and θ = min(κ, 1): one of each for a loop, since no path leaves it twice.
  std::pair<Term, Term> unknowns_of(ComponentId loop) {
    const auto known = unknowns_.find(loop);
    if (known != unknowns_.end()) return known->second;
    const Term rounds = fresh("rounds", Sort::Integer);
    const Term entered = fresh("entered", Sort::Integer);
    const Term zero = term::constant(Integer(0)), one = term::constant(Integer(1));
    solver_->add(term::disjunction(
        {term::conjunction({term::equal(rounds, zero), term::equal(entered, zero)}),
         term::conjunction({term::at_least(rounds, one), term::equal(entered, one)})}));
    return unknowns_.emplace(loop, std::pair(rounds, entered)).first->second;
  }

  // ------------------------------------------------------------ where paths begin

  void add_beginnings() {
    std::vector<Term> chosen;
    for (const model::Region& region : question_.initial)
      for (const std::uint32_t id : at_node_[region.shared.value]) {
        chosen.push_back(fresh("begins", Sort::Boolean));
        beginnings_.emplace_back(chosen.back(), id);
        solver_->add(term::implication(chosen.back(), within(region, stations_[id])));
      }
    solver_->add(term::disjunction(std::move(chosen)));
  }

  static Term within(const model::Region& region, const Station& station) {
    std::vector<Term> facts{station.comes_here};
    for (const auto& [counter, number] : station.numbers) {
      const auto* bound = region.find(model::Counter(counter));
      if (bound && !bound->upper) continue;
      facts.push_back(term::at_most(number, term::constant(bound ? *bound->upper : Integer(0))));
    }
    return term::conjunction(std::move(facts));
  }

  // ------------------------------------------------------------ the answer

  PathSearchResult decide() {
    switch (solver_->check(context_)) {
      case solver::SmtAnswer::Unsatisfiable: return NoPath{};
      case solver::SmtAnswer::Satisfiable: return PathFound{stretches()};
      case solver::SmtAnswer::Unknown: break;
    }
    if (const auto stop = context_.stopped()) return PathSearchStopped{*stop};
    return PathsUndecided{};
  }

  bool holds(const Term& variable) { return solver_->value(variable) != 0; }

  std::vector<Stretch> stretches() {
    const auto begin =
        std::ranges::find_if(beginnings_, [&](const auto& b) { return holds(b.first); });
    std::vector<Stretch> result;
    for (std::uint32_t id = begin->second;;) {
      const Station& station = stations_[id];
      if (station.leaves_loop) {
        const auto loop = diagram_.component_of(station.node);
        const Integer rounds = solver_->value(unknowns_.at(loop).first);
        if (rounds > 0) result.push_back({steps_.round_forward(station.node), rounds});
      }
      const auto way =
          std::ranges::find_if(station.ways, [&](const Way& w) { return holds(w.chosen); });
      if (way->arc == kTarget) return result;
      result.push_back({{diagram_.arcs()[way->arc].transition}, 1});
      id = way->next;
    }
  }

  const model::CountingQuestion& question_;
  const Diagram& diagram_;
  const Quotient& quotient_;
  const coverability::ThreadStateRows& reachable_;
  const BackwardSteps steps_;
  base::RunContext& context_;
  std::unique_ptr<solver::SmtSolver> solver_;
  std::vector<Station> stations_;
  std::vector<std::vector<std::uint32_t>> at_node_;
  std::map<ComponentId, std::pair<Term, Term>> unknowns_;
  std::vector<std::pair<Term, std::uint32_t>> beginnings_;
  std::uint64_t names_ = 0;
};

}  // namespace

PathSearchResult search_paths_jointly(const model::CountingTask& task, const Diagram& diagram,
                                      const Quotient& quotient,
                                      const coverability::ThreadStateRows& reachable,
                                      std::uint64_t most_effort, base::RunContext& context) {
  return JointPaths(task, diagram, quotient, reachable, context).run(most_effort);
}

}  // namespace heddle::engine::concolic
