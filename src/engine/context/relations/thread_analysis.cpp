/// One thread's part of the context-bounded analysis (papers: Lal and Reps, section 6, Fig. 5).
///
/// A *fact* at a node n in round k, in a procedure that was entered in round e ≤ k, says: if the
/// thread's turns 1…k begin with the shared states A_1…A_k, then it can end its turns 1…k−1 with
/// B_1…B_{k−1}, enter its current procedure with shared state E and parameters P, and be at n now
/// with shared state C and local variables L. The paper carries whole tuples at the procedure's
/// entry instead of E; these are determined: turns before e have ended, those behind e have not
/// been touched when the procedure was entered. The rules:
///
///   step    a fact and an edge give the fact behind the edge                              (R1')
///   call    a fact at a call gives the callee's entry, with E = C and P = the arguments    (R7')
///   leave   a fact at a return gives a summary of its frame, and every fact at a call that
///           agrees with it on A, B, E and P goes on behind the call, in the summary's round (R2',
///           R3')
///   turn    a fact in round k−1 whose A, B with B_{k−1} = C is allowed to go on with A_k gives a
///           fact in round k at the same node, with C = A_k                                (R8, R9)
///   effect  A_1…A_k, B_1…B_k with B_k = C                                                 (R11)
///
/// Turns need not end everywhere. Until the next step that touches shared variables nobody can tell
/// whether a turn has ended (System::may_switch); inside an atomic section nobody else can step,
/// and outside the bit that says so is 0 when a turn ends, so a guard that asks for it does not
/// count. That a thread does nothing in a round is no matter of its facts: the effect of the round
/// before, with A_k = B_k, is one of this round. So the effect of a round are those and, at nodes
/// where the shared state may just have changed, those of the facts.
///
/// Facts know nothing of the other threads but A, so threads that do the same share them: each of
/// them allows turns of its own, and what it can do after a turn is among the facts that agree with
/// the turn on A and B.
///
/// Rounds are worked off one after the other, so the facts of round k−1 are complete when those
/// of round k begin. There are finitely many facts, and each spot's set only grows: it ends.

#include "engine/context/relations/thread_analysis.hpp"

