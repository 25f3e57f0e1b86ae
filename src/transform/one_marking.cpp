#include "transform/one_marking.hpp"

#include <algorithm>
#include <set>

#include "base/invariant.hpp"
#include "transform/back_translator.hpp"

/// Let the initial regions be R1, …, Rn. In a region a place starts with a number of tokens between
/// a lower and an upper end, which may be missing. The new net makes that number out of the lower
/// end:
///
///   * A place without an upper end gets a source, a transition that adds a token and takes none.
///   * A place with a larger upper end gets a supply, a new place with the difference, and a
///     transition that moves a token from there.
///
/// (1) One region, and a net of arcs only (every update adds a constant, no guard has an upper
/// bound): nothing else is needed. The new transitions take nothing from the places of the net, so
/// in any run they can be moved to the beginning: what follows them stays enabled, since it finds
/// at least as many tokens, and the last marking is the same, since effects add up. What they make
/// out of the lower ends is a marking of the region, and each marking of it can be made. So the
/// markings that are reached, as far as the old places are concerned, are exactly those of the net.
///
/// (2) Otherwise the net runs in phases, told by places of which one holds a token. In "start"
/// nothing but the choice of a region is possible; it puts the lower ends and the supplies of the
/// region. In the region's own phase its sources and supplies work. Its end gives a token to
/// "running", which all transitions of the net and all targets ask for. What holds at the end of
/// the region's phase is any marking of the region, and from there on the net does what it did.
///
/// The way back. A trace: the tokens that the new transitions make belong to the initial marking,
/// and the new transitions disappear. A basis U: V = {m | (m, r) ∈ U}, where r has a token in
/// "running", if there is such a place, and none in the other new places. V is upward closed,
/// contains the targets, and is closed under the net's transitions, for these leave r alone. If it
/// contained a marking m of a region, U would contain (m, r) and everything above, in particular
/// what the new net reaches from its only initial marking by making m; as U is closed under
/// predecessors, it would contain that initial marking. So V is a basis.

namespace heddle::transform {

namespace {

using answer::Unknown;
using answer::UnknownReason;
using answer::Verdict;
using base::Integer;
using model::CounterBound;
using model::Counts;
using model::PetriNet;
using model::PetriTransition;
using model::PlaceId;
using model::Region;

/// Can the step be moved behind one that only adds tokens?
bool has_arcs_only(const PetriTransition& transition) {
  return model::is_monotone(transition) &&
         std::ranges::all_of(transition.updates,
                             [](const model::PlaceUpdate& update) { return update.is_shift(); });
}

Counts lower_ends(const Region& region) {
  Counts marking;
  for (const CounterBound& bound : region.bounds) marking.set(bound.counter, bound.lower);
  return marking;
}

class OneMarkingBuilder {
 public:
  explicit OneMarkingBuilder(const model::NetTask& task)
      : net_(task.model), question_(task.question), names_(net_.places.begin(), net_.places.end()) {
    out_.places = net_.places.size();
    out_.transitions = net_.transitions.size();
  }

  NetWithOneMarking run() {
    const std::vector<Region> regions = std::move(question_.initial);
    const bool at_once =
        regions.size() == 1 && std::ranges::all_of(net_.transitions, has_arcs_only);
    Counts start = at_once ? make_at_once(regions[0]) : make_in_phases(regions);
    Region initial;
    for (const auto& [place, tokens] : start.entries())
      initial.bounds.push_back({place, tokens, tokens});
    question_.initial = {std::move(initial)};
    net_.claimed_invariants.clear();  // sums change where tokens are made
    out_.translated = {std::move(net_), std::move(question_)};
    return std::move(out_);
  }

 private:
  Counts make_at_once(const Region& region) {
    out_.marking = lower_ends(region);
    Counts start = out_.marking;
    const Counts supplies = add_rest(region, {});
    for (const auto& [supply, tokens] : supplies.entries()) start.set(supply, tokens);
    return start;
  }

  Counts make_in_phases(const std::vector<Region>& regions) {
    const PlaceId start = add_place("start");
    const PlaceId running = add_place("running");
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const PlaceId phase = add_place("start_" + std::to_string(i + 1));
      Counts chosen = lower_ends(regions[i]);
      const Counts makes = chosen;
      const Counts supplies = add_rest(regions[i], {{phase, 1}});
      for (const auto& [supply, tokens] : supplies.entries()) chosen.set(supply, tokens);
      chosen.set(phase, 1);
      add_transition("choose_" + std::to_string(i + 1), {{start, 1}}, chosen, makes);
      add_transition("run_" + std::to_string(i + 1), {{phase, 1}}, {{running, 1}}, {});
    }
    for (std::size_t i = 0; i < out_.transitions; ++i)
      net_.transitions[i].guard.push_back({running, 1, std::nullopt});
    for (Region& target : question_.targets) target.bounds.push_back({running, 1, std::nullopt});
    out_.running = running;
    return {{start, 1}};
  }

