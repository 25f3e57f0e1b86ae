/// Checks facts about the turns of threads: that they contain all that can happen.
///
/// A run is cut into rounds, in each of which every thread has its turn, in the order of their
/// numbers; configurations, and the normal form of runs in which turns end only at some places,
/// are those of configuration_sets.cpp. A thread neither sees nor changes the places and the
/// slots of the others, so what it does in a turn depends on its *view* alone: the shared
/// variables, its own place and its own slots.
///
/// 1. Facts(j,p) is closed under the thread's steps: a fact (v, w) at place p and a step from w to
///    w' at place q give the fact (v, w') at q. (v is a valuation of the copies of what the thread
///    may change; shared variables that no step from a place with facts assigns are as they are
///    now.) No fact is at a place where a thread has failed.
/// 2. The checker plays the rounds itself. X is a set of configurations with which a turn can
///    begin. Each view of X at the thread's turn must have its fact (v, v), except for X_j, the set
///    as it was right behind the thread's last turn; then X grows by what the facts of these views
///    make of it at ends of turns.
///
/// By 1, the facts (v, ·) contain all that a turn that begins with v leads to. X_j is closed under
/// turns of j: what facts make of a configuration c leads on only to what they make of c as well,
/// by 1. So after each turn X has all configurations with which the next one can begin, by
/// induction; whether facts are applied to what is new in X or to all of it makes no difference to
/// that. If X is X_j for each thread, no further round adds anything, and the claim holds for
/// any number of rounds. As in configuration_sets.cpp, a set has a configuration only if it has
/// it with any values of slots beyond the stacks; so the facts (v, v) are asked for with any such
/// values on both sides.
///
/// Facts depend on views alone, now and at the begin of the turn (diagram_support.hpp). The rounds
/// that are played need no evidence, so there is no claim about them that could be false.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "check/certificates.hpp"
#include "check/diagrams/diagram_support.hpp"
#include "check/diagrams/place_rules.hpp"
#include "check/proof.hpp"

namespace heddle::check {

namespace {

using answer::CallStack;
using answer::CheckResult;
using answer::TurnFacts;
using answer::TurnFactSet;
using model::boolean::NodeId;
using Set = Diagrams::Set;

/// Every set is about a thread and a place that exist, and is listed once. Precondition: there are
/// places of every thread.
void check_listing(const TurnFacts& claim) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> listed;
  for (const TurnFactSet& s : claim.sets) {
    if (s.root >= claim.nodes.size() + 2 || s.thread >= claim.places.size() || s.place == 0 ||
        s.place > claim.places[s.thread].size())
      refute("a set is out of range");
    if (!listed.emplace(s.thread, s.place).second) refute("a set is listed twice");
  }
}

void check_copies_of_begin(const ConfigurationCopies& copies) {
  for (std::size_t j = 0; j < copies.place.size(); ++j)
    if (copies.begin_shared.size() != copies.shared.size() ||
        copies.begin_place[j].size() != copies.place[j].size() ||
        copies.begin_local[j].size() != copies.local[j].size())
      refute("the diagrams lack copies of what a turn began with");
}

class TurnFactsCheck {
 public:
  TurnFactsCheck(const model::ProgramTask& task, const TurnFacts& claim,
                 const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task), claim_(claim), claimed_rounds_(rounds), context_(context) {}

  Problem well_formed() {
    parts_ = std::make_unique<ClaimedPlaces>(task_, claim_, claimed_rounds_);
    check_listing(claim_);
    check_copies_of_begin(copies());
    for (const TurnFactSet& s : claim_.sets) sets_[{s.thread, s.place}] = s.root;
    return std::nullopt;
  }

  Problem keeps_to_its_scope() const {
    if (depend_as_allowed(claim_.nodes, sets_of(claim_))) return std::nullopt;
    return refuted("a set depends on a variable that it may not depend on");
  }

  NotNeeded contains_beginning() const {
    return "the rounds are played from the initial configurations: the first turn is one of them";
  }

  Problem is_closed() {
    for (thread_ = 0; thread_ < starts().size(); ++thread_) {
      check_steps();
      begun_.push_back(begun());
      effects_.push_back(effect());
    }
    play();
    return std::nullopt;
  }

  Problem excludes_end() const {
    for (const auto& [key, set] : sets_)
      if (const auto [thread, place] = key; set != 0)
        rules().refuse_failure(claim_.places[thread][place - 1]);
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the facts about turns contain all successors and no failure (" +
           base::counted(checked_, "rule") + ", " + base::counted(rounds_, "round") + ")";
  }

 private:
  const std::vector<NodeId>& starts() const { return parts_->program.starts; }
  const ConfigurationCopies& copies() const { return parts_->copies; }
  Diagrams& diagrams() const { return parts_->diagrams; }
  PlaceRules& rules() const { return parts_->rules; }

  Set facts(std::uint32_t place) const {
    const auto found = sets_.find({thread_, place});
    return found != sets_.end() ? found->second : 0;
  }
  const std::vector<CallStack>& places() const { return claim_.places[thread_]; }
  Set both(Set a, Set b) { return diagrams().conjunction(a, b); }

  void count_step() {
    if (const auto stop = check::count_step(context_)) throw Broken{*stop};
  }

  void expect(Set premise, Set other, Set conclusion, const Substitution& image,
              const std::string& rule) {
    ++checked_;
    count_step();
    if (!diagrams().entails(premise, other, conclusion, image))
      refute(rule + " leads out of the facts");
  }

  void check_steps() {
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      const Set here = facts(place);
      if (here == 0) continue;
      const CallStack& stack = places()[place - 1];
      for (const model::boolean::EdgeId edge : rules().edges_from(stack.node)) {
        const StepRule rule = rules().step(thread_, stack, edge, here);
        expect(rule.from, rule.relation, rule.target == 0 ? 0 : facts(rule.target), rule.after,
               rule.name);
      }
    }
  }

