/// A thread that sleeps is not woken if every signal of its condition comes before it falls asleep.
/// Signals that wake another of several sleepers are not told from those that wake it, so that some
/// deadlocks are not found.

#include "engine/bounded/deadlocks.hpp"

#include <algorithm>

namespace heddle::engine::bounded {

namespace {

Wire is_woken(Circuit& circuit, Encoding& encoding, const Sleep& sleep, const Signal& signal) {
  if (signal.thread == sleep.thread) return kFalse;
  const std::size_t width = std::max(sleep.condition.size(), signal.condition.size());
  const Wire is_same =
      equal(circuit, resized(sleep.condition, width), resized(signal.condition, width));
  const Wire is_early = encoding.precedes(signal.moment, signal.thread, sleep.moment, sleep.thread);
  return conjunction(circuit, {is_same, signal.happens, !is_early});
}

}  // namespace

void encode_deadlock(Unrolling& unrolling, Encoding& encoding) {
  Circuit& circuit = unrolling.circuit;
  std::vector<Fate> fates = unrolling.waiting.fates;
  if (fates.empty()) return;
  fates.front().created = kTrue;
  for (const Sleep& sleep : unrolling.waiting.sleeps) {
    Wire sleeps = sleep.happens;
    for (const Signal& signal : unrolling.waiting.signals)
      sleeps = circuit.conjunction(sleeps, !is_woken(circuit, encoding, sleep, signal));
    Wire& blocked = fates[sleep.thread].blocked;
    blocked = circuit.disjunction(blocked, sleeps);
  }
  Wire all = !unrolling.waiting.exceeds_threads;
  Wire some = kFalse;
  for (const Fate& fate : fates) {
    const Wire is_still = circuit.disjunction(fate.ended, fate.blocked);
    all = circuit.conjunction(all, circuit.disjunction(!fate.created, is_still));
    some = circuit.disjunction(some, circuit.conjunction(fate.created, fate.blocked));
  }
  const Wire deadlock = circuit.conjunction(all, some);
  if (deadlock != kFalse) unrolling.violations.push_back(deadlock);
}

}  // namespace heddle::engine::bounded
