#pragma once

/// What texts, JSON and pictures of a cutoff have in common.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "answer/cutoff.hpp"
#include "model/counting.hpp"

namespace heddle::output {

/// Consecutive numbers of threads that reach the same thread states, and how many of these no fewer
/// threads reach: a single number that adds some, or all those up to the next that does.
struct CutoffRound {
  std::uint32_t first;
  std::uint32_t last;
  std::size_t reached;
  std::size_t added;
};

/// From the first number of threads that reaches anything (at least 1) to the cutoff. As many as
/// the table has different numbers, twice at most, however large these are.
std::vector<CutoffRound> cutoff_rounds(const answer::Cutoff& cutoff);

/// Consecutive numbers of threads, each of which reaches no more than the one before.
struct Plateau {
  std::uint32_t first;
  std::uint32_t last;
  friend bool operator==(const Plateau&, const Plateau&) = default;
};

/// The plateaus that more threads broke. (The one that begins at the cutoff is never broken.)
std::vector<Plateau> broken_plateaus(const answer::Cutoff& cutoff);

/// For each reachable thread state: is its number of threads proved to be the least? Of the others
/// it is known that so many reach it.
std::vector<bool> proved_least(const model::CountingTask& task, const answer::Cutoff& cutoff);

/// The greatest number in the table that is not proved to be the least, or 0. What is said about
/// so many threads and more is exact.
std::uint32_t greatest_unproved(const model::CountingTask& task, const answer::Cutoff& cutoff);

/// `3|5`, or the place's name.
std::string thread_state_name(const model::CountingModel& model, const model::ThreadState& state);

/// What would have to come together: `3|5,6`.
model::Configuration candidate_demand(const model::CountingModel& model,
                                      const answer::UnrealizableCandidate& candidate);

/// The paper's triples: candidates that differ in their takers, the passive thread, or where the
/// takers go.
std::size_t triple_count(const model::CountingModel& model, const answer::Cutoff& cutoff);

}  // namespace heddle::output
