#pragma once

/// Exhaustive small scopes: every model up to a size and up to renaming, every question about it.
/// Most mistakes of coverability algorithms show on some model this small.

#include <functional>
#include <vector>

#include "model/counting.hpp"

namespace heddle::test {

/// A model, a way to start it, and all the targets that are asked about both.
struct TinyCase {
  model::CountingModel model;
  std::vector<model::Region> initial;
  std::vector<std::vector<model::Region>> targets;
};

using VisitTiny = std::function<void(const TinyCase&)>;

/// Thread systems with |S|·|L| ≤ 4: up to three moves, spawns and transfers, and up to two edges of
/// which one or both have one passive pair; modulo permutations of the states other than shared 0
/// and local 0. Initially any number of threads in 0, at least one, or exactly one. Targets: every
/// thread state and every pair s|l1,l2. Moves that change nothing are left out.
void for_each_tiny_thread_system(const VisitTiny& visit);

/// Nets with up to two places and up to two transitions that take and give up to two tokens per
/// place, modulo swapping the places.
void for_each_tiny_net(const VisitTiny& visit);

}  // namespace heddle::test
