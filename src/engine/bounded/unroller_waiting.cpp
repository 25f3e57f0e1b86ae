/// Threads that wait for ever.
///
/// In a deadlock every thread has ended or stands before a step that it cannot make: a mutex that
/// is taken, a thread to join that runs, an atomic section that memory does not let it complete, a
/// condition wait that nobody ends. Whether the step could be made is what the circuits of the step
/// say if its reads see memory as it is at the end; so reads of a step that is never made are those
/// of the end.

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Property;

Fate& Unroller::fate(std::uint32_t thread) {
  std::vector<Fate>& fates = result_.waiting.fates;
  if (fates.size() <= thread) fates.resize(thread + 1);
  return fates[thread];
}

Wire Unroller::stands(const Path& path) {
  Circuit& circuit = result_.circuit;
  if (path.is_alone) return executed(path);
  const bool is_point = path.moment->first != nullptr && !path.moment->is_choice();
  if (!is_point) return kFalse;
  const Wire never = circuit.conjunction(path.moment->never, !path.moment->first->never);
  return circuit.conjunction(path.guard, never);
}

void Unroller::may_block(const Path& path, Wire condition) {
  if (property_ != Property::NoDeadlock) return;
  Wire& blocked = fate(thread_).blocked;
  blocked =
      result_.circuit.disjunction(blocked, result_.circuit.conjunction(stands(path), !condition));
}

void Unroller::may_sleep(const Path& path, Wire guard, const Word& condition,
                         const MomentRef& asleep) {
  if (property_ != Property::NoDeadlock || path.is_alone) return;
  Path before = path;
  before.guard = guard;
  const Wire happens = stands(before);
  if (happens != kFalse)
    result_.waiting.sleeps.push_back({thread_, condition.bits, happens, asleep});
}

void Unroller::may_signal(Path& path, const Word& condition) {
  if (property_ != Property::NoDeadlock || path.is_alone) return;
  switch_before(path);
  act(path);
  result_.waiting.signals.push_back({thread_, condition.bits, executed(path), path.moment});
}

}  // namespace heddle::engine::bounded
