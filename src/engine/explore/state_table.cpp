#include "engine/explore/state_table.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::engine::explore {

using namespace model::c;

namespace {

std::uint64_t hash_words(const std::uint32_t* begin, const std::uint32_t* end) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  const auto add = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  };
  const std::uint32_t* word = begin;
  for (; end - word >= 2; word += 2) add(word[0] | std::uint64_t{word[1]} << 32);
  if (word != end) add(*word);
  return hash;
}

void push_word(std::vector<std::uint32_t>& words, std::uint64_t value) {
  words.push_back(static_cast<std::uint32_t>(value));
  words.push_back(static_cast<std::uint32_t>(value >> 32));
}

void push_bytes(std::vector<std::uint32_t>& words, const std::vector<std::uint8_t>& bytes) {
  words.push_back(static_cast<std::uint32_t>(bytes.size()));
  const std::size_t begin = words.size();
  words.resize(begin + (bytes.size() + 3) / 4, 0);
  if (!bytes.empty()) std::memcpy(words.data() + begin, bytes.data(), bytes.size());
}

void write_object(std::vector<std::uint32_t>& words, std::uint64_t address, const Object& object) {
  push_word(words, address);
  push_word(words, object.size);
  words.push_back(static_cast<std::uint32_t>(object.kind) | (object.is_constant ? 16u : 0u) |
                  (object.is_alive ? 32u : 0u) | (object.rest_is_zero ? 64u : 0u) |
                  (object.is_shared ? 128u : 0u) | object.owner.value << 8);
  push_bytes(words, object.bytes);
  push_bytes(words, object.undefined);
}

void write_thread(std::vector<std::uint32_t>& words, const Thread& thread) {
  words.push_back(static_cast<std::uint32_t>(thread.status) | (thread.is_detached ? 16u : 0u) |
                  (thread.is_signalled ? 32u : 0u) | thread.sections << 8);
  for (const std::uint64_t value :
       {thread.condition, thread.mutex, thread.result, thread.heap_next, thread.stack_next}) {
    push_word(words, value);
  }
  for (const std::uint64_t mutex : thread.held) push_word(words, mutex);
  words.push_back(static_cast<std::uint32_t>(thread.held.size()));
  words.push_back(thread.start.value);
  for (const Frame& frame : thread.frames) {
    words.push_back(frame.function.value);
    words.push_back(frame.at.value);
    words.push_back(frame.first_register);
    push_word(words, frame.stack_mark);
  }
  words.push_back(static_cast<std::uint32_t>(thread.frames.size()));
  for (const std::uint64_t value : thread.registers) push_word(words, value);
}

}  // namespace

// ---- Rows

bool RowTable::equals(std::uint32_t row, const std::vector<std::uint32_t>& other) const {
  const std::size_t size = begins_[row + 1] - begins_[row];
  return size == other.size() && std::equal(other.begin(), other.end(), begin(row));
}

std::pair<std::uint32_t, bool> RowTable::insert(const std::vector<std::uint32_t>& row) {
  if (2 * size() >= buckets_.size()) grow();
  const auto hash =
      static_cast<std::uint32_t>(hash_words(row.data(), row.data() + row.size()) >> 16);
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (buckets_[at] == 0) {
      const auto number = static_cast<std::uint32_t>(size());
      buckets_[at] = number + 1;
      words_.insert(words_.end(), row.begin(), row.end());
      begins_.push_back(words_.size());
      hashes_.push_back(hash);
      return {number, true};
    }
    const std::uint32_t number = buckets_[at] - 1;
    if (hashes_[number] == hash && equals(number, row)) return {number, false};
  }
}

void RowTable::grow() {
  std::vector<std::uint32_t> buckets(2 * buckets_.size(), 0);
  const std::size_t mask = buckets.size() - 1;
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t at = hashes_[number] & mask;
    while (buckets[at] != 0) at = (at + 1) & mask;
    buckets[at] = number + 1;
  }
  buckets_ = std::move(buckets);
}

std::size_t RowTable::bytes() const {
  return 4 * (words_.capacity() + hashes_.capacity() + buckets_.capacity()) +
         8 * begins_.capacity();
}

// ---- States

std::uint32_t StateTable::number_of(std::uint64_t address, const Memory::Slot& slot) {
  const Object& object = *slot.object;
  if (object.content_number != 0) return object.content_number - 1;
  scratch_.clear();
  write_object(scratch_, address, object);
  const auto [number, is_new] = object_contents_.insert(scratch_);
  object.content_number = number + 1;
  if (is_new) {
    objects_.push_back(slot);
    content_bytes_ += sizeof(Object) + 32 + object.bytes.capacity() + object.undefined.capacity();
  }
  return number;
}

std::uint32_t StateTable::number_of(const CopyOnWrite<Thread>& thread) {
  if (thread->content_number != 0) return thread->content_number - 1;
  scratch_.clear();
  write_thread(scratch_, *thread);
  const auto [number, is_new] = thread_contents_.insert(scratch_);
  thread->content_number = number + 1;
  if (is_new) {
    threads_.push_back(thread);
    content_bytes_ += sizeof(Thread) + 32 + 8 * thread->registers.capacity() +
                      sizeof(Frame) * thread->frames.capacity();
  }
  return number;
}

std::pair<std::uint32_t, bool> StateTable::insert(const State& state) {
  row_.clear();
  row_.push_back(static_cast<std::uint32_t>(state.threads.size()));
  for (const auto& thread : state.threads) row_.push_back(number_of(thread));
  for (const Memory::Slot& slot : state.memory.slots()) {
    row_.push_back(number_of(slot.address, slot));
  }
  return rows_.insert(row_);
}

State StateTable::restore(std::uint32_t number) const {
  State state;
  const std::uint32_t* word = rows_.begin(number);
  const std::uint32_t threads = *word++;
  for (std::uint32_t i = 0; i < threads; ++i) state.threads.push_back(threads_[*word++]);
  std::vector<Memory::Slot> slots;
  slots.reserve(static_cast<std::size_t>(rows_.end(number) - word));
  while (word != rows_.end(number)) slots.push_back(objects_[*word++]);
  state.memory.assign(std::move(slots));
  return state;
}

std::size_t StateTable::bytes() const {
  return rows_.bytes() + object_contents_.bytes() + thread_contents_.bytes() + content_bytes_;
}

}  // namespace heddle::engine::explore
