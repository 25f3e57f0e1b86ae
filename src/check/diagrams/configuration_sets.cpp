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

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "check/certificates.hpp"
#include "check/diagrams/diagram_support.hpp"
#include "check/diagrams/place_rules.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

using answer::CallStack;
using answer::CheckResult;
using answer::ConfigurationSet;
using answer::ConfigurationSets;
using model::boolean::NodeId;
using Set = Diagrams::Set;

constexpr std::size_t kMostNewNodes = 2'000'000;  ///< before results are forgotten

/// Every set is about a round, a thread and a place that exist, and is listed once. Precondition:
/// there are places of every thread.
void check_listing(const ConfigurationSets& claim) {
  const std::uint32_t rounds = std::max(claim.rounds, 1U);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> listed;
  for (const ConfigurationSet& s : claim.sets) {
    if (s.root >= claim.nodes.size() + 2 || s.thread >= claim.places.size() ||
        s.place > claim.places[s.thread].size() || s.round == 0 || s.round > rounds)
      refute("a set is out of range");
    if (!listed.emplace(s.round, s.thread, s.place).second) refute("a set is listed twice");
  }
  // Each round begins with a set of its own, which cannot be empty.
  if (rounds > claim.sets.size()) refute("a round has no sets");
}

class ConfigurationSetsCheck {
 public:
  ConfigurationSetsCheck(const model::ProgramTask& task, const ConfigurationSets& claim,
                         const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task), claim_(claim), rounds_(rounds), context_(context) {}

  Problem well_formed() {
    parts_ = std::make_unique<ClaimedPlaces>(task_, claim_, rounds_);
    kept_ = diagrams().size();
    check_listing(claim_);
    for (const ConfigurationSet& s : claim_.sets) sets_[{s.round, s.thread, s.place}] = s.root;
    return std::nullopt;
  }

  Problem keeps_to_its_scope() const {
    if (depend_as_allowed(claim_.nodes, sets_of(claim_))) return std::nullopt;
    return refuted("a set depends on a variable that it may not depend on");
  }

  Problem contains_beginning() {
    expect(rules().initial(), begin(1, 0), "the start");
    return std::nullopt;
  }

  Problem is_closed() {
    for (std::uint32_t round = 1; round <= std::max(claim_.rounds, 1U); ++round)
      for (std::uint32_t thread = 0; thread < starts().size(); ++thread) check_turn(round, thread);
    return std::nullopt;
  }

  Problem excludes_end() const {
    for (const auto& [key, set] : sets_)
      if (const auto [round, thread, place] = key; place > 0 && set != 0)
        rules().refuse_failure(claim_.places[thread][place - 1]);
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the sets contain every initial state, no failure, and all successors (" +
           base::counted(checked_, "rule") + ")";
  }

 private:
  const std::vector<NodeId>& starts() const { return parts_->program.starts; }
  const ConfigurationCopies& copies() const { return parts_->copies; }
  Diagrams& diagrams() const { return parts_->diagrams; }
  PlaceRules& rules() const { return parts_->rules; }

  // ---- sets ----

  Set get(std::uint32_t round, std::uint32_t thread, std::uint32_t place) const {
    const auto found = sets_.find({round, thread, place});
    return found != sets_.end() ? found->second : 0;
  }
  Set begin(std::uint32_t round, std::uint32_t thread) const { return get(round, thread, 0); }
  Set both(Set a, Set b) { return diagrams().conjunction(a, b); }
  Set without(Set a, Set b) { return diagrams().choose(b, 0, a); }

  /// The set of this turn, as far as it was not in that of the round before.
  Set fresh(std::uint32_t place) {
    return without(get(round_, thread_, place), get(round_ - 1, thread_, place));
  }

  /// Whatever is in both premises is in the conclusion, once its variables are replaced.
  void expect(Set premise, Set other, Set conclusion, const Substitution& image,
              const std::string& rule) {
    ++checked_;
    if (const auto stop = count_step(context_)) throw Broken{*stop};
    if (!diagrams().entails(premise, other, conclusion, image))
      refute(rule + " leads out of the sets");
  }

  /// Between rules: all sets are lost but those of the claim.
  void make_room() {
    if (diagrams().size() > kept_ + kMostNewNodes) diagrams().forget_results();
  }

  void expect(Set premise, Set conclusion, const std::string& rule) {
    if (premise != conclusion) expect(premise, 1, conclusion, rules().identity(), rule);
  }

  // ---- rules ----

  void check_turn(std::uint32_t round, std::uint32_t thread) {
    round_ = round;
    thread_ = thread;
    const auto& places = claim_.places[thread];
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      make_room();
      expect(get(round - 1, thread, place), get(round, thread, place), "the round before");
      if (copies().occurs_between_turns(thread, place))
        expect(fresh(0), rules().at(thread, place), get(round, thread, place), rules().identity(),
               "the beginning of a turn");
    }
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      if (fresh(place) == 0) continue;
      const CallStack& stack = places[place - 1];
      for (const model::boolean::EdgeId edge : rules().edges_from(stack.node)) {
        make_room();
        const StepRule rule = rules().step(thread, stack, edge, fresh(place));
        expect(rule.from, rule.relation, rule.target == 0 ? 0 : get(round, thread, rule.target),
               rule.after, rule.name);
      }
    }
    check_ends();
  }

  // ---- ends of turns ----

  void check_ends() {
    const bool last = thread_ + 1 == starts().size();
    if (last && round_ == claim_.rounds) return;
    const std::uint32_t next_round = last && claim_.rounds > 0 ? round_ + 1 : round_;
    const Set next = begin(next_round, last ? 0 : thread_ + 1);
    if (next_round > 1)
      expect(begin(next_round - 1, last ? 0 : thread_ + 1), next, "the round before");
    expect(fresh(0), next, "a thread that does nothing");
    Substitution forgotten = rules().identity();
    for (std::size_t i = 0; i < copies().local[thread_].size(); ++i)
      forgotten[copies().local[thread_][i]] = copies().next_local[thread_][i];
    const auto& places = claim_.places[thread_];
    const std::vector<bool> stops = rules().stops(thread_, places);
    for (std::uint32_t place = 1; place <= places.size(); ++place) {
      make_room();
      if (fresh(place) == 0) continue;
      if (rules().ends_turns(thread_, places[place - 1]))
        expect(fresh(place), rules().at(thread_, place), next, rules().identity(),
               "the end of a turn");
      else if (stops[place - 1])
        expect(fresh(place), rules().at(thread_, 0), next, forgotten, "a thread that stops");
    }
  }

  const model::ProgramTask& task_;
  const ConfigurationSets& claim_;
  const std::optional<base::Integer>& rounds_;
  base::RunContext& context_;
  std::unique_ptr<ClaimedPlaces> parts_;
  std::size_t kept_ = 0;  ///< nodes of the claim
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Set> sets_;
  std::uint32_t round_ = 1;
  std::uint32_t thread_ = 0;
  std::size_t checked_ = 0;
};

}  // namespace

CheckResult check_certificate(const model::ProgramTask& task, const ConfigurationSets& sets,
                              const ClaimedBound& bound, base::RunContext& context) {
  const auto rounds = rounds_of(bound);
  return prove(ConfigurationSetsCheck(task, sets, rounds, context));
}

}  // namespace heddle::check
