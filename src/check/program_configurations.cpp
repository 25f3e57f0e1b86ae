/// Checks sets of configurations: that they contain all that can be reached.
///
/// A run is cut into rounds, in each of which every thread has its turn, in the order of their
/// numbers. A configuration is listed as a valuation of shared variables, of digits of the threads'
/// places, and of slots for the variables of the procedures on each thread's stack. A set *has* a
/// configuration if it contains all valuations that agree with it on what there is: slots beyond a
/// thread's stack, and slots of a thread that has stopped, may have any values. The rules below
/// make sure, by induction over the steps of the run:
///
///   Begin(k,j)      has every configuration with which thread j's turn in round k can begin
///   Reached(k,j,p)  has every configuration in that turn in which thread j is at place p; digits
///                   of its own place do not occur in it
///
/// The claim is made for a normal form of runs, in which turns end only in front of steps that
/// touch shared variables, outside of atomic sections; or the thread stops for good right behind a
/// step that changed them (place 0). Other ends of turns can be put off: steps of the thread up to
/// the next such place neither see nor change what the others do. If it does not get there, the
/// others see a thread that stopped behind its last change, or, if it could have gone on to such a
/// place whatever its variables are, one that stands there and does not move any more; if there was
/// no change in this turn, one that has not moved. Steps at the start of a thread that do nothing
/// and have no alternative are taken before the first round. The bit that keeps others out of
/// atomic sections is 0 at all ends of turns outside of them, so a guard that asks for it is no
/// matter of shared variables. A failure stays one in the normal form, in the same round or an
/// earlier one.
///
/// All this is so only if sets depend on configurations alone, those of a turn not on the place of
/// its thread: the rules use the other variables for what a step does (diagram_support.hpp).
///
/// Sets may only grow from round to round, so what held for the sets of the round before need not
/// be checked again.

#include "check/program_configurations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check/diagram_support.hpp"
#include "check/fixed_threads.hpp"
#include "check/place_rules.hpp"

namespace heddle::check {

namespace {

using answer::CallStack;
using answer::CheckResult;
using answer::ConfigurationSet;
using answer::ConfigurationSets;
using answer::EvidenceStatus;
using model::boolean::Flow;
using model::boolean::NodeId;
using Set = Diagrams::Set;

constexpr std::size_t kMostNewNodes = 2'000'000;  ///< before results are forgotten

class ConfigurationProof {
 public:
  ConfigurationProof(const Flow& flow, const std::vector<NodeId>& starts,
                     const ConfigurationSets& claim, const ConfigurationCopies& copies,
                     base::RunContext& context)
      : starts_(starts),
        claim_(claim),
        copies_(copies),
        context_(context),
        diagrams_(claim.nodes),
        rules_(flow, starts, copies, diagrams_) {
    for (const ConfigurationSet& s : claim.sets) sets_[{s.round, s.thread, s.place}] = s.root;
  }

  CheckResult run() {
    expect(rules_.initial(), begin(1, 0), "the start");
    for (std::uint32_t round = 1; round <= std::max(claim_.rounds, 1U); ++round)
      for (std::uint32_t thread = 0; thread < starts_.size(); ++thread) check_turn(round, thread);
    return {EvidenceStatus::Confirmed,
            "proved the sets closed by " + std::to_string(checked_) + " rules"};
  }

 private:
  // ---- sets ----

  Set get(std::uint32_t round, std::uint32_t thread, std::uint32_t place) const {
    const auto found = sets_.find({round, thread, place});
    return found != sets_.end() ? found->second : 0;
  }
  Set begin(std::uint32_t round, std::uint32_t thread) const { return get(round, thread, 0); }
  Set both(Set a, Set b) { return diagrams_.conjunction(a, b); }
  Set without(Set a, Set b) { return diagrams_.choose(b, 0, a); }

  /// The set of this turn, as far as it was not in that of the round before.
  Set fresh(std::uint32_t place) {
    return without(get(round_, thread_, place), get(round_ - 1, thread_, place));
  }

  /// Whatever is in both premises is in the conclusion, once its variables are replaced.
  void expect(Set premise, Set other, Set conclusion, const Substitution& image,
              const std::string& rule) {
    ++checked_;
    if (const auto stop = context_.step())
      throw SetsBroken{{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))}};
    if (!diagrams_.entails(premise, other, conclusion, image))
      refute_sets(rule + " leads out of the sets");
  }

