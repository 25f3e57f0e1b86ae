#include "engine/bounded/objects.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::engine::bounded {

using model::c::GlobalId;
using model::c::Region;
using model::c::ThreadId;

Pointees only(std::uint32_t object) {
  return std::make_shared<const std::vector<std::uint32_t>>(1, object);
}

Pointees joined(const Pointees& a, const Pointees& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  std::vector<std::uint32_t> all;
  std::ranges::set_union(*a, *b, std::back_inserter(all));
  if (all.size() == a->size()) return a;
  if (all.size() == b->size()) return b;
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
}

namespace {

// What the first number of a key stands for, where it is not a place in a thread.
enum SpecialKey : std::uint32_t { kThreadLocal = 0xffff'fff0, kEnd, kResult, kFreed };

}  // namespace

Objects::Objects(const model::c::Interpreter& interpreter) : interpreter_(interpreter) {
  const model::c::Program& program = interpreter.program();
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    const model::c::Global& global = program.globals[i];
    ObjectInfo object;
    object.size = global.size;
    object.global = &global;
    object.is_constant = global.is_constant;
    if (!global.is_thread_local) object.address = interpreter.addresses().of_global(GlobalId(i));
    add(object);
  }
  first_function_ = size();
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    ObjectInfo object;
    object.address = interpreter.addresses().of_function(model::c::FunctionId(i));
    object.is_function = true;
    add(object);
  }
}

std::uint32_t Objects::add(const ObjectInfo& object) {
  if (object.address != 0) by_address_.emplace(object.address, size());
  objects_.push_back(object);
  return size() - 1;
}

std::uint32_t Objects::kept(const PlaceKey& key, const ObjectInfo& object) {
  const auto [place, is_new] = known_.try_emplace(key, size());
  if (is_new) add(object);
  return place->second;
}

std::uint32_t Objects::of_global(GlobalId global, std::uint32_t thread) {
  const model::c::Global& declared = interpreter_.program().globals[global.index()];
  if (!declared.is_thread_local) return global.value;
  ObjectInfo object;
  object.size = declared.size;
  object.global = &declared;
  object.is_constant = declared.is_constant;
  object.address = interpreter_.addresses().of_thread_local(global, ThreadId(thread));
  return kept({kThreadLocal, global.value, thread}, object);
}

std::optional<std::uint32_t> Objects::allocated(const PlaceKey& place, std::uint32_t thread,
                                                Region region, std::uint64_t size, bool is_zeroed) {
  if (const auto found = known_.find(place); found != known_.end()) {
    ObjectInfo& object = objects_[found->second];
    if (object.size >= size || interpreter_.addresses().pointer_bytes() == 4) {
      if (object.size != size) return std::nullopt;
      return found->second;
    }
    object.size = size;
    return found->second;
  }
  const auto [next, is_new] = next_.try_emplace(
      std::pair(thread, region), interpreter_.addresses().first_of(region, ThreadId(thread)));
  if (size > interpreter_.addresses().largest_object()) return std::nullopt;
  const std::optional<std::uint64_t> after = interpreter_.addresses().after(next->second, size);
  if (!after) return std::nullopt;
  ObjectInfo object;
  object.address = next->second;
  object.size = size;
  object.is_zeroed = is_zeroed;
  object.is_heap = region == Region::Heap;
  next->second = *after;
  return kept(place, object);
}

std::uint32_t Objects::end_of_thread(std::uint32_t thread) {
  ObjectInfo object;
  object.size = 1;
  object.is_zeroed = true;
  return kept({kEnd, thread}, object);
}

std::uint32_t Objects::result_of_thread(std::uint32_t thread) {
  ObjectInfo object;
  object.size = interpreter_.addresses().pointer_bytes();
  object.is_zeroed = true;
  return kept({kResult, thread}, object);
}

std::uint32_t Objects::freed(std::uint32_t freed) {
  ObjectInfo object;
  object.is_mark = true;
  object.size = 1;
  object.is_zeroed = true;
  return kept({kFreed, freed}, object);
}

std::uint32_t Objects::thread_created_at(const PlaceKey& place) {
  return threads_.try_emplace(place, static_cast<std::uint32_t>(threads_.size() + 1)).first->second;
}

std::optional<std::uint32_t> Objects::at(std::uint64_t address) const {
  auto next = by_address_.upper_bound(address);
  if (next == by_address_.begin()) return std::nullopt;
  const auto& [first, object] = *std::prev(next);
  if (address - first >= std::max<std::uint64_t>(objects_[object].size, 1)) return std::nullopt;
  return object;
}

Byte Objects::initial_of_global(const ObjectInfo& object, std::uint32_t offset) {
  const model::c::Global& global = *object.global;
  std::uint64_t value = offset < global.initial.size() ? global.initial[offset] : 0;
  Byte byte;
  const std::uint8_t width = interpreter_.addresses().pointer_bytes();
  for (const model::c::Relocation& relocation : global.relocations) {
    if (offset < relocation.offset || offset >= relocation.offset + width) continue;
    const model::c::Operand& target = relocation.target;
    const bool is_function = target.kind == model::c::Operand::Kind::Function;
    const std::uint32_t pointee = is_function ? first_function_ + target.index : target.index;
    const std::uint64_t address = objects_[pointee].address + (is_function ? 0 : target.value);
    value = address >> 8 * (offset - relocation.offset) & 255;
    byte.pointees = only(pointee);
  }
  std::ranges::copy(constant_bits(value, 8), byte.bits.begin());
  return byte;
}

const Byte& Objects::initial(Circuit& circuit, std::uint32_t object, std::uint32_t offset) {
  const auto [place, is_new] = inputs_.try_emplace(std::pair(object, offset));
  if (!is_new) return place->second;
  const ObjectInfo& info = objects_[object];
  if (info.global != nullptr && !info.global->is_extern) {
    place->second = initial_of_global(info, offset);
  } else if (!info.is_zeroed) {
    const Bits undefined = input_bits(circuit, 8);
    undefined_.insert(undefined_.end(), undefined.begin(), undefined.end());
    std::ranges::copy(undefined, place->second.bits.begin());
  }
  return place->second;
}

}  // namespace heddle::engine::bounded
