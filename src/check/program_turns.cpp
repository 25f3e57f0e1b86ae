/// Checks facts about the turns of threads: that they contain all that can happen.
///
/// A run is cut into rounds, in each of which every thread has its turn, in the order of their
/// numbers; configurations, and the normal form of runs in which turns end only at some places,
/// are those of program_configurations.cpp. A thread neither sees nor changes the places and the
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
/// any number of rounds. As in program_configurations.cpp, a set has a configuration only if it has
/// it with any values of slots beyond the stacks; so the facts (v, v) are asked for with any such
/// values on both sides.
///
/// Facts depend on views alone, now and at the begin of the turn (diagram_support.hpp). The rounds
/// that are played need no evidence, so there is no claim about them that could be false.

#include "check/program_turns.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "check/diagram_support.hpp"
#include "check/fixed_threads.hpp"
#include "check/place_rules.hpp"

namespace heddle::check {

namespace {

using answer::CallStack;
using answer::CheckResult;
using answer::EvidenceStatus;
using answer::TurnFacts;
using answer::TurnFactSet;
using model::boolean::Flow;
using model::boolean::NodeId;
using Set = Diagrams::Set;

class TurnProof {
 public:
  TurnProof(const Flow& flow, const std::vector<NodeId>& starts, const TurnFacts& claim,
            const ConfigurationCopies& copies, base::RunContext& context)
      : starts_(starts),
        claim_(claim),
        copies_(copies),
        context_(context),
        diagrams_(claim.nodes),
        rules_(flow, starts, copies, diagrams_) {
    for (const TurnFactSet& s : claim.sets) sets_[{s.thread, s.place}] = s.root;
  }

  CheckResult run() {
    for (thread_ = 0; thread_ < starts_.size(); ++thread_) {
      check_steps();
      begun_.push_back(begun());
      effects_.push_back(effect());
    }
    play();
    return {EvidenceStatus::Confirmed, "proved the facts closed by " + std::to_string(checked_) +
                                           " rules, and played " + std::to_string(rounds_) +
                                           (rounds_ == 1 ? " round" : " rounds")};
  }

 private:
  Set facts(std::uint32_t place) const {
    const auto found = sets_.find({thread_, place});
    return found != sets_.end() ? found->second : 0;
  }
  const std::vector<CallStack>& places() const { return claim_.places[thread_]; }
  Set both(Set a, Set b) { return diagrams_.conjunction(a, b); }

  void count_step() {
    if (const auto stop = context_.step())
      throw SetsBroken{{EvidenceStatus::NotChecked, std::string(base::to_string(*stop))}};
  }

  void expect(Set premise, Set other, Set conclusion, const Substitution& image,
              const std::string& rule) {
    ++checked_;
    count_step();
    if (!diagrams_.entails(premise, other, conclusion, image))
      refute_sets(rule + " leads out of the facts");
  }

  void check_steps() {
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      const Set here = facts(place);
      if (here == 0) continue;
      const CallStack& stack = places()[place - 1];
      rules_.refuse_failure(stack);
      for (const model::boolean::EdgeId edge : rules_.edges_from(stack.node)) {
        const StepRule rule = rules_.step(thread_, stack, edge, here);
        expect(rule.from, rule.relation, rule.target == 0 ? 0 : facts(rule.target), rule.after,
               rule.name);
      }
    }
  }

  /// Configurations whose view has the fact that nothing has changed yet; and those in which the
  /// thread has stopped.
  Set begun() {
    Set out = rules_.at(thread_, 0);
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      if (!copies_.occurs_between_turns(thread_, place)) continue;
      count_step();
      const Set unmoved = diagrams_.substitute(facts(place), unchanged(places()[place - 1]));
      out = diagrams_.disjunction(out, both(unmoved, rules_.at(thread_, place)));
    }
    return out;
  }

  /// The facts with which a turn can end, the thread's place being a part of them.
  Set effect() {
    std::vector<bool> locals(copies_.variable_count());
    for (const std::uint32_t slot : copies_.local[thread_]) locals[slot] = true;
    const std::vector<bool> stops = rules_.stops(thread_, places());
    Set out = 0;
    for (std::uint32_t place = 1; place <= places().size(); ++place) {
      const CallStack& stack = places()[place - 1];
      count_step();
      if (facts(place) == 0) continue;
      if (rules_.ends_turns(thread_, stack))
        out = diagrams_.disjunction(out, both(facts(place), rules_.at(thread_, place)));
      else if (stops[place - 1])
        out = diagrams_.disjunction(
            out, both(diagrams_.product(facts(place), 1, locals), rules_.at(thread_, 0)));
    }
    return out;
  }

  // ---- turns ----

