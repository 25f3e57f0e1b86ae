/// All threads together (papers: Lal and Reps, sections 2.3 and 6).
///
/// In each round every thread has its turn, in the order of their numbers; it may do nothing. Let
/// M_i be the shared state when round i begins, and A_i, B_i those when a thread's turn in it
/// begins and ends. A thread's B_i are the next thread's A_i, the last thread's B_i are M_{i+1}.
/// So, before thread j plays round k, a prefix of a run is a chain
///
///   M ─E_0→ · ─E_1→ … ─E_{j−1}→ A        effects up to round k of the threads before it
///   B ─E_{j+1}→ … ─E_{n−1}→ (M_2…M_k)    effects up to round k−1 of those behind it
///
/// with M_1 initial. `before` is the first line as a relation of M and A, `after` the second one of
/// B and M. Their join over M with what the thread itself can have done, E_j up to round k−1, are
/// its possible *turns*: A_1…A_k and B_1…B_{k−1}.
///
/// Chains are kept to what belongs to runs. A chain of effects alone may begin with any M, and with
/// each further thread there are more ways to go on from there that the others do not allow, so
/// that the relations grow with the number of threads, and the time with its cube or worse. But
/// `after` of thread j says which B the threads behind it, and M, can have come from in the rounds
/// before, so `before` of thread j+1 is cut down to these; and `before` of the round before says
/// what a thread can have begun with, so `after` is cut down to that. Both then hold the shared
/// states of a run's rounds at two places, and stay as small as these.
///
/// Lazily, a thread plays only these. By induction over turns every fact then belongs to a run
/// (Theorem 2), and a fact at a failed node is a failure. Eagerly, it plays all turns (the first
/// thread's first turn is initial), and a failure counts if its turn is possible. Effects of turns
/// that are not possible do no harm, nor those that are possible only for another of the threads
/// that share an analysis: E_j is what the thread's own turns lead to. Failures are looked for turn
/// by turn, so the first one is in the earliest turn of round robin that can fail.

#include "engine/context/relations/rounds.hpp"

#include "base/invariant.hpp"

namespace heddle::engine::context {

using base::StopReason;

Rounds::Rounds(const System& system, const std::vector<NodeId>& starts, Guessing guessing)
    : system_(system), guessing_(guessing), work_(system.space()) {
  for (const NodeId start : starts) members_.push_back(member(start));
}

Rounds::Member Rounds::member(NodeId start) {
  for (std::size_t i = 0; i < analyses_.size(); ++i)
    if (auto own = model::boolean::correspondence(system_.flow(), analyses_[i].start(), start))
      return {start, i, std::move(*own)};
  analyses_.emplace_back(system_, start, guessing_ == Guessing::Lazy);
  return {start, analyses_.size() - 1,
          *model::boolean::correspondence(system_.flow(), start, start)};
}

EdgeId Rounds::own_edge(std::size_t thread, EdgeId edge) const {
  return members_[thread].own.edges.at(edge);
}

std::optional<StopReason> Rounds::play(base::RunContext& context) {
  HEDDLE_INVARIANT(!failure_, "nothing should be played after a failure");
  ++round_;
  look_behind();
  for (ThreadAnalysis& analysis : analyses_) analysis.begin_round();
  std::vector<Bdd>& before = before_.emplace_back();
  std::vector<Bdd>& turns = turns_.emplace_back();
  Bdd chain = system_.initial(Family::First, 1);
  for (std::uint32_t i = round_; i >= 1; --i)
    chain &= system_.equal(Family::First, i, Family::Input, i);
  for (std::size_t j = 0; j < members_.size(); ++j) {
    ThreadAnalysis& thread = analyses_[members_[j].analysis];
    before.push_back(chain);
    turns.push_back(possible_turns(j, chain));
    const bool all_turns = guessing_ == Guessing::Eager && (j > 0 || round_ > 1);
    const Bdd played = all_turns ? system_.space().constant(true) : turns.back();
    if (const auto stop = work_.step(context)) return stop;
    if (const auto stop = thread.play(played, work_, context)) return stop;
    const Bdd failures = thread.failures() & turns.back();
    if (!failures.is_false()) {
      failure_ = Failure{j, failures};
      return std::nullopt;
    }
    if (j + 1 < members_.size()) chain = followed_by(chain, j);
  }
  return std::nullopt;
}

Bdd Rounds::possible_turns(std::size_t thread, const Bdd& before) const {
  const Bdd done = effect(thread, round_ - 1) & after_.back()[thread];
  return system_.space().exists_and(before, done, copies(Family::First, 1, round_));
}

/// Makes `after` for the round that begins.
void Rounds::look_behind() {
  Bdd chain = system_.space().constant(true);
  for (std::uint32_t i = 1; i < round_; ++i)
    chain &= system_.equal(Family::Output, i, Family::First, i + 1);
  std::vector<Bdd>& after = after_.emplace_back(members_.size());
  for (std::size_t j = members_.size(); j-- > 0;) {
    after[j] = chain;
    chain = preceded_by(j, chain);
  }
}

Bdd Rounds::effect(std::size_t thread, std::uint32_t round) const {
  const Bdd& all = analysis(thread).effect(round);
  return round == 0 ? all : all & turns_[round - 1][thread];
}

Bdd Rounds::followed_by(const Bdd& before, std::size_t thread) const {
  const Bdd behind =
      system_.space().exists_and(before, effect(thread, round_), copies(Family::Input, 1, round_));
  return rename_copies(behind & after_.back()[thread], Family::Output, Family::Input, round_);
}

Bdd Rounds::preceded_by(std::size_t thread, const Bdd& after) const {
  if (round_ == 1) return after;
  const Bdd ahead = system_.space().exists_and(effect(thread, round_ - 1), after,
                                               copies(Family::Output, 1, round_ - 1));
  const Bdd met =
      system_.space().exists_and(ahead, before_[round_ - 2][thread], system_.all(Family::First, 1));
  return rename_copies(met, Family::Input, Family::Output, round_ - 1);
}

Bdd Rounds::copies(Family family, std::uint32_t first, std::uint32_t last) const {
  Bdd out = system_.space().constant(true);
  for (std::uint32_t i = first; i <= last; ++i) out &= system_.all(family, i);
  return out;
}

Bdd Rounds::rename_copies(const Bdd& set, Family from, Family to, std::uint32_t last) const {
  VariablePairs pairs;
  for (std::uint32_t i = 1; i <= last; ++i)
    append_pairs(pairs, system_.variables().of(from, i), system_.variables().of(to, i));
  return BddRenaming(pairs)(set);
}

}  // namespace heddle::engine::context
