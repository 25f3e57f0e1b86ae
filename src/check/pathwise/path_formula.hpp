#pragma once

/// One formula for all paths that are not spaghetti: it can be satisfied if and only if one of them
/// is a run from an initial configuration to a target.
///
/// A path is read backward, from a target to an initial region, and carries the least demand from
/// which its rest can be run: for every local state the number of threads that are asked for. A
/// transition of constant effect changes each number n to max(n + δ, b) (counter_value.hpp). All of
/// this is monotone, and in the end the numbers must stay below the bounds of an initial region, so
/// a formula may let a number be anything *from* the least demand on: m = max(x, b) is written as
/// m ≥ x and m ≥ b, without a case split. (A solution of one formula gives one of the other: all
/// numbers lowered to the least; and the least demands are a solution of both.)
///
/// A simple loop is left in some node e, where the demand is X. Backward, the run has made κ ≥ 0
/// whole rounds that end in e, and before that a part of a round from the node where the loop is
/// entered. A round does n ↦ max(n + δ, b) to each number, with b depending on e. κ ≥ 1 of them do
///
///     max(n + κδ, b + (κ − 1)δ, …, b + δ, b) = max(n + κδ, b + (κ − 1)·max(δ, 0)),
///
/// and none does nothing. With numbers that may be larger: m ≥ n + κδ, and if κ ≥ 1 also
/// m ≥ b + (κ − 1)·max(δ, 0). This is linear, since δ and b are constants.
///
/// Where several ways lead on from a node, there is a Boolean for each, at least one of which must
/// be true, and the demand in the node is at least that of every way whose Boolean is true. So the
/// formula has a variable for each choice, loop and number that changes, and nothing is said twice
/// about common parts of paths.
///
/// One fact is added that follows for each path but that a solver would have to find for each anew:
/// how many threads are asked for in all. A move asks for no fewer before than after, a spawn for
/// at most one fewer. (This is claimed of nodes that a path does not meet, too. There it holds of
/// the demands of any way on from the node, without rounds; they give the formula a solution.)

#include <expected>
#include <vector>

#include "base/run_context.hpp"
#include "check/pathwise/shared_graph.hpp"
#include "check/pathwise/spaghetti_slice.hpp"
#include "term/term.hpp"

namespace heddle::check {

struct PathFormula {
  std::vector<term::Term> assertions;
  bool has_path = false;  ///< from an initial region to a target
  bool is_open = false;   ///< false if constants alone show that it cannot be satisfied
  std::size_t loops = 0;
  std::size_t choices = 0;
};

/// Or why the context ended the work. Time and space in the order of the arcs times the local
/// states that paths ask for; loops with several exits cost the square of their length. One step of
/// the context for each arc on a path.
std::expected<PathFormula, base::StopReason> path_formula(const model::ThreadSystem& system,
                                                          const model::CountingQuestion& question,
                                                          const SharedGraph& graph,
                                                          const Slices& slices,
                                                          base::RunContext& context);

}  // namespace heddle::check
