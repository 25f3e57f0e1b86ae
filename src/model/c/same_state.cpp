#include "model/c/same_state.hpp"

#include <algorithm>

namespace heddle::model::c {

namespace {

bool is_same_thread(const Thread& a, const Thread& b) {
  return a.status == b.status && a.is_detached == b.is_detached &&
         a.is_signalled == b.is_signalled && a.sections == b.sections &&
         a.condition == b.condition && a.mutex == b.mutex && a.held == b.held &&
         a.result == b.result && a.heap_next == b.heap_next && a.stack_next == b.stack_next &&
         a.start == b.start && a.frames == b.frames && a.registers == b.registers;
}

bool is_same_object(const Object& a, const Object& b) {
  if (a.size != b.size || a.kind != b.kind || a.is_constant != b.is_constant ||
      a.is_alive != b.is_alive || a.rest_is_zero != b.rest_is_zero) {
    return false;
  }
  const std::uint64_t written =
      std::min<std::uint64_t>(a.size, std::max<std::uint64_t>(a.bytes.size(), b.bytes.size()));
  for (std::uint64_t i = 0; i < written; ++i) {
    if (byte_of(a, i) != byte_of(b, i)) return false;
  }
  return true;
}

}  // namespace

bool is_same_state(const State& a, const State& b) {
  if (a.section_owner || b.section_owner || a.has_ended != b.has_ended) return false;
  const auto& slots = a.memory.slots();
  const auto& others = b.memory.slots();
  if (a.threads.size() != b.threads.size() || slots.size() != others.size()) return false;
  for (std::size_t i = 0; i < a.threads.size(); ++i) {
    if (!is_same_thread(*a.threads[i], *b.threads[i])) return false;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].address != others[i].address) return false;
    if (!is_same_object(*slots[i].object, *others[i].object)) return false;
  }
  return true;
}

}  // namespace heddle::model::c
