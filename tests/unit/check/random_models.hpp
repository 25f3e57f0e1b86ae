#pragma once

#include <random>

#include "model/counting.hpp"

namespace heddle::check {

/// A small random thread system: moves (half of them with passive moves, some with a choice),
/// spawns and transfers.
model::ThreadSystem random_system(std::mt19937& random);

/// A small random net: ordinary transitions, weights, resets, transfers, copies and sums that
/// share sources.
model::PetriNet random_net(std::mt19937& random);

/// A configuration with counts of at most `most`.
model::Configuration random_configuration(const model::CountingModel& model, unsigned most,
                                          std::mt19937& random);

/// A number from 0 to n - 1.
std::uint32_t below(std::uint32_t n, std::mt19937& random);

}  // namespace heddle::check
