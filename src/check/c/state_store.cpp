#include "check/c/state_store.hpp"

#include <algorithm>

namespace heddle::check::c {

using namespace model::c;

namespace {

template <class T>
void write(std::string& text, const T& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string text_of(std::uint64_t address, const Object& object) {
  std::string text;
  write(text, address);
  write(text, object.size);
  text.push_back(static_cast<char>(object.kind));
  text.push_back(object.is_alive ? '1' : '0');
  for (std::uint64_t i = 0; i < object.size; ++i) {
    if (i >= object.bytes.size()) {
      write(text, i);  // the rest is all zero or all undefined
      text.push_back(object.rest_is_zero ? 'z' : 'u');
      break;
    }
    const std::optional<std::uint8_t> byte = byte_of(object, i);
    text.push_back(byte ? '=' : '?');
    text.push_back(static_cast<char>(byte.value_or(0)));
  }
  return text;
}

std::string text_of(const Thread& thread) {
  std::string text;
  text.push_back(static_cast<char>(thread.status));
  text.push_back(thread.is_detached ? 'd' : '-');
  text.push_back(thread.is_signalled ? 's' : '-');
  for (const std::uint64_t word :
       {std::uint64_t{thread.sections}, thread.condition, thread.mutex, thread.result,
        thread.heap_next, thread.stack_next, std::uint64_t{thread.held.size()},
        std::uint64_t{thread.frames.size()}}) {
    write(text, word);
  }
  for (const std::uint64_t mutex : thread.held) write(text, mutex);
  for (const Frame& frame : thread.frames) {
    write(text, frame.function.value);
    write(text, frame.at.value);
    write(text, frame.first_register);
    write(text, frame.stack_mark);
  }
  for (const std::uint64_t value : thread.registers) write(text, value);
  return text;
}

std::uint32_t hash_of(const std::vector<std::uint32_t>& row) {
  std::uint64_t hash = 1469598103934665603u;
  for (const std::uint32_t word : row) {
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    hash ^= hash >> 29;
  }
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

StateStore::Number StateStore::thread_number(const CopyOnWrite<Thread>& thread) {
  if (thread->content_number != 0) return thread->content_number - 1;
  const auto [entry, is_new] =
      thread_numbers_.emplace(text_of(*thread), static_cast<Number>(threads_.size()));
  thread->content_number = entry->second + 1;
  if (is_new) threads_.push_back(thread);
  return entry->second;
}

StateStore::Number StateStore::object_number(const Memory::Slot& slot) {
  const Object& object = *slot.object;
  if (object.content_number != 0) return object.content_number - 1;
  const auto [entry, is_new] =
      object_numbers_.emplace(text_of(slot.address, object), static_cast<Number>(objects_.size()));
  object.content_number = entry->second + 1;
  if (is_new) objects_.push_back(slot);
  return entry->second;
}

bool StateStore::equals(Number number, const std::vector<std::uint32_t>& row) const {
  const std::uint64_t begin = begins_[number];
  return begins_[number + 1] - begin == row.size() &&
         std::equal(row.begin(), row.end(), words_.begin() + static_cast<std::ptrdiff_t>(begin));
}

void StateStore::grow() {
  buckets_.assign(2 * buckets_.size(), 0);
  const std::size_t mask = buckets_.size() - 1;
  for (Number number = 0; number < size(); ++number) {
    std::size_t at = hashes_[number] & mask;
    while (buckets_[at] != 0) at = (at + 1) & mask;
    buckets_[at] = number + 1;
  }
}

std::pair<StateStore::Number, bool> StateStore::insert(const Moment& moment) {
  const State& state = moment.state;
  row_.clear();
  row_.push_back(static_cast<std::uint32_t>(state.threads.size()));
  row_.push_back(static_cast<std::uint32_t>(state.memory.slots().size()));
  row_.push_back(std::uint32_t{moment.turn.round} << 16 | moment.turn.thread);
  for (const auto& thread : state.threads) row_.push_back(thread_number(thread));
  for (const Memory::Slot& slot : state.memory.slots()) row_.push_back(object_number(slot));
  moment.unknown.write(row_);
  if (2 * size() >= buckets_.size()) grow();
  const std::uint32_t hash = hash_of(row_);
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = hash & mask;
  for (; buckets_[at] != 0; at = (at + 1) & mask) {
    const Number number = buckets_[at] - 1;
    if (hashes_[number] == hash && equals(number, row_)) return {number, false};
  }
  const auto number = static_cast<Number>(size());
  buckets_[at] = number + 1;
  words_.insert(words_.end(), row_.begin(), row_.end());
  begins_.push_back(words_.size());
  hashes_.push_back(hash);
  if (!moment.unknown.is_empty()) unknown_.emplace(number, moment.unknown);
  return {number, true};
}

Moment StateStore::restore(Number number) const {
  Moment moment;
  const std::uint32_t* word = words_.data() + begins_[number];
  const std::uint32_t threads = *word++;
  const std::uint32_t objects = *word++;
  const std::uint32_t turn = *word++;
  moment.turn = {static_cast<std::uint16_t>(turn >> 16), static_cast<std::uint16_t>(turn)};
  for (std::uint32_t i = 0; i < threads; ++i) moment.state.threads.push_back(threads_[*word++]);
  std::vector<Memory::Slot> slots;
  slots.reserve(objects);
  for (std::uint32_t i = 0; i < objects; ++i) slots.push_back(objects_[*word++]);
  moment.state.memory.assign(std::move(slots));
  if (const auto unknown = unknown_.find(number); unknown != unknown_.end()) {
    moment.unknown = unknown->second;
  }
  return moment;
}

}  // namespace heddle::check::c