  /// Configurations whose view has the fact that nothing has changed yet; and those in which the
  /// thread has stopped.
  Set begun() {
    Set out = rules().at(thread_, 0);
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      if (!copies().occurs_between_turns(thread_, place)) continue;
      count_step();
      const Set unmoved = diagrams().substitute(facts(place), unchanged(places()[place - 1]));
      out = diagrams().disjunction(out, both(unmoved, rules().at(thread_, place)));
    }
    return out;
  }

  /// The facts with which a turn can end, the thread's place being a part of them.
  Set effect() {
    std::vector<bool> locals(copies().variable_count());
    for (const std::uint32_t slot : copies().local[thread_]) locals[slot] = true;
    const std::vector<bool> stops = rules().stops(thread_, places());
    Set out = 0;
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      const CallStack& stack = places()[place - 1];
      count_step();
      if (facts(place) == 0) continue;
      if (rules().ends_turns(thread_, stack))
        out = diagrams().disjunction(out, both(facts(place), rules().at(thread_, place)));
      else if (stops[place - 1])
        out = diagrams().disjunction(
            out, both(diagrams().product(facts(place), 1, locals), rules().at(thread_, 0)));
    }
    return out;
  }

  // ---- turns ----

  void play() {
    Set all = rules().initial();
    std::vector<Set> worked_off(starts().size(), 0);
    const auto is_closed = [&] {
      return std::ranges::all_of(worked_off, [&](Set set) { return set == all; });
    };
    for (; !is_closed() && (claim_.rounds == 0 || rounds_ < claim_.rounds); ++rounds_)
      for (thread_ = 0; thread_ < starts().size(); ++thread_) {
        const Set fresh = diagrams().choose(worked_off[thread_], 0, all);
        expect(fresh, 1, begun_[thread_], rules().identity(), "the beginning of a turn");
        const bool last = rounds_ + 1 == claim_.rounds && thread_ + 1 == starts().size();
        if (!last) all = diagrams().disjunction(all, led_to(smaller(fresh, all)));
        worked_off[thread_] = all;
      }
  }

  Set smaller(Set a, Set b) const {
    return diagrams().node_count(a) < diagrams().node_count(b) ? a : b;
  }

  /// Everything is still as it was. Slots beyond the stack have any values, then and now.
  Substitution unchanged(const CallStack& stack) const {
    Substitution out = rules().identity();
    const auto move = [&](const auto& from, const auto& to, std::size_t count) {
      for (std::size_t i = 0; i < std::min<std::size_t>(count, from.size()); ++i)
        out[from[i]] = to[i];
    };
    move(copies().begin_shared, copies().shared, copies().shared.size());
    move(copies().begin_place[thread_], copies().place[thread_], copies().place[thread_].size());
    move(copies().begin_local[thread_], copies().local[thread_], copies().last_slot(stack));
    return out;
  }

  /// Shared variables that the thread may assign: where there are no facts it takes no step.
  std::vector<std::uint32_t> assigned() const {
    std::vector<CallStack> visited;
    for (std::uint32_t place = 1; place <= places().size(); ++place)
      if (facts(place) != 0) visited.push_back(places()[place - 1]);
    return rules().assigned(visited);
  }

  /// Configurations at ends of turns that begin with these.
  Set led_to(Set begins) {
    count_step();
    Substitution then = rules().identity();
    std::vector<bool> forgotten(then.size());
    for (const auto* copies :
         {&copies().begin_shared, &copies().begin_place[thread_], &copies().begin_local[thread_]})
      for (const std::uint32_t copy : *copies) forgotten[copy] = true;
    for (const std::uint32_t i : assigned()) then[copies().shared[i]] = copies().begin_shared[i];
    for (std::size_t i = 0; i < copies().place[thread_].size(); ++i)
      then[copies().place[thread_][i]] = copies().begin_place[thread_][i];
    for (std::size_t i = 0; i < copies().local[thread_].size(); ++i)
      then[copies().local[thread_][i]] = copies().begin_local[thread_][i];
    return diagrams().product(begins, then, effects_[thread_], forgotten);
  }

  const model::ProgramTask& task_;
  const TurnFacts& claim_;
  const std::optional<base::Integer>& claimed_rounds_;
  base::RunContext& context_;
  std::unique_ptr<ClaimedPlaces> parts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Set> sets_;  ///< by thread and place
  std::vector<Set> begun_, effects_;                             ///< by thread
  std::uint32_t thread_ = 0;
  std::uint32_t rounds_ = 0;
  std::size_t checked_ = 0;
};

}  // namespace

CheckResult check_certificate(const model::ProgramTask& task, const TurnFacts& facts,
                              const ClaimedBound& bound, base::RunContext& context) {
  const auto rounds = rounds_of(bound);
  return prove(TurnFactsCheck(task, facts, rounds, context));
}

}  // namespace heddle::check
