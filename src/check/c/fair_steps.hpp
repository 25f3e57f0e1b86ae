#pragma once

/// Weak fairness in the check of C programs: a thread that can step from some moment on, without
/// interruption, steps again. A thread is *served* by a stretch of a run if it executes one of its
/// instructions, or cannot step at one of its moments. Moments inside atomic sections do not count:
/// a section is one step.

#include <cstdint>
#include <string>
#include <vector>

#include "check/proof.hpp"
#include "model/c/run.hpp"

namespace heddle::check::c {

/// Threads by their bits.
using ThreadBits = std::uint64_t;
constexpr std::size_t kMostServed = 64;

/// The threads that cannot step in this state. Precondition: at most 64 threads, no section.
ThreadBits waiting_threads(const model::c::Interpreter& interpreter, const model::c::State& state);

/// Refuted if some thread can always step in the loop of a lasso but never does. Precondition: the
/// run can be executed.
Problem check_fairness(const model::c::Interpreter& interpreter, const model::c::Run& run);

struct FairStep {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  ThreadBits served = 0;
};

/// Whether an infinite path exists on which every thread is served again and again. For finitely
/// many states: whether the steps inside one strongly connected component serve all threads that
/// its states have, by Kosaraju's algorithm. `threads` has their number for each state; it never
/// falls, so that it is the same in all of a component.
bool has_fair_cycle(const std::vector<FairStep>& steps, const std::vector<std::uint32_t>& threads);

}  // namespace heddle::check::c
