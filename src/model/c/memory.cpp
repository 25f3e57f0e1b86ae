#include "model/c/memory.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::model::c {

namespace {

constexpr std::uint64_t kNullPage = 4096;
/// Contents of objects up to this size have one form only; larger ones may have several.
constexpr std::size_t kSmall = 256;
/// So far from an object an address is still called out of its bounds.
constexpr std::uint64_t kNear = 0x10000;

/// The first slot whose address is greater.
std::size_t upper_bound(const std::vector<Memory::Slot>& slots, std::uint64_t address) {
  const auto after = [](std::uint64_t a, const Memory::Slot& slot) { return a < slot.address; };
  return static_cast<std::size_t>(std::upper_bound(slots.begin(), slots.end(), address, after) -
                                  slots.begin());
}

/// Makes the first `end` bytes explicit.
void extend(Object& object, std::uint64_t end) {
  const std::size_t old = object.bytes.size();
  if (end <= old) return;
  object.bytes.resize(end, 0);
  if (!object.rest_is_zero) {
    if (object.undefined.empty()) object.undefined.assign(old, 0);
    object.undefined.resize(end, 255);
  } else if (!object.undefined.empty()) {
    object.undefined.resize(end, 0);
  }
}

void write_bytes(Object& object, std::uint64_t offset, std::uint8_t bytes, std::uint64_t value) {
  extend(object, offset + bytes);
  std::memcpy(object.bytes.data() + offset, &value, bytes);
  if (object.undefined.empty()) return;
  std::memset(object.undefined.data() + offset, 0, bytes);
  if (object.undefined.size() > kSmall) return;
  const auto is_set = [](std::uint8_t byte) { return byte != 0; };
  if (std::none_of(object.undefined.begin(), object.undefined.end(), is_set)) {
    object.undefined.clear();
  }
}

}  // namespace

std::string_view to_string(AccessError error) {
  switch (error) {
    case AccessError::None: return "no error";
    case AccessError::Null: return "null pointer";
    case AccessError::OutOfBounds: return "out of bounds";
    case AccessError::Freed: return "use after free";
    case AccessError::Dead: return "use after the end of its scope";
    case AccessError::NoObject: return "not the address of an object";
    case AccessError::Constant: return "write to a constant";
  }
  return "";
}

Memory::ResolvedAddress Memory::locate(std::uint64_t address, std::uint64_t bytes) const {
  ResolvedAddress place;
  const std::size_t next = upper_bound(slots_, address);
  if (next > 0) {
    const Slot& slot = slots_[next - 1];
    const std::uint64_t offset = address - slot.address;
    const std::uint64_t size = slot.object->size;
    if (offset < size || offset < size + kNear) {
      place.slot = static_cast<std::uint32_t>(next - 1);
      place.offset = offset;
      place.has_slot = true;
      if (offset <= size && bytes <= size - offset) {
        const bool is_heap = slot.object->is_allocated();
        place.error = slot.object->is_alive ? AccessError::None
                      : is_heap             ? AccessError::Freed
                                            : AccessError::Dead;
        return place;
      }
    }
  }
  if (!place.has_slot && next < slots_.size() && slots_[next].address - address < kNear) {
    place.slot = static_cast<std::uint32_t>(next);
    place.offset = address - slots_[next].address;  // negative, modulo 2^64
    place.has_slot = true;
  }
  place.error = address < kNullPage ? AccessError::Null
                : place.has_slot    ? AccessError::OutOfBounds
                                    : AccessError::NoObject;
  return place;
}

Memory::Loaded Memory::load(std::uint64_t address, std::uint8_t bytes) const {
  Loaded loaded;
  const ResolvedAddress place = locate(address, bytes);
  loaded.error = place.error;
  if (place.error != AccessError::None) return loaded;
  const Object& object = *slots_[place.slot].object;
  const std::size_t known = object.bytes.size();
  if (place.offset + bytes <= known && object.undefined.empty()) {  // the usual case
    std::memcpy(&loaded.value, object.bytes.data() + place.offset, bytes);
    return loaded;
  }
  for (unsigned i = 0; i < bytes; ++i) {
    const std::optional<std::uint8_t> byte = byte_of(object, place.offset + i);
    loaded.value |= std::uint64_t{byte.value_or(0)} << 8 * i;
    if (!byte) loaded.undefined |= std::uint64_t{255} << 8 * i;
  }
  return loaded;
}

AccessError Memory::store(std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
  const ResolvedAddress place = locate(address, bytes);
  if (place.error != AccessError::None) return place.error;
  if (slots_[place.slot].object->is_constant) return AccessError::Constant;
  write_bytes(change(place.slot), place.offset, bytes, value);
  return AccessError::None;
}

AccessError Memory::store_anyway(std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
  const ResolvedAddress place = locate(address, bytes);
  if (place.error == AccessError::None) write_bytes(change(place.slot), place.offset, bytes, value);
  return place.error;
}

Object& Memory::change(std::uint32_t slot) {
  Object& object = slots_[slot].object.write();
  object.content_number = 0;
  return object;
}

void Memory::add(std::uint64_t address, Object object) {
  const auto position = slots_.begin() + static_cast<std::ptrdiff_t>(upper_bound(slots_, address));
  slots_.insert(position, Slot{address, CopyOnWrite<Object>(std::move(object))});
}

void Memory::remove(std::uint64_t address) { remove_range(address, address + 1); }

void Memory::remove_range(std::uint64_t first, std::uint64_t end) {
  const auto before = [](const Slot& slot, std::uint64_t a) { return slot.address < a; };
  const auto begin = std::lower_bound(slots_.begin(), slots_.end(), first, before);
  slots_.erase(begin, std::lower_bound(begin, slots_.end(), end, before));
}

std::optional<std::uint32_t> Memory::slot_at(std::uint64_t address) const {
  const std::size_t next = upper_bound(slots_, address);
  if (next == 0 || slots_[next - 1].address != address) return std::nullopt;
  return static_cast<std::uint32_t>(next - 1);
}

std::optional<std::uint8_t> byte_of(const Object& object, std::uint64_t offset) {
  if (offset >= object.bytes.size()) {
    return object.rest_is_zero ? std::optional<std::uint8_t>(0) : std::nullopt;
  }
  if (!object.undefined.empty() && object.undefined[offset] != 0) return std::nullopt;
  return object.bytes[offset];
}

void make_undefined(Object& object) {
  object.bytes.clear();
  object.undefined.clear();
  object.rest_is_zero = false;
}

}  // namespace heddle::model::c
