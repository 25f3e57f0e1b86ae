/// Invalid accesses and frees. Whether a heap object has been freed is a byte that its `free` sets
/// and every access reads: memory like any other, shared if more than one thread uses it.

#include "engine/bounded/unroller.hpp"

namespace heddle::engine::bounded {

using model::c::Property;

bool Unroller::looks_for_faults() const {
  return property_ == Property::Memory || model::c::tracks_memory(property_);
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
  bool is_switched = false;
  for (Target& target : targets) {
    if (!objects_[target.object].is_heap) continue;
    const Target flag{objects_.freed(target.object), 0, kTrue};
    if (!is_switched && is_shared(path, flag, 1)) is_switched = switch_before(path);
    const Word freed = read(path, {flag}, 1);
    target.matches = result_.circuit.conjunction(target.matches, !freed.bits.front());
  }
}

void Unroller::free_object(Path& path, const Word& address) {
  const Wire is_null = equal(result_.circuit, address.bits, std::uint64_t{0});
  std::vector<Target> objects = freed_objects(address);
  leave_freed(path, objects);
  Wire is_valid = is_null;
  for (const Target& target : objects)
    is_valid = result_.circuit.disjunction(is_valid, target.matches);
  fault_if(path, !is_valid);
  if (path.guard == kFalse) return;
  act(path);
  for (const Target& target : objects)
    write(path, {{objects_.freed(target.object), 0, target.matches}}, number(1, 8));
}

}  // namespace heddle::engine::bounded
