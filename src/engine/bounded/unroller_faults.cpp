/// Invalid accesses and frees. Whether a heap object has been freed is a byte that its `free` sets
/// and every access reads: memory like any other, shared if more than one thread uses it.

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Property;

namespace {

/// Of a freed object these bytes are known to end.
constexpr std::uint32_t kMostFreedBytes = 1u << 16;

}  // namespace

/// Otherwise a run that uses what was freed is not replayed.
bool Unroller::follows_frees() const {
  return looks_for_faults() || property_ == Property::NoDataRace;
}

bool Unroller::looks_for_faults() const {
  return property_ == Property::NoFault || property_ == Property::Memory ||
         model::c::tracks_memory(property_);
}

void Unroller::fault_if(Path& path, Wire condition) {
  if (condition == kFalse) return;
  if (!looks_for_faults()) return drop_if(path, condition);
  Path faulty = path;
  faulty.guard = result_.circuit.conjunction(path.guard, condition);
  if (faulty.guard != kFalse) violate(faulty, kTrue);
  path.guard = result_.circuit.conjunction(path.guard, !condition);
}

void Unroller::leave_freed(Path& path, std::vector<Target>& targets) {
  for (Target& target : targets) {
    if (!objects_[target.object].is_heap) continue;
    const Target mark{objects_.freed(target.object), 0, kTrue};
    if (!is_switched_ && is_shared(path, mark, 1)) is_switched_ = switch_before(path);
    const Word freed = read(path, {mark}, 1);
    target.matches = result_.circuit.conjunction(target.matches, !freed.bits.front());
  }
}

void Unroller::execute(Path& path, const model::c::Free& effect) {
  if (!follows_frees()) return step_over(path);
  const Word address = value(path, effect.address);
  std::vector<Target> objects = freed_objects(address);
  const bool is_race = property_ == Property::NoDataRace;
  if (is_race) note_free(path, objects);
  is_switched_ = false;
  leave_freed(path, objects);
  Wire is_valid = equal(result_.circuit, address.bits, std::uint64_t{0});
  for (const Target& target : objects)
    is_valid = result_.circuit.disjunction(is_valid, target.matches);
  fault_if(path, !is_valid);
  if (path.guard == kFalse) return;
  const bool switches = is_race && switch_before(path, objects, kMostFreedBytes);
  act(path);
  may_race(path, objects, kMostFreedBytes, Mode::Free, switches);
  for (const Target& target : objects)
    write(path, {{objects_.freed(target.object), 0, target.matches}}, number(1, 8));
  step_over(path);
}

}  // namespace heddle::engine::bounded
