/// Accesses that may race.
///
/// Two threads stand before conflicting accesses, and nothing else happens any more: then they
/// race. What a thread stands before is known without an order: it has made its last moment, the
/// condition of the access holds, and the moment of the access never comes. Accesses to bytes that
/// are not shared, or that are always accessed under a mutex, cannot be of a race: they have no
/// moment of their own and are not listed.
///
/// In an atomic section no other thread can step. So an access in a section races with one that
/// another thread stands before while the section is made. The same is said of the access of a
/// join, which has to wait. But nothing can be accessed after a `free`: its thread stands before
/// the section.

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

void Unroller::may_race(const Path& path, const std::vector<Target>& targets, std::uint32_t bytes,
                        Mode mode, bool switches) {
  if (property_ != model::c::Property::NoDataRace || path.is_alone) return;
  const std::vector<Action>& actions = result_.threads[thread_].actions;
  // A free in a section comes after what it races with.
  const bool is_before =
      switches || (mode == Mode::Free && path.sections > 0 && stands(path) != kFalse);
  RacingAccess access;
  access.thread = thread_;
  access.action = actions.size() - 1;
  access.is_write = mode != Mode::Read && mode != Mode::AtomicRead;
  access.is_atomic = path.sections > 0 || mode == Mode::AtomicRead || mode == Mode::AtomicWrite;
  access.frees = mode == Mode::Free;
  access.is_made = !is_before;
  access.moment = is_before ? path.moment->first : path.moment;
  Circuit& circuit = result_.circuit;
  Wire happens = circuit.conjunction(path.guard, !access.moment->never);
  if (is_before) happens = circuit.conjunction(happens, path.moment->never);
  const auto& last = program_.functions[actions.back().function.index()];
  const bool waits =
      std::holds_alternative<model::c::Synchronise>(last.code[actions.back().at.index()].effect);
  if (!is_before && path.sections == 0 && !waits) return;  // nobody else accesses it at that time
  for (const Target& target : targets) {
    const auto size = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(bytes, objects_[target.object].size - target.offset));
    if (!is_shared(path, target, size)) continue;
    access.object = target.object;
    access.first = target.offset;
    access.end = target.offset + size;
    access.happens = circuit.conjunction(happens, target.matches);
    if (access.happens != kFalse) result_.racing.push_back(access);
  }
}

std::vector<Unroller::Target> Unroller::freed_objects(const Word& address) {
  std::vector<Target> found;
  if (address.pointees == nullptr) return found;
  for (const std::uint32_t object : *address.pointees) {
    if (!objects_[object].is_heap) continue;
    const Wire matches = equal(result_.circuit, address.bits, objects_[object].address);
    if (matches != kFalse) found.push_back({object, 0, matches});
  }
  return found;
}

void Unroller::note_free(const Path& path, const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    NotedAccess access;
    access.thread = thread_;
    access.moment = ++moment_;
    access.end = static_cast<std::uint32_t>(objects_[target.object].size);
    access.is_write = access.frees = true;
    facts_.note(target.object, access);
    if (path.is_alone) continue;
    for (const std::uint32_t offset : facts_.shared_bytes(target.object))
      facts_.hold(target.object, offset, path.held);
  }
}

}  // namespace heddle::engine::bounded
