/// Checks relations of a context-bounded analysis: that they contain all that can happen.
///
/// Let a run be cut into rounds, M_i the shared state when round i begins, A_i and B_i those when
/// thread j's turn in it begins and ends. The rules below make sure, by induction over the turns of
/// the run and the steps in each of them:
///
///   Before(j,k)   contains (M_1…M_k, A_1…A_k) of thread j
///   After(j,k)    contains (B_1…B_{k−1}, M_2…M_k)
///   Turn(j,k)     contains (A_1…A_k, B_1…B_{k−1}); it follows from both and Effect(j,k−1)
///   Reached(j,n,e,k)  contains (A_1…A_k, B_1…B_{k−1}, E, P, C, L) if the thread, in round k, is at
///   n
///                 with shared state C and local variables L in a procedure that it entered in
///                 round e with shared state E and parameters P; but see below
///   Summary(j,f,e,k)  contains (…, E, P, C, R) if it then returns R from frame f
///   Effect(j,k)   contains (A_1…A_k, B_1…B_k)
///
/// Reached is claimed for a normal form of the run: a thread ends its turn only where a step
/// follows that touches shared variables, outside of atomic sections. Other ends of turns can be
/// put off: the thread's steps up to the next such place neither see nor change what the others
/// do (the bit of atomic sections is 0 whenever a turn ends outside of them); inside an atomic
/// section the others cannot step at all. If the thread does not get there, it
/// does nothing in the rounds that follow as far as the others can tell; so the effect of such
/// rounds is that of the round before with B_k = A_k, which Effect has by a rule of its own. The
/// shared state at the end of a turn is the one at its beginning or the one behind the last step
/// that changed it. A failure stays one in the normal form, in the same round or an earlier one.
///
/// Threads that do the same may share Reached, Summary and Effect: j stands there for all of them,
/// and nodes are those of thread j. That they do the same is a matter of the program: a thread's
/// nodes and edges correspond to those of j, so its part of a run is one of j's.
///
/// If no fact at a failed node has a possible turn, no run of so many rounds fails. With one thread
/// every run is one round.
///
/// All this is so only if each relation depends on the variables that its line names and on no
/// others: the rules use the rest (Next, Argument, NextLocal, Result, Choice, and what belongs to
/// later rounds) for what a step does.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "check/certificates.hpp"
#include "check/diagrams/diagram_support.hpp"
#include "check/diagrams/diagrams.hpp"
#include "check/diagrams/program_copies.hpp"
#include "check/program/fixed_threads.hpp"
#include "check/proof.hpp"
#include "model/boolean_program/correspondence.hpp"
#include "model/boolean_program/flow.hpp"

namespace heddle::check {

namespace {

using answer::CheckResult;
using answer::ContextRelation;
using answer::ContextRelations;
using answer::RelationKind;
using model::boolean::Atom;
using model::boolean::AtomKind;
using model::boolean::EdgeKind;
using model::boolean::Flow;
using model::boolean::FlowEdge;
using model::boolean::NodeId;
using Set = Diagrams::Set;
using Image = Copies::Image;

constexpr std::size_t kMostResults = 2'000'000;  ///< nodes, before they are forgotten

bool is_of_claim(const Flow& flow, std::size_t threads, const ContextRelations& claim,
                 const ContextRelation& relation) {
  const bool reached = relation.kind == RelationKind::Reached;
  const bool entered = reached || relation.kind == RelationKind::Summary;
  const std::size_t places =
      reached ? flow.nodes.size() : (entered ? flow.frames.size() : std::size_t{1});
  return relation.root < claim.nodes.size() + 2 && relation.thread < threads &&
         relation.where < places && relation.round >= 1 && relation.round <= claim.rounds &&
         (entered ? relation.entered >= 1 && relation.entered <= relation.round
                  : relation.entered == 0);
}

/// Every relation is about threads, nodes, frames and rounds that exist, and is listed once. None
/// is about a return that there is not: nobody could say where its results are.
std::optional<std::string> why_not_relations(const Flow& flow, std::size_t threads,
                                             const ContextRelations& claim) {
  const std::vector<bool> returns = returning_frames(flow);
  std::set<std::tuple<RelationKind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>
      listed;
  for (const ContextRelation& r : claim.relations) {
    if (!is_of_claim(flow, threads, claim, r)) return "a relation is out of range";
    if (r.kind == RelationKind::Summary && !returns[r.where])
      return "a procedure that never returns has a summary";
    if (!listed.emplace(r.kind, r.thread, r.where, r.entered, r.round).second)
      return "a relation is listed twice";
  }
  // Each round begins with a relation of its own, which cannot be empty.
  if (claim.rounds > claim.relations.size()) return "a round has no relations";
  return std::nullopt;
}

/// Each thread has an analysis, that of a thread which does the same.
bool share_rightly(const Flow& flow, const std::vector<NodeId>& starts,
                   const std::vector<std::uint32_t>& analyses) {
  if (analyses.size() != starts.size()) return false;
  for (std::size_t j = 0; j < starts.size(); ++j) {
    const std::uint32_t of = analyses[j];
    if (of >= starts.size() || analyses[of] != of) return false;
    if (starts[of] != starts[j] && !model::boolean::correspondence(flow, starts[j], starts[of]))
      return false;
  }
  return true;
}

class ContextRelationsCheck {
 public:
  ContextRelationsCheck(const model::ProgramTask& task, const ContextRelations& claim,
                        const std::optional<base::Integer>& rounds, base::RunContext& context)
      : task_(task), claim_(claim), claimed_rounds_(rounds), context_(context) {}