  /// The sources and supplies of a region, which work while `phase` has its tokens. Returns what
  /// the supplies hold.
  Counts add_rest(const Region& region, const Counts& phase) {
    Counts supplies;
    for (const CounterBound& bound : region.bounds) {
      if (bound.upper == bound.lower) continue;
      const std::string name = net_.places[bound.counter.index()];
      Counts take = phase;
      if (bound.upper) {
        const PlaceId supply = add_place("more_" + std::to_string(net_.places.size()));
        supplies.set(supply, *bound.upper - bound.lower);
        take.set(supply, 1);
      }
      Counts give = phase;
      give.add(bound.counter, 1);
      add_transition("more_" + name, take, give, {{bound.counter, 1}});
    }
    return supplies;
  }

  PlaceId add_place(std::string name) {
    while (!names_.insert(name).second) name += "_";
    net_.places.push_back(std::move(name));
    return PlaceId(net_.places.size() - 1);
  }

  void add_transition(std::string name, const Counts& take, const Counts& give, Counts makes) {
    model::add_transition(net_, std::move(name), take, give);
    net_.transitions.back().note = "makes the initial marking";
    out_.makes.push_back(std::move(makes));
  }

  PetriNet net_;
  model::CountingQuestion question_;
  std::set<std::string> names_;
  NetWithOneMarking out_;
};

struct BackToMarkings : BackTranslator {
  using BackTranslator::operator();
  const NetWithOneMarking& translation;

  Verdict operator()(const answer::Unsafe& unsafe) const {
    answer::Trace trace;
    trace.initial.counts = translation.marking;
    for (const answer::TraceBlock& block : std::get<answer::Trace>(unsafe.trace).blocks) {
      answer::TraceBlock kept{block.repetitions, {}};
      for (const answer::TraceStep& step : block.body)
        if (step.transition.index() < translation.transitions)
          kept.body.push_back(step);
        else
          make(step.transition, block.repetitions, trace.initial.counts);
      if (!kept.body.empty()) trace.blocks.push_back(std::move(kept));
    }
    return answer::Unsafe{std::move(trace)};
  }

  void make(model::TransitionId transition, const Integer& times, Counts& marking) const {
    const Counts& made = translation.makes.at(transition.index() - translation.transitions);
    for (const auto& [place, tokens] : made.entries()) marking.add(place, times * tokens);
  }

  Verdict operator()(const answer::Safe& safe) const {
    const auto* basis = std::get_if<answer::BackwardBasis>(&safe.certificate);
    if (!basis || !basis->relative_to.empty())
      return Unknown{UnknownReason::Unsupported,
                     "the proof about the net with one initial marking says nothing about the net"};
    answer::BackwardBasis found;
    for (const model::Configuration& element : basis->minimal)
      if (auto kept = without_new_places(element)) found.minimal.push_back(std::move(*kept));
    std::sort(found.minimal.begin(), found.minimal.end());
    const auto repeated = std::ranges::unique(found.minimal);
    found.minimal.erase(repeated.begin(), repeated.end());
    return answer::Safe{std::move(found)};
  }

  /// The part in the old places, if the new ones demand no more than r has (see above).
  std::optional<model::Configuration> without_new_places(
      const model::Configuration& element) const {
    model::Configuration kept;
    for (const auto& [place, tokens] : element.counts.entries()) {
      if (place.index() < translation.places)
        kept.counts.set(place, tokens);
      else if (place != translation.running || tokens > 1)
        return std::nullopt;
    }
    return kept;
  }
};

}  // namespace

NetWithOneMarking start_in_one_marking(const model::NetTask& task) {
  HEDDLE_INVARIANT(!task.question.initial.empty(), "a net should have an initial region");
  return OneMarkingBuilder(task).run();
}

Verdict translate_back(const NetWithOneMarking& translation, const Verdict& verdict) {
  return std::visit(BackToMarkings{{"the net with its markings"}, translation}, verdict);
}

}  // namespace heddle::transform
