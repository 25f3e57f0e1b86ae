#include <algorithm>

#include "model/c/arithmetic.hpp"
#include "model/c/execution.hpp"

namespace heddle::model::c {

// ---- Reports

AccessError Execution::classify(std::uint64_t address, AccessError error) const {
  if (error != AccessError::NoObject) return error;
  const std::optional<AddressSpace::Owned> owned = interpreter_.addresses().region_of(address);
  if (!owned || owned->thread.index() >= state_.threads.size()) return error;
  const Thread& owner = state_.thread(owned->thread);
  if (owned->region == Region::Heap && address < owner.heap_next) return AccessError::Freed;
  return owned->region == Region::Heap ? error : AccessError::Dead;
}

std::string Execution::describe(std::uint64_t address) const {
  const Memory::ResolvedAddress place = state_.memory.locate(address, 1);
  if (!place.has_slot) return "";
  const Memory::Slot& slot = state_.memory.slots()[place.slot];
  const auto distance = static_cast<std::int64_t>(place.offset);
  std::string name = slot.object->is_allocated() ? "a heap object" : "a variable";
  for (std::size_t i = 0; i < program_.globals.size(); ++i) {
    if (!program_.globals[i].is_thread_local &&
        interpreter_.addresses().of_global(GlobalId(i)) == slot.address) {
      name = program_.globals[i].name;
    }
  }
  return " at offset " + std::to_string(distance) + " of " + name + " (" +
         std::to_string(slot.object->size) + " bytes)";
}

void Execution::report_access(std::uint64_t address, std::uint64_t bytes, bool is_write,
                              AccessError error) {
  std::string what = is_write ? "write of " : "read of ";
  what += std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + describe(address) + ": ";
  report(Violation::Kind::InvalidAccess, what.append(to_string(classify(address, error))));
}

bool Execution::is_valid(std::uint64_t address, std::uint8_t bytes, bool is_write) {
  const Memory::ResolvedAddress place = state_.memory.locate(address, bytes);
  AccessError error = place.error;
  if (error == AccessError::None && is_write && state_.memory.object(place.slot).is_constant) {
    error = AccessError::Constant;
  }
  if (error == AccessError::None) return true;
  report_access(address, bytes, is_write, error);
  return false;
}

void Execution::tell_access(std::uint64_t address, std::uint64_t bytes, bool read, bool write,
                            bool atomic) {
  if (observer_ == nullptr) return;
  const bool in_section = state_.thread(thread_).sections > 0;
  observer_->accessed(thread_, Access{address, bytes, read, write, atomic || in_section},
                      position());
}

std::optional<std::uint64_t> Execution::read(std::uint64_t address, std::uint8_t bytes) {
  const Memory::Loaded loaded = state_.memory.load(address, bytes);
  if (loaded.error != AccessError::None) {
    report_access(address, bytes, false, loaded.error);
    return std::nullopt;
  }
  if (loaded.undefined == 0) return loaded.value;
  read_undefined_ = true;
  ChoiceRequest request;
  request.kind = ChoiceRequest::Kind::Uninitialised;
  request.width = static_cast<std::uint8_t>(8 * bytes);
  request.undefined = loaded.undefined;
  const std::optional<std::uint64_t> chosen = choose(request);
  if (!chosen) return std::nullopt;
  return loaded.value | (*chosen & loaded.undefined);
}

// ---- Objects

void Execution::execute(const Allocate& effect) {
  const bool is_stack = effect.where == Allocate::Where::Stack;
  const std::uint64_t size = value(effect.size);
  const bool fits = size <= interpreter_.addresses().largest_object();
  const std::uint64_t address = is_stack && fits ? interpreter_.stack_address(state_, thread_, size)
                                                 : state_.thread(thread_).heap_next;
  const std::optional<std::uint64_t> following =
      fits ? interpreter_.addresses().after(address, size) : std::nullopt;
  if (!following) {
    report(Violation::Kind::Unsupported, "an object of " + std::to_string(size) +
                                             " bytes does not fit into this thread's " +
                                             (is_stack ? "stack" : "heap"));
    return;
  }
  Object object;
  object.size = size;
  object.kind = is_stack                                   ? Object::Kind::Stack
                : effect.where == Allocate::Where::Library ? Object::Kind::Library
                                                           : Object::Kind::Heap;
  object.rest_is_zero = effect.is_zeroed;
  object.owner = thread_;
  state_.memory.add(address, std::move(object));
  if (observer_ != nullptr) observer_->allocated(thread_, address, size);
  Thread& thread = state_.change(thread_);
  (is_stack ? thread.stack_next : thread.heap_next) = *following;
  set(effect.to, address);
  go_on();
}

void Execution::execute(const Free& effect) {
  const std::uint64_t address = value(effect.address);
  if (address == 0) return go_on();
  const std::optional<std::uint32_t> slot = state_.memory.slot_at(address);
  const bool is_heap = slot && state_.memory.object(*slot).is_allocated();
  if (classify(address, state_.memory.locate(address, 1).error) == AccessError::Freed) {
    tell_access(address, 1, false, true, false);  // it may race with the one before
    return report(Violation::Kind::DoubleFree, "free of an object that was freed");
  }
  if (!is_heap) {
    return report(Violation::Kind::InvalidFree,
                  "free of an address that is not the beginning of a heap object");
  }
  tell_access(address, state_.memory.object(*slot).size, false, true, false);
  if (interpreter_.addresses().pointer_bytes() == 8) {
    state_.memory.remove(address);  // its address tells for ever that it was freed
  } else {
    Object& object = state_.memory.change(*slot);
    object.is_alive = false;
    make_undefined(object);
  }
  go_on();
}

void Execution::execute(const Lifetime& effect) {
  const std::optional<std::uint32_t> slot = state_.memory.slot_at(value(effect.address));
  if (slot) {
    Object& object = state_.memory.change(*slot);
    object.is_alive = effect.begins;
    make_undefined(object);
  }
  go_on();
}

void Execution::execute(const ObjectSize& effect) {
  const std::uint64_t address = value(effect.address);
  const std::optional<std::uint32_t> slot = state_.memory.slot_at(address);
  if (!slot || !state_.memory.object(*slot).is_alive) {
    const AccessError error = state_.memory.locate(address, 1).error;
    return report_access(address, 1, false,
                         error == AccessError::None ? AccessError::OutOfBounds : error);
  }
  set(effect.to, state_.memory.object(*slot).size);
  go_on();
}

// ---- Accesses

void Execution::execute(const Load& effect) {
  const std::uint64_t address = value(effect.address);
  const std::optional<std::uint64_t> content = read(address, effect.bytes);
  if (!content) return;
  tell_access(address, effect.bytes, true, false, effect.is_atomic);
  if (read_undefined_) state_.memory.store_anyway(address, effect.bytes, *content);
  set(effect.to, *content);
  go_on();
}

void Execution::execute(const Store& effect) {
  const std::uint64_t address = value(effect.address);
  if (!is_valid(address, effect.bytes, true)) return;
  tell_access(address, effect.bytes, false, true, effect.is_atomic);
  state_.memory.store(address, effect.bytes, value(effect.value));
  go_on();
}

void Execution::execute(const ReadModifyWrite& effect) {
  const std::uint64_t address = value(effect.address);
  if (!is_valid(address, effect.bytes, true)) return;
  const std::optional<std::uint64_t> old = read(address, effect.bytes);
  if (!old) return;
  tell_access(address, effect.bytes, true, true, true);
  const unsigned width = 8u * effect.bytes;
  const std::uint64_t operand = low_bits(value(effect.value), width);
  state_.memory.store(address, effect.bytes, modify(effect.operation, width, *old, operand));
  set(effect.to, *old);
  go_on();
}

void Execution::execute(const CompareExchange& effect) {
  const std::uint64_t address = value(effect.address);
  if (!is_valid(address, effect.bytes, true)) return;
  const std::optional<std::uint64_t> old = read(address, effect.bytes);
  if (!old) return;
  bool succeeds = *old == low_bits(value(effect.expected), 8u * effect.bytes);
  if (succeeds && effect.may_fail) {
    ChoiceRequest request;
    request.kind = ChoiceRequest::Kind::WeakFailure;
    request.count = 2;
    const std::optional<std::uint64_t> fails = choose(request);
    if (!fails) return;
    succeeds = *fails == 0;
  }
  const std::uint64_t written = succeeds ? value(effect.desired) : *old;
  tell_access(address, effect.bytes, true, succeeds, true);
  state_.memory.store(address, effect.bytes, written);
  set(effect.old, *old);
  set(effect.success, succeeds ? 1 : 0);
  go_on();
}

}  // namespace heddle::model::c
