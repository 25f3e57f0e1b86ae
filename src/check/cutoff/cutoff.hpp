#pragma once

/// Proves that a claimed cutoff c is one, that the thread states listed for it are exactly the
/// reachable ones, and that fewer threads are not enough (papers/cutoff.txt, Theorem 8).
///
/// With R the listed thread states, it shows:
///
///   1. Every member of R is reached by at most c threads: the witnesses are replayed with the
///      model's own step function. Threads that a witness adds on the way ("births") stand in a
///      local state where any number may start and that no passive move leaves, so they could have
///      been there from the start. Threads are counted with the pool: what a net rule or a spawn
///      gives beyond what it takes comes from there, and what is taken beyond that goes there.
///   2. R has the initial thread states, and every step of reachable thread states leads into R,
///      except for the candidates: a transition with its takers in R (and a passive thread in R)
///      that would lead out of R. All of them are listed, and the basis shows that takers and
///      passive thread never come together. So R is all that is reachable: on a shortest run to
///      something else, the last step would be a candidate that is realised.
///   3. For thread states with a proof that fewer than n threads do not reach them: they are in the
///      upward closure of a set of demands, pool included, that no initial configuration with fewer
///      threads meets, and which has, with each demand, all predecessors but those of n or more
///      threads, those that cannot be covered (by the basis, its invariants, or because a thread
///      state is not in R), and those that weigh more than every initial configuration with fewer
///      threads, by weights of which no step increases the sum. A run of fewer threads to such a
///      thread state would stay in the closure backward to its start. There is such a proof for
///      some thread state and n = c, or no initial configuration has fewer than c threads.
///
/// For each thread state the number of threads is confirmed as sufficient, for those with a proof
/// also as necessary.
///
/// Cost: linear in the witnesses' steps, in transitions times reachable local states, and as
/// a backward basis for both bases. One step of the context for each piece of these.

#include "answer/cutoff.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/counting.hpp"

namespace heddle::check {

/// The task's targets do not matter.
answer::CheckResult check_cutoff(const model::CountingTask& task, const answer::Cutoff& cutoff,
                                 base::RunContext& context);

/// The same of a net that is seen as threads: that it is this thread system is shown, too
/// (net_as_threads.hpp).
answer::CheckResult check_cutoff_of_net(const model::NetTask& net, const model::ThreadTask& threads,
                                        const answer::Cutoff& cutoff, base::RunContext& context);

}  // namespace heddle::check
