#pragma once

/// Proves that a pathwise proof shows that no target of a thread system can be reached. Of the
/// proof only the basis is read, and its form is checked with it; graph, slices and formula are
/// made here from the model, so about the other paths nothing can be claimed that is false.
///
/// It shows:
///
///   1. the formula of path_formula.hpp cannot be satisfied (cvc5 says so);
///   2. in the system that has only the transitions of the spaghetti slice, the basis shows that
///      no target at the end of a spaghetti path can be reached (backward_basis.hpp).
///
/// That suffices. Suppose c0 → c1 → … → cn leads from an initial configuration into a target, by
/// the transitions t1 … tn. Leave out the steps that change nothing, moves of a thread to where it
/// is. What is left still leads there, and its transitions are live, because the source of each
/// lies in every closed set of thread states. Each starts in the shared state in which the one
/// before ends: they are a path in 𝒮 (shared_graph.hpp) from an initial shared state to that of a
/// target.
///
/// If the path is spaghetti, each of its transitions lies on a spaghetti path, this one; so all of
/// them are in the slice, its end is that of a spaghetti path, and the run is one that 2 excludes.
///
/// Otherwise it meets trivial components and simple loops only, and all its transitions have a
/// constant effect. In a simple loop it goes round as the loop prescribes: from the node where it
/// enters to the one where it leaves there is one walk for each number of whole rounds. So it is
/// one of the paths of the formula. Let d(n) be the target's least element and d(i−1) the least
/// demand such that t(i) leads from above it to above d(i); it exists and has the form that
/// counter_value.hpp says. Going back from cn one sees that ci covers d(i). The numbers d(i), with
/// the choices and rounds of the path, satisfy the formula: its inequalities say no more than how
/// d(i−1) follows from d(i), and d(0) is below c0 and so within the bounds of an initial region.
/// Nodes that the path does not meet get the demands of any way on from them, and no Boolean of
/// theirs is true. This is what 1 excludes.
///
/// The formula is not stronger than needed either: a solution is a run (path_formula.hpp). So no
/// claim that is true is refuted for the formula's sake.
///
/// Which interleavings are paths: all of them. A path says which transition comes after which, not
/// who takes it; the demand says how many threads that needs. Steps that keep the shared state are
/// arcs like others, from a node to itself: one such arc at a node is a simple loop, two at one
/// node are spaghetti.

#include "answer/certificate.hpp"
#include "answer/report.hpp"
#include "base/run_context.hpp"
#include "model/task.hpp"

namespace heddle::check {

answer::CheckResult check_pathwise_proof(const model::Task& task,
                                         const answer::PathwiseProof& proof,
                                         base::RunContext& context);

}  // namespace heddle::check