  void play() {
    Set all = rules_.initial();
    std::vector<Set> worked_off(starts_.size(), 0);
    const auto is_closed = [&] {
      return std::ranges::all_of(worked_off, [&](Set set) { return set == all; });
    };
    for (; !is_closed() && (claim_.rounds == 0 || rounds_ < claim_.rounds); ++rounds_)
      for (thread_ = 0; thread_ < starts_.size(); ++thread_) {
        const Set fresh = diagrams_.choose(worked_off[thread_], 0, all);
        expect(fresh, 1, begun_[thread_], rules_.identity(), "the begin of a turn");
        const bool last = rounds_ + 1 == claim_.rounds && thread_ + 1 == starts_.size();
        if (!last) all = diagrams_.disjunction(all, led_to(smaller(fresh, all)));
        worked_off[thread_] = all;
      }
  }

  Set smaller(Set a, Set b) const {
    return diagrams_.node_count(a) < diagrams_.node_count(b) ? a : b;
  }

  /// Everything is still as it was. Slots beyond the stack have any values, then and now.
  Substitution unchanged(const CallStack& stack) const {
    Substitution out = rules_.identity();
    const auto move = [&](const auto& from, const auto& to, std::size_t count) {
      for (std::size_t i = 0; i < std::min<std::size_t>(count, from.size()); ++i)
        out[from[i]] = to[i];
    };
    move(copies_.begin_shared, copies_.shared, copies_.shared.size());
    move(copies_.begin_place[thread_], copies_.place[thread_], copies_.place[thread_].size());
    move(copies_.begin_local[thread_], copies_.local[thread_], copies_.last_slot(stack));
    return out;
  }

  /// Shared variables that the thread may assign: where there are no facts it takes no step.
  std::vector<std::uint32_t> assigned() const {
    std::vector<CallStack> visited;
    for (std::uint32_t place = 1; place <= places().size(); ++place)
      if (facts(place) != 0) visited.push_back(places()[place - 1]);
    return rules_.assigned(visited);
  }

  /// Configurations at ends of turns that begin with these.
  Set led_to(Set begins) {
    count_step();
    Substitution then = rules_.identity();
    std::vector<bool> forgotten(then.size());
    for (const auto* copies :
         {&copies_.begin_shared, &copies_.begin_place[thread_], &copies_.begin_local[thread_]})
      for (const std::uint32_t copy : *copies) forgotten[copy] = true;
    for (const std::uint32_t i : assigned()) then[copies_.shared[i]] = copies_.begin_shared[i];
    for (std::size_t i = 0; i < copies_.place[thread_].size(); ++i)
      then[copies_.place[thread_][i]] = copies_.begin_place[thread_][i];
    for (std::size_t i = 0; i < copies_.local[thread_].size(); ++i)
      then[copies_.local[thread_][i]] = copies_.begin_local[thread_][i];
    return diagrams_.product(begins, then, effects_[thread_], forgotten);
  }

  const std::vector<NodeId>& starts_;
  const TurnFacts& claim_;
  const ConfigurationCopies& copies_;
  base::RunContext& context_;
  Diagrams diagrams_;
  PlaceRules rules_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Set> sets_;  ///< by thread and place
  std::vector<Set> begun_, effects_;                             ///< by thread
  std::uint32_t thread_ = 0;
  std::uint32_t rounds_ = 0;
  std::size_t checked_ = 0;
};

/// Every set is about a thread and a place that exist, and is listed once. Precondition: there are
/// places of every thread.
void check_listing(const TurnFacts& claim) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> listed;
  for (const TurnFactSet& s : claim.sets) {
    if (s.root >= claim.nodes.size() + 2 || s.thread >= claim.places.size() || s.place == 0 ||
        s.place > claim.places[s.thread].size())
      refute_sets("a set is out of range");
    if (!listed.emplace(s.thread, s.place).second) refute_sets("a set is listed twice");
  }
}

void check_copies_of_begin(const ConfigurationCopies& copies) {
  for (std::size_t j = 0; j < copies.place.size(); ++j)
    if (copies.begin_shared.size() != copies.shared.size() ||
        copies.begin_place[j].size() != copies.place[j].size() ||
        copies.begin_local[j].size() != copies.local[j].size())
      refute_sets("the diagrams lack copies of what a turn began with");
}

}  // namespace

CheckResult check_turn_facts(const model::Task& task, const TurnFacts& facts,
                             const std::optional<base::Integer>& rounds,
                             base::RunContext& context) {
  try {
    const auto [flow, starts] = claimed_program(task, facts, rounds);
    const ConfigurationCopies copies(flow, facts, starts.size());
    if (copies.problem()) refute_sets(*copies.problem());
    check_listing(facts);
    check_copies_of_begin(copies);
    if (!depend_as_allowed(facts.nodes, sets_of(facts)))
      refute_sets("a set depends on a variable that it may not depend on");
    return TurnProof(flow, starts, facts, copies, context).run();
  } catch (const SetsBroken& broken) {
    return broken.result;
  }
}

}  // namespace heddle::check