namespace heddle::engine::context {

using base::StopReason;
using model::boolean::EdgeKind;

ThreadAnalysis::ThreadAnalysis(const System& system, NodeId start, bool stops_at_failure)
    : system_(system),
      start_(start),
      stops_at_failure_(stops_at_failure),
      effects_{system.space().constant(true)} {}

void ThreadAnalysis::begin_round() {
  ++round_;
  allowed_ = Bdd();
  effects_.emplace_back();
}

std::optional<StopReason> ThreadAnalysis::play(const Bdd& turns, DiagramWork& work,
                                               base::RunContext& context) {
  const Bdd fresh = turns - allowed_;
  if (fresh.is_false()) return std::nullopt;
  allowed_ |= fresh;
  begin(fresh);
  while (!waiting_.empty() && !failed_) {
    if (const auto stop = work.step(context)) return stop;
    const Spot at = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    process_queue(at);
  }
  if (!failed_) note_effect(fresh);
  return std::nullopt;
}

void ThreadAnalysis::begin(const Bdd& turns) {
  const Bdd taken_up = system_.equal(Family::Current, 0, Family::Input, round_);
  if (round_ == 1) return add(spot(start_, 1, 1), turns & taken_up);
  std::vector<std::pair<Spot, Bdd>> ended;
  for (const auto& [at, reached] : reached_)
    if (at.round == round_ - 1 && system_.may_switch(at.node) && !is_failed(at.node))
      ended.emplace_back(
          at, system_.rename(reached.facts, Family::Current, 0, Family::Output, round_ - 1));
  for (const auto& [at, facts] : ended)
    add(spot(at.node, at.entered, round_), (facts & turns) & taken_up);
}

void ThreadAnalysis::add(const Spot& at, const Bdd& facts) {
  if (facts.is_false()) return;
  Reached& there = reached_[at];
  const Bdd fresh = facts - there.facts;
  if (fresh.is_false()) return;
  there.pending |= fresh;
  waiting_.insert(at);
}

void ThreadAnalysis::process_queue(const Spot& at) {
  Reached& here = reached_[at];
  const Bdd facts = std::exchange(here.pending, Bdd());
  if (facts.is_false()) return;
  here.facts |= facts;
  here.rings.push_back({++time_, facts});
  if (is_failed(at.node)) {
    failed_ = stops_at_failure_;
    return;
  }
  for (const EdgeId edge : system_.edges_from(at.node)) {
    switch (system_.flow().edges[edge.index()].kind) {
      case EdgeKind::Call: call(at, edge, facts); break;
      case EdgeKind::Return: leave(at, edge, facts); break;
      default: step(at, edge, facts); break;
    }
  }
}

void ThreadAnalysis::step(const Spot& at, EdgeId edge, const Bdd& facts) {
  const EdgeRelation& r = system_.relation(edge);
  const Bdd after = r.renaming(system_.space().exists_and(facts, r.relation, r.forgotten));
  add(spot(system_.flow().edges[edge.index()].target, at.entered, at.round), after);
}

void ThreadAnalysis::call(const Spot& at, EdgeId edge, const Bdd& facts) {
  const Bdd called = facts & system_.relation(edge).relation;
  if (called.is_false()) return;
  called_[{edge, at.entered, at.round}] |= called;
  const NodeId entry = system_.flow().edges[edge.index()].child;
  add(spot(entry, at.round, at.round), system_.entered(edge, called));
  const std::uint32_t frame = system_.callee(edge);
  const auto first = summaries_.lower_bound({frame, at.round, 0});
  const auto last = summaries_.upper_bound({frame, at.round, round_});
  for (auto it = first; it != last; ++it)
    continue_after(edge, at.entered, std::get<2>(it->first), called, it->second);
}

void ThreadAnalysis::leave(const Spot& at, EdgeId edge, const Bdd& facts) {
  const EdgeRelation& r = system_.relation(edge);
  const Bdd summary =
      system_.for_caller(system_.space().exists_and(facts, r.relation, r.forgotten));
  const std::uint32_t frame = system_.flow().nodes[at.node.index()].frame;
  Bdd& known = summaries_[{frame, at.entered, at.round}];
  const Bdd fresh = summary - known;
  if (fresh.is_false()) return;
  known |= fresh;
  for (const EdgeId call : system_.calls_of(frame))
    for (std::uint32_t entered = 1; entered <= at.entered; ++entered)
      if (const auto found = called_.find({call, entered, at.entered}); found != called_.end())
        continue_after(call, entered, at.round, found->second, fresh);
}

void ThreadAnalysis::continue_after(EdgeId call, std::uint32_t entered, std::uint32_t round,
                                    const Bdd& called, const Bdd& summary) {
  const EdgeRelation& r = system_.relation(call);
  const Bdd after = r.renaming(system_.space().exists_and(called, summary, r.forgotten));
  add(spot(system_.flow().edges[call.index()].target, entered, round), after);
}

void ThreadAnalysis::note_effect(const Bdd& turns) {
  const Bdd idle =
      effects_[round_ - 1] & turns & system_.equal(Family::Output, round_, Family::Input, round_);
  const Bdd forgotten =
      system_.all(Family::Entry) & system_.all(Family::Parameter) & system_.all(Family::Local);
  Bdd busy;
  for (auto& [at, reached] : reached_) {
    if (at.round != round_ || !system_.may_have_changed(at.node)) continue;
    const Bdd fresh = reached.facts - std::exchange(reached.noted, reached.facts);
    busy |= system_.space().exists(fresh, forgotten);
  }
  effects_.back() |= idle | system_.rename(busy, Family::Current, 0, Family::Output, round_);
}

Bdd ThreadAnalysis::failures() const {
  const Bdd forgotten = system_.all(Family::Entry) & system_.all(Family::Parameter) &
                        system_.all(Family::Local) & system_.all(Family::Current);
  Bdd out;
  for (const auto& [at, reached] : reached_)
    if (at.round == round_ && is_failed(at.node))
      out |= system_.space().exists(reached.facts, forgotten);
  return out;
}

const std::vector<Ring>& ThreadAnalysis::rings(NodeId node, std::uint32_t entered,
                                               std::uint32_t round) const {
  const auto found = reached_.find(spot(node, entered, round));
  return found != reached_.end() ? found->second.rings : no_rings_;
}

}  // namespace heddle::engine::context
