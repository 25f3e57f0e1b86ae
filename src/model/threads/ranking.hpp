#pragma once

/// Why a thread program has no infinite run, as data. See check/c/ranks.cpp for what it has to
/// satisfy.

#include <cstdint>
#include <utility>
#include <vector>

#include "model/threads/thread_program.hpp"

namespace heddle::model::threads {

/// A number for each state of one thread in one loop or in several: steps that are taken for ever
/// do not increase it, and some of them decrease it.
struct Rank {
  ThreadIndex thread;
  /// Cuts of the thread, in ascending order, with an integer term over globals and its locals.
  std::vector<std::pair<std::uint32_t, term::Term>> at;
};

/// Lexicographic: each rank is about the steps that those before it have not excluded.
using Ranking = std::vector<Rank>;

}  // namespace heddle::model::threads
