#include "engine/explore/escape.hpp"

#include <algorithm>

namespace heddle::engine::explore {

using namespace model::c;

Escape::Pending Escape::before(const State& state, ThreadId thread) const {
  const Effect& effect = interpreter_.next(state, thread).effect;
  const auto value = [&](const Operand& operand) {
    return interpreter_.value(state, thread, operand);
  };
  if (const auto* store = std::get_if<Store>(&effect)) {
    return {value(store->address), store->bytes, 0};
  }
  if (const auto* modify = std::get_if<ReadModifyWrite>(&effect)) {
    return {value(modify->address), modify->bytes, 0};
  }
  if (const auto* exchange = std::get_if<CompareExchange>(&effect)) {
    return {value(exchange->address), exchange->bytes, 0};
  }
  if (const auto* result = std::get_if<Return>(&effect)) {
    const bool is_last = state.thread(thread).frames.size() == 1;
    return {0, 0, is_last && !result->values.empty() ? value(result->values[0]) : 0};
  }
  const auto* sync = std::get_if<Synchronise>(&effect);
  if (sync == nullptr || sync->arguments.empty()) return {};
  if (sync->operation == SyncOperation::CreateThread) return {0, 0, value(sync->arguments[2])};
  if (sync->operation == SyncOperation::ExitThread) return {0, 0, value(sync->arguments[0])};
  if (sync->operation == SyncOperation::JoinThread && value(sync->arguments[1]) != 0) {
    return {value(sync->arguments[1]), interpreter_.addresses().pointer_bytes(), 0};
  }
  return {};
}

void Escape::after(State& state, const Pending& pending) const {
  if (pending.word != 0) share(state, pending.word);
  if (pending.bytes != 0) share_written(state, pending.address, pending.bytes);
}

/// The words that overlap what was written to a shared object.
void Escape::share_written(State& state, std::uint64_t address, std::uint64_t bytes) const {
  const Memory::ResolvedAddress place = state.memory.locate(address, bytes);
  if (place.error != AccessError::None || !state.memory.object(place.slot).is_shared) return;
  const std::uint8_t width = interpreter_.addresses().pointer_bytes();
  const std::uint64_t base = state.memory.slots()[place.slot].address;
  const std::uint64_t size = state.memory.object(place.slot).size;
  const std::uint64_t first = place.offset >= width - 1u ? place.offset - (width - 1u) : 0;
  for (std::uint64_t at = first; at < place.offset + bytes && at + width <= size; ++at) {
    const Memory::Loaded loaded = state.memory.load(base + at, width);
    if (loaded.undefined == 0) share(state, loaded.value);
  }
}

void Escape::share(State& state, std::uint64_t word) const {
  if (!interpreter_.addresses().region_of(word)) return;
  const Memory::ResolvedAddress place = state.memory.locate(word, 0);
  if (!place.has_slot || state.memory.object(place.slot).is_shared) return;
  state.memory.change(place.slot).is_shared = true;
  share_words_of(state, place.slot);
}

void Escape::share_words_of(State& state, std::uint32_t slot) const {
  const std::uint8_t width = interpreter_.addresses().pointer_bytes();
  const std::uint64_t base = state.memory.slots()[slot].address;
  const std::uint64_t known = state.memory.object(slot).bytes.size();
  const std::uint64_t size = state.memory.object(slot).size;
  for (std::uint64_t at = 0; at < known && at + width <= size; ++at) {
    const Memory::Loaded loaded = state.memory.load(base + at, width);
    if (loaded.undefined == 0) share(state, loaded.value);
  }
}

}  // namespace heddle::engine::explore