  Problem well_formed() {
    if (auto problem = find_program()) return problem;
    if (auto problem = check_form(claim_.nodes, claim_.variables.size())) return problem;
    if (const auto why = why_not_relations(flow_, starts_.size(), claim_)) return refuted(*why);
    if (!share_rightly(flow_, starts_, claim_.analyses))
      return refuted("threads with different code share relations");
    copies_.emplace(flow_, claim_);
    if (copies_->problem()) return refuted(*copies_->problem());
    diagrams_.emplace(claim_.nodes);
    kept_ = diagrams_->size();
    returns_ = returning_frames(flow_);
    ends_turns_.resize(flow_.nodes.size(), false);
    for (const FlowEdge& edge : flow_.edges)
      if (touches_shared(edge)) ends_turns_[edge.source.index()] = may_end_turns(edge.source);
    for (const ContextRelation& r : claim_.relations)
      sets_.emplace(std::tuple{r.kind, r.thread, r.where, r.entered, r.round}, r.root);
    return std::nullopt;
  }

  Problem keeps_to_its_scope() const {
    if (depend_as_allowed(claim_.nodes, sets_of(flow_, claim_))) return std::nullopt;
    return refuted("a relation depends on a variable that it may not depend on");
  }

  /// The first thread's first turn begins with an initial state, and every thread at its start.
  Problem contains_beginning() {
    for (std::uint32_t round = 1; round <= claim_.rounds; ++round) check_begin(round);
    for (thread_ = 0; thread_ < starts_.size(); ++thread_) check_start();
    return std::nullopt;
  }

  Problem is_closed() {
    for (std::uint32_t round = 1; round <= claim_.rounds; ++round) check_round(round);
    return std::nullopt;
  }

  Problem excludes_end() {
    for (std::uint32_t round = 1; round <= claim_.rounds; ++round)
      for (thread_ = 0; thread_ < starts_.size(); ++thread_) check_failures(round);
    return std::nullopt;
  }

  std::string confirmation() const {
    return "the relations contain every initial state, no failure, and all successors (" +
           base::counted(checked_, "rule") + ")";
  }

 private:
  Problem find_program() {
    auto flow = model::boolean::keep_calls(task_.model);
    if (!flow) return refuted("the program has no flow graph: " + flow.error());
    flow_ = std::move(*flow);
    starts_ = starts_of(flow_, task_);
    if (starts_.empty()) return refuted("the number of threads is not fixed");
    const bool several = starts_.size() > 1;
    if (claim_.rounds < 1 || (claimed_rounds_ && *claimed_rounds_ > claim_.rounds && several))
      return refuted("the relations are about fewer rounds");
    if (!claimed_rounds_ && several)
      return refuted("several threads need not end within a number of rounds");
    return std::nullopt;
  }

  // ---- relations ----

