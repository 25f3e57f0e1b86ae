#include "model/c/lost_memory.hpp"

#include <algorithm>

namespace heddle::model::c {

namespace {

bool is_programs(const Object& object) {
  return object.kind == Object::Kind::Heap && object.is_alive;
}

/// Every word that begins at a byte of an object.
void add_words(const Object& object, std::uint8_t pointer_bytes,
               std::vector<std::uint64_t>& words) {
  const unsigned top = 8U * (pointer_bytes - 1U);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < object.bytes.size(); ++i) {
    word = word >> 8 | static_cast<std::uint64_t>(object.bytes[i]) << top;
    if (word != 0 && i + 1 >= pointer_bytes) words.push_back(word);
  }
}

/// The number of the heap object that an address points into, or just behind.
std::optional<std::size_t> object_at(const State& state, std::uint64_t address) {
  const auto& slots = state.memory.slots();
  const auto after = std::ranges::upper_bound(slots, address, {}, &Memory::Slot::address);
  if (after == slots.begin()) return std::nullopt;
  const Memory::Slot& slot = *(after - 1);
  if (!is_programs(*slot.object) || address - slot.address > slot.object->size) return std::nullopt;
  return static_cast<std::size_t>(after - 1 - slots.begin());
}

}  // namespace

void LostMemory::add_registers(const Thread& thread, std::vector<std::uint64_t>& words) const {
  for (std::size_t f = 0; f < thread.frames.size(); ++f) {
    const Frame& frame = thread.frames[f];
    const std::size_t count = program_.functions[frame.function.index()].register_widths.size();
    for (std::size_t r = 0; r < count; ++r) {
      const std::uint64_t word = thread.registers[frame.first_register + r];
      if (word != 0 && liveness_.is_live(thread, f, r)) words.push_back(word);
    }
  }
  if (thread.status == Thread::Status::Ended) words.push_back(thread.result);
}

std::optional<std::uint64_t> LostMemory::find(const State& state) const {
  const auto& slots = state.memory.slots();
  if (!find_allocated(state)) return std::nullopt;
  std::vector<std::uint64_t> words;
  for (const Memory::Slot& slot : slots) {
    const bool is_root = slot.object->kind != Object::Kind::Heap && slot.object->is_alive;
    if (is_root) add_words(*slot.object, program_.pointer_bytes, words);
  }
  for (const auto& thread : state.threads) add_registers(*thread, words);
  std::vector<bool> is_found(slots.size(), false);
  while (!words.empty()) {
    const auto number = object_at(state, words.back());
    words.pop_back();
    if (!number || is_found[*number]) continue;
    is_found[*number] = true;
    add_words(*slots[*number].object, program_.pointer_bytes, words);
  }
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (is_programs(*slots[i].object) && !is_found[i]) return slots[i].address;
  return std::nullopt;
}

std::optional<std::uint64_t> find_allocated(const State& state) {
  for (const Memory::Slot& slot : state.memory.slots())
    if (is_programs(*slot.object)) return slot.address;
  return std::nullopt;
}

std::string size_phrase(const State& state, std::uint64_t object) {
  const auto slot = state.memory.slot_at(object);
  const std::uint64_t size = slot ? state.memory.object(*slot).size : 0;
  return "a heap object of " + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace heddle::model::c