  /// Between rules: all sets are lost but those of the claim.
  void make_room() {
    if (diagrams_.size() > kept_ + kMostNewNodes) diagrams_.forget_results();
  }

  void expect(Set premise, Set conclusion, const std::string& rule) {
    if (premise != conclusion) expect(premise, 1, conclusion, rules_.identity(), rule);
  }

  // ---- rules ----

  void check_turn(std::uint32_t round, std::uint32_t thread) {
    round_ = round;
    thread_ = thread;
    const auto& places = claim_.places[thread];
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      make_room();
      expect(get(round - 1, thread, place), get(round, thread, place), "the round before");
      if (copies_.occurs_between_turns(thread, place))
        expect(fresh(0), rules_.at(thread, place), get(round, thread, place), rules_.identity(),
               "the begin of a turn");
    }
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      if (fresh(place) == 0) continue;
      const CallStack& stack = places[place - 1];
      rules_.refuse_failure(stack);
      for (const model::boolean::EdgeId edge : rules_.edges_from(stack.node)) {
        make_room();
        const StepRule rule = rules_.step(thread, stack, edge, fresh(place));
        expect(rule.from, rule.relation, rule.target == 0 ? 0 : get(round, thread, rule.target),
               rule.after, rule.name);
      }
    }
    check_ends();
  }

  // ---- ends of turns ----

  void check_ends() {
    const bool last = thread_ + 1 == starts_.size();
    if (last && round_ == claim_.rounds) return;
    const std::uint32_t next_round = last && claim_.rounds > 0 ? round_ + 1 : round_;
    const Set next = begin(next_round, last ? 0 : thread_ + 1);
    if (next_round > 1)
      expect(begin(next_round - 1, last ? 0 : thread_ + 1), next, "the round before");
    expect(fresh(0), next, "a thread that does nothing");
    Substitution forgotten = rules_.identity();
    for (std::size_t i = 0; i < copies_.local[thread_].size(); ++i)
      forgotten[copies_.local[thread_][i]] = copies_.next_local[thread_][i];
    const auto& places = claim_.places[thread_];
    const std::vector<bool> stops = rules_.stops(thread_, places);
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      make_room();
      if (fresh(place) == 0) continue;
      if (rules_.ends_turns(thread_, places[place - 1]))
        expect(fresh(place), rules_.at(thread_, place), next, rules_.identity(),
               "the end of a turn");
      else if (stops[place - 1])
        expect(fresh(place), rules_.at(thread_, 0), next, forgotten, "a thread that stops");
    }
  }

  const std::vector<NodeId>& starts_;
  const ConfigurationSets& claim_;
  const ConfigurationCopies& copies_;
  base::RunContext& context_;
  Diagrams diagrams_;
  std::size_t kept_ = diagrams_.size();
  PlaceRules rules_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Set> sets_;
  std::uint32_t round_ = 1;
  std::uint32_t thread_ = 0;
  std::size_t checked_ = 0;
};

/// Every set is about a round, a thread and a place that exist, and is listed once. Precondition:
/// there are places of every thread.
void check_listing(const ConfigurationSets& claim) {
  const std::uint32_t rounds = std::max(claim.rounds, 1U);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> listed;
  for (const ConfigurationSet& s : claim.sets) {
    if (s.root >= claim.nodes.size() + 2 || s.thread >= claim.places.size() ||
        s.place > claim.places[s.thread].size() || s.round == 0 || s.round > rounds)
      refute_sets("a set is out of range");
    if (!listed.emplace(s.round, s.thread, s.place).second) refute_sets("a set is listed twice");
  }
  // Each round begins with a set of its own, which cannot be empty.
  if (rounds > claim.sets.size()) refute_sets("a round has no sets");
}

}  // namespace

CheckResult check_configuration_sets(const model::Task& task, const ConfigurationSets& sets,
                                     const std::optional<base::Integer>& rounds,
                                     base::RunContext& context) {
  try {
    const auto [flow, starts] = claimed_program(task, sets, rounds);
    const ConfigurationCopies copies(flow, sets, starts.size());
    if (copies.problem()) refute_sets(*copies.problem());
    check_listing(sets);
    if (!depend_as_allowed(sets.nodes, sets_of(sets)))
      refute_sets("a set depends on a variable that it may not depend on");
    return ConfigurationProof(flow, starts, sets, copies, context).run();
  } catch (const SetsBroken& broken) {
    return broken.result;
  }
}

}  // namespace heddle::check