  Set get(RelationKind kind, std::uint32_t thread, std::uint32_t where, std::uint32_t entered,
          std::uint32_t round) const {
    const auto found = sets_.find({kind, thread, where, entered, round});
    return found != sets_.end() ? found->second : 0;
  }
  Set reached(NodeId node, std::uint32_t entered, std::uint32_t round) const {
    return get(RelationKind::Reached, claim_.analyses[thread_], node.value, entered, round);
  }
  Set summary(std::uint32_t frame, std::uint32_t entered, std::uint32_t round) const {
    return get(RelationKind::Summary, claim_.analyses[thread_], frame, entered, round);
  }
  Set effect(std::uint32_t thread, std::uint32_t round) const {
    return round == 0 ? 1 : get(RelationKind::Effect, claim_.analyses[thread], 0, 0, round);
  }
  /// Effects of the thread's own turns.
  Set effect_of_turns(std::uint32_t thread, std::uint32_t round) {
    if (round == 0) return 1;
    return both(effect(thread, round), chain(RelationKind::Turn, thread, round));
  }
  Set chain(RelationKind kind, std::uint32_t thread, std::uint32_t round) const {
    return get(kind, thread, 0, 0, round);
  }

  StepCopies step_copies() const {
    return {copies_->of(Family::Current), copies_->of(Family::Next), copies_->of(Family::Local),
            copies_->of(Family::NextLocal), copies_->of(Family::Choice)};
  }

  Set both(Set a, Set b) { return diagrams_->conjunction(a, b); }
  Set moved(Set set, const Image& image) { return diagrams_->substitute(set, image.get()); }
  Set equal(Family a, std::uint32_t round_a, Family b, std::uint32_t round_b) {
    Set out = 1;
    for (std::size_t i = 0; i < copies_->of(a, round_a).size(); ++i)
      out = both(out, diagrams_->equivalence(diagrams_->variable(copies_->of(a, round_a)[i]),
                                             diagrams_->variable(copies_->of(b, round_b)[i])));
    return out;
  }

  /// Whatever is in both premises is in the conclusion, with its variables moved.
  void expect(Set a, Set b, Set conclusion, const Image& image, const std::string& rule) {
    ++checked_;
    if (const auto stop = count_step(context_)) throw Broken{*stop};
    if (!diagrams_->entails(a, b, conclusion, image.get()))
      refute(rule + " leads out of the relations");
    if (diagrams_->size() > kept_ + kMostResults) diagrams_->forget_results();
  }

  // ---- rules ----

  void check_round(std::uint32_t round) {
    for (thread_ = 0; thread_ < starts_.size(); ++thread_) {
      check_chains(round);
      check_turns(round);
      check_idleness(round);
      if (claim_.analyses[thread_] == thread_) check_steps(round);
    }
  }

  /// What follows from facts, whoever allowed them.
  void check_steps(std::uint32_t round) {
    for (std::uint32_t entered = 1; entered <= round; ++entered)
      for (const FlowEdge& edge : flow_.edges) {
        check_edge(edge, entered, round);
        if (edge.kind == EdgeKind::Call) check_returns(edge, entered, round);
      }
    check_effects(round);
  }

  void check_begin(std::uint32_t round) {
    Set begun = initial();
    for (std::uint32_t i = 1; i <= round; ++i)
      begun = both(begun, equal(Family::First, i, Family::Input, i));
    expect(begun, 1, chain(RelationKind::Before, 0, round), Image(*copies_),
           "the beginning of a round");
  }

  void check_start() {
    Image taken_up(*copies_);
    taken_up.move(Family::Current, 0, Family::Input, 1);
    expect(turn(1), 1, reached(starts_[claim_.analyses[thread_]], 1, 1), taken_up,
           "the start of a thread");
  }

