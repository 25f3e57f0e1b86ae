#pragma once

/// The thread states of a Boolean program that a cutoff claims, for people: how many there are at
/// each place, and which.

#include <string>
#include <vector>

#include "answer/cutoff.hpp"
#include "base/integer.hpp"
#include "model/boolean_program/flow.hpp"
#include "model/task.hpp"

namespace heddle::output {

/// A place in the program that threads reach.
struct ReachedPlace {
  model::boolean::NodeId node;
  std::string name;  ///< `main:12`
  std::uint32_t line = 0;
  base::Integer states;            ///< how many valuations
  std::vector<std::string> cubes;  ///< `x=1 y=0`: all states in which these values hold
  bool is_complete = true;         ///< are all states in a cube that is listed?
};

/// Places in the order of lines. At most so many cubes for each.
/// Precondition: the claim is about the program and well formed.
std::vector<ReachedPlace> reached_places(const model::boolean::Flow& flow,
                                         const answer::ProgramThreadStates& states,
                                         std::size_t most_cubes);

base::Integer state_count(const std::vector<ReachedPlace>& places);

}  // namespace heddle::output
