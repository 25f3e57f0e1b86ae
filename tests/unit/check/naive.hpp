#pragma once

/// Slow and obvious versions of what the checkers prove, for small models: everything is done by
/// looking at all configurations of a box, with the models' own step functions.

#include <functional>
#include <vector>

#include "answer/certificate.hpp"
#include "answer/trace.hpp"
#include "model/counting.hpp"

namespace heddle::check::naive {

/// All configurations with every counter at most `most`.
std::vector<model::Configuration> box(const model::CountingModel& model, unsigned most);

/// All successors by one transition, whatever the passive threads choose.
std::vector<model::Configuration> successors(const model::CountingModel& model,
                                             const model::Configuration& from,
                                             model::TransitionId transition);

bool in_upward_closure(const std::vector<model::Configuration>& basis,
                       const model::Configuration& configuration);

/// Does a trace do what it says? Unrolls repetitions, the first thousand of each block: right if
/// blocks have a constant effect and the other numbers are much smaller.
bool is_valid_trace(const model::CountingTask& task, const answer::Trace& trace);

/// Does a basis with its invariants do what it says, as far as configurations of the box go? Larger
/// ones do not matter if the box is larger than every number in the evidence and the model.
bool is_valid_basis(const model::CountingTask& task, const answer::BackwardBasis& basis,
                    unsigned most);

/// Does a forward cover do what it says, as far as initial configurations and steps of the box go?
/// The same remark about the size of the box.
bool is_valid_cover(const model::CountingTask& task, const answer::ForwardCover& cover,
                    unsigned most);

/// The minimal configurations of the box that can reach a target in the box's terms: a backward
/// basis by brute force. Precise if no element touches the box's upper end.
std::vector<model::Configuration> backward_basis(const model::CountingTask& task, unsigned most);

}  // namespace heddle::check::naive