  void check_chains(std::uint32_t round) {
    const auto last = static_cast<std::uint32_t>(starts_.size() - 1);
    if (thread_ > 0) {
      Image outputs(*copies_);
      for (std::uint32_t i = 1; i <= round; ++i) outputs.move(Family::Input, i, Family::Output, i);
      expect(
          chain(RelationKind::Before, thread_ - 1, round),
          both(effect_of_turns(thread_ - 1, round), chain(RelationKind::After, thread_ - 1, round)),
          chain(RelationKind::Before, thread_, round), outputs, "an effect of the thread before");
    }
    if (thread_ == last) {
      Set ended = 1;
      for (std::uint32_t i = 1; i < round; ++i)
        ended = both(ended, equal(Family::Output, i, Family::First, i + 1));
      expect(ended, 1, chain(RelationKind::After, last, round), Image(*copies_),
             "the end of a round");
    } else {
      Image inputs(*copies_);
      for (std::uint32_t i = 1; i < round; ++i) inputs.move(Family::Output, i, Family::Input, i);
      const Set met = round > 1 ? chain(RelationKind::Before, thread_ + 1, round - 1) : 1;
      expect(both(effect_of_turns(thread_ + 1, round - 1), met),
             chain(RelationKind::After, thread_ + 1, round),
             chain(RelationKind::After, thread_, round), inputs, "an effect of the thread behind");
    }
    expect(chain(RelationKind::Before, thread_, round),
           both(effect_of_turns(thread_, round - 1), chain(RelationKind::After, thread_, round)),
           turn(round), Image(*copies_), "the effects of the other threads");
  }

  Set turn(std::uint32_t round) const { return chain(RelationKind::Turn, thread_, round); }

  Set initial() {
    Set out = 1;
    const auto& first = copies_->of(Family::First, 1);
    for (std::uint32_t i = 0; i < first.size(); ++i) {
      const auto value = flow_.initial_shared[i];
      if (!value) continue;
      const Set variable = diagrams_->variable(first[i]);
      out = both(out, *value ? variable : diagrams_->complement(variable));
    }
    return out;
  }

  void check_turns(std::uint32_t round) {
    if (round == 1) return;
    Image taken_up(*copies_);
    taken_up.move(Family::Current, 0, Family::Input, round);
    Image ended(*copies_);
    ended.move(Family::Current, 0, Family::Output, round - 1);
    for (std::size_t n = 0; n < flow_.nodes.size(); ++n) {
      if (!ends_turns_[n]) continue;
      for (std::uint32_t entered = 1; entered < round; ++entered)
        expect(moved(reached(NodeId(n), entered, round - 1), ended), turn(round),
               reached(NodeId(n), entered, round), taken_up, "a turn of a thread");
    }
  }

  bool may_end_turns(NodeId node) const {
    return flow_.nodes[node.index()].atomic_depth == 0 && !flow_.nodes[node.index()].failed;
  }

  bool touches_shared(const FlowEdge& edge) const {
    if (edge.kind == EdgeKind::Return && !edge.child_values.empty()) return true;  // perhaps
    return depends_on_shared(flow_, edge);
  }

  std::string named(const FlowEdge& edge) const {
    return "'" + edge.text + "' in line " + std::to_string(edge.at.line);
  }

  void check_edge(const FlowEdge& edge, std::uint32_t entered, std::uint32_t round) {
    const Set before = reached(edge.source, entered, round);
    if (before == 0 || flow_.nodes[edge.source.index()].failed) return;
    const EdgeSets sets(edge, step_copies(), *diagrams_);
    const Set possible = both(before, sets.condition());
    if (edge.kind == EdgeKind::Return) {
      const std::uint32_t frame = flow_.nodes[edge.source.index()].frame;
      expect(possible, sets.assigned(edge.child_values, copies_->of(Family::Result)),
             summary(frame, entered, round), Image(*copies_), named(edge));
    } else if (edge.kind == EdgeKind::Call) {
      check_entry(edge, sets, possible, round);
    } else {
      Image after(*copies_);
      for (const auto& a : edge.shared)
        after.move_one(Family::Current, a.index, Family::Next, a.index);
      for (const auto& a : edge.local)
        after.move_one(Family::Local, a.index, Family::NextLocal, a.index);
      expect(possible,
             both(sets.assigned(edge.shared, copies_->of(Family::Next)),
                  sets.assigned(edge.local, copies_->of(Family::NextLocal))),
             reached(edge.target, entered, round), after, named(edge));
    }
  }

  std::uint32_t parameters_of(const FlowEdge& call) const {
    return flow_.parameter_counts[flow_.frames[flow_.nodes[call.child.index()].frame].procedure];
  }

  Set arguments(const FlowEdge& call, const EdgeSets& sets) const {
    return sets.assigned(std::span(call.child_values).first(parameters_of(call)),
                         copies_->of(Family::Argument));
  }

  void check_entry(const FlowEdge& call, const EdgeSets& sets, Set possible, std::uint32_t round) {
    Set entry = both(arguments(call, sets),
                     sets.assigned(std::span(call.child_values).subspan(parameters_of(call)),
                                   copies_->of(Family::NextLocal)));
    for (std::uint32_t i = 0; i < parameters_of(call); ++i)
      entry = both(entry,
                   diagrams_->equivalence(diagrams_->variable(copies_->of(Family::NextLocal)[i]),
                                          diagrams_->variable(copies_->of(Family::Argument)[i])));
    Image callee(*copies_);
    callee.move(Family::Entry, Family::Current)
        .move(Family::Parameter, Family::Argument)
        .move(Family::Local, Family::NextLocal);
    expect(possible, entry, reached(call.child, round, round), callee, named(call));
  }

  /// From the call, made in some round, behind it in this round.
  void check_returns(const FlowEdge& call, std::uint32_t entered, std::uint32_t round) {
    const std::uint32_t frame = flow_.nodes[call.child.index()].frame;
    if (!returns_[frame]) return;                         // nor are there copies of its results
    if (flow_.nodes[call.source.index()].failed) return;  // as with any edge
    Image caller(*copies_);
    caller.move(Family::Entry, Family::Current)
        .move(Family::Parameter, Family::Argument)
        .move(Family::Current, Family::Next);
    Image behind(*copies_);
    behind.move(Family::Current, Family::Next);
    for (std::uint32_t i = 0; i < call.received.size(); ++i)
      if (call.received[i])
        behind.move_one(call.received[i]->kind == AtomKind::Local ? Family::Local : Family::Current,
                        call.received[i]->index, Family::Result, i);
    const EdgeSets sets(call, step_copies(), *diagrams_);
    for (std::uint32_t called = entered; called <= round; ++called) {
      const Set before = reached(call.source, entered, called);
      const Set returned = summary(frame, called, round);
      if (before == 0 || returned == 0) continue;
      expect(both(both(before, sets.condition()), arguments(call, sets)), moved(returned, caller),
             reached(call.target, entered, round), behind, "the return of " + named(call));
    }
  }

  void check_idleness(std::uint32_t round) {
    Image idle(*copies_);
    idle.move(Family::Output, round, Family::Input, round);
    expect(effect(thread_, round - 1), turn(round), effect(thread_, round), idle,
           "a thread that does nothing");
  }

  void check_effects(std::uint32_t round) {
    Image ended(*copies_);
    ended.move(Family::Output, round, Family::Current, 0);
    for (const FlowEdge& edge : flow_.edges) {
      const bool changes = !edge.shared.empty() ||
                           std::ranges::any_of(edge.received, [](const std::optional<Atom>& atom) {
                             return atom && atom->kind == AtomKind::Shared;
                           });
      for (std::uint32_t entered = 1; changes && entered <= round; ++entered)
        expect(reached(edge.target, entered, round), 1, effect(thread_, round), ended,
               "the end of a turn");
    }
  }

  void check_failures(std::uint32_t round) {
    for (std::size_t n = 0; n < flow_.nodes.size(); ++n)
      for (std::uint32_t entered = 1; flow_.nodes[n].failed && entered <= round; ++entered)
        expect(reached(NodeId(n), entered, round), turn(round), 0, Image(*copies_),
               "a failure in line " + std::to_string(flow_.nodes[n].at.line));
  }

  const model::ProgramTask& task_;
  const ContextRelations& claim_;
  const std::optional<base::Integer>& claimed_rounds_;
  base::RunContext& context_;
  Flow flow_;
  std::vector<NodeId> starts_;
  std::vector<bool> returns_;  ///< by frame
  std::optional<Copies> copies_;
  std::optional<Diagrams> diagrams_;
  std::size_t kept_ = 0;  ///< nodes of the claim
  /// By node: outside of atomic sections, in front of a step that touches shared variables?
  std::vector<bool> ends_turns_;
  using Key = std::tuple<RelationKind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Key, Set> sets_;
  std::uint32_t thread_ = 0;
  std::size_t checked_ = 0;
};

}  // namespace

CheckResult check_certificate(const model::ProgramTask& task, const ContextRelations& relations,
                              const ClaimedBound& bound, base::RunContext& context) {
  const auto rounds = rounds_of(bound);
  return prove(ContextRelationsCheck(task, relations, rounds, context));
}

}  // namespace heddle::check
